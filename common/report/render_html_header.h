// What a job and its runs are, at the top of the HTML report and of each run.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_HEADER_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_HEADER_H_

#include <string>

#include "benchfleet/v1/report.pb.h"

namespace benchfleet::html {

// Whether nothing more will come.
bool HasEnded(const v1::ReportJob& job);

std::string JobTitle(const v1::ReportJob& job);  // plain text
std::string JobHeader(const v1::ReportJob& job);
std::string RunHeader(const v1::ReportRun& run);  // host, state, conditions, failures
// The host's facts and what was measured, folded.
std::string RunFacts(const v1::ReportRun& run);

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_HEADER_H_
