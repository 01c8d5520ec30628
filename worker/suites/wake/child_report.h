// The line of JSON by which a measured process tells what it measured.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_CHILD_REPORT_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_CHILD_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

inline constexpr size_t kMaxChildReportBytes = 64 << 10;

struct ChildReport {
  std::vector<int64_t> batch_ns;  // each positive
  int64_t iterations = 0;         // positive
  std::map<std::string, int64_t> counters;
  friend bool operator==(const ChildReport&, const ChildReport&) = default;
};

// {"batch_ns": [int, ...], "iterations": int, "counters": {name: int, ...}}, nothing more.
// kInvalidArgument names the field and what is wrong with it.
absl::StatusOr<ChildReport> ParseChildReport(absl::string_view text);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_CHILD_REPORT_H_
