// Jobs and their reports as pages.
#ifndef BENCHFLEET_SERVER_HTTP_REPORT_PAGES_H_
#define BENCHFLEET_SERVER_HTTP_REPORT_PAGES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/http/http.h"
#include "server/http/report_source.h"

namespace benchfleet {

inline constexpr int kMaxListedJobs = 50;
// The page of a job that has not ended loads itself anew after so long.
inline constexpr absl::Duration kReportReload = absl::Seconds(15);
inline constexpr absl::string_view kJobsPath = "/jobs/";

// The newest jobs as a table whose ids link to their pages; HTML for a page's body.
std::string JobTable(ReportSource& source);

// The report of the job that `path` names after kJobsPath: 400 when that is no id, 404
// when there is no such job, 503 when the store cannot be read.
HttpResponse ReportPage(ReportSource& source, absl::string_view path);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_REPORT_PAGES_H_
