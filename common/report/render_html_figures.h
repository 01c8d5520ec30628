// The figures of a run as tables.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_FIGURES_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_FIGURES_H_

#include <string>
#include <vector>

#include "benchfleet/v1/report.pb.h"
#include "common/report/render_html_view.h"

namespace benchfleet::html {

// How many comparisons have which verdict: shape, number and, with `words`, word.
std::string Tally(const std::vector<const v1::Comparison*>& comparisons, bool words);

// The verdict of every comparison within a case: cases against pairs of variants, turned
// so that it has fewer columns than rows. Empty where there is none.
std::string VerdictMatrix(const PageRun& run);

// Of one case: medians, further measures, counters that explain.
std::string CaseTables(const PageCase& page_case);

// All comparisons with every figure.
std::string ComparisonTable(const PageRun& run);

// Probes against compilers and modes. Empty where there is none.
std::string CapabilityMap(const PageRun& run);

// "frame.ready socket / frame.woken lookup": what a comparison of two cases is about, HTML.
std::string PairLabel(const v1::Comparison& comparison);

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_FIGURES_H_
