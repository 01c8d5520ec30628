// Plots as inline SVG: one row per arm or comparison, beside its words and numbers.
//
// Horizontal positions are percents and heights pixels, so a plot is as wide as its page
// without its text growing or shrinking.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_PLOT_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_PLOT_H_

#include <functional>
#include <string>
#include <vector>

#include "benchfleet/v1/report.pb.h"
#include "common/report/render_html_view.h"

namespace benchfleet::html {

// The rounds of every arm, with median and interval, on one axis. A round far from the
// others of its arm does not stretch the axis: it stands at the end as an arrow. Without
// `draw_rounds`, or where the report has no rounds, a line from the least to the greatest.
std::string RoundsPlot(const PageCase& page_case, bool draw_rounds);

// The ratio of each comparison with its interval, against the margin around 1; `label`
// makes the HTML of its name.
std::string RatioPlot(const std::string& caption, const std::vector<const v1::Comparison*>& comparisons,
                      const std::function<std::string(const v1::Comparison&)>& label);

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_PLOT_H_
