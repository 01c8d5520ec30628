// What a report says of its job and runs before their tables. Raw text: who writes it
// makes it safe.
#ifndef BENCHFLEET_COMMON_REPORT_HEADINGS_H_
#define BENCHFLEET_COMMON_REPORT_HEADINGS_H_

#include <string>

#include "benchfleet/v1/report.pb.h"

namespace benchfleet {

// "job local: suite wake, project default, succeeded".
std::string JobHeading(const v1::ReportJob& job);

// "host lab-1, run local/0: succeeded".
std::string RunHeading(const v1::ReportRun& run);

// "Example CPU, kernel 6.1.0, load 0.12-0.50, 9 rounds, ..."; empty before there is a plan.
std::string RunFacts(const v1::ReportRun& run);

// "faster, slower: ...": how to read the verdicts.
std::string VerdictLegend(const v1::Comparison& comparison);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_HEADINGS_H_
