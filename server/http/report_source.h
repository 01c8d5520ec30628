// The port to jobs and their reports, as pages need them.
#ifndef BENCHFLEET_SERVER_HTTP_REPORT_SOURCE_H_
#define BENCHFLEET_SERVER_HTTP_REPORT_SOURCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/report/render.h"

namespace benchfleet {

// A job in a list.
struct JobLine {
  std::string id;
  std::string suite;
  std::string project;
  std::string state;  // lower-case word
  absl::Time create_time;
  int hosts = 0;  // that have or had one of its runs
};

// Thread-safety: safe. Errors: kUnavailable, the store cannot be read now.
class ReportSource {
 public:
  virtual ~ReportSource() = default;
  // Newest first.
  virtual absl::StatusOr<std::vector<JobLine>> NewestJobs(int limit) = 0;
  // With the value of every round. kNotFound: no such job.
  virtual absl::StatusOr<v1::Report> ReadReport(absl::string_view job_id) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_REPORT_SOURCE_H_
