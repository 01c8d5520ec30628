// A result source with rows to set, a clock that stands, and a row that has everything.
#ifndef BENCHFLEET_TESTS_SERVER_METRICS_RESULT_FAKES_H_
#define BENCHFLEET_TESTS_SERVER_METRICS_RESULT_FAKES_H_

#include <string>
#include <vector>

#include "server/metrics/result_collector.h"

namespace benchfleet {

class StandingClock final : public Clock {
 public:
  absl::Time Now() const override { return now; }
  absl::Time now = absl::FromUnixSeconds(1'700'000'000);
};

class FakeResultSource final : public ResultSource {
 public:
  absl::StatusOr<std::vector<ResultRow>> LatestResults() override { return rows; }
  absl::StatusOr<ServiceState> CurrentState() override { return state; }

  absl::StatusOr<std::vector<ResultRow>> rows = std::vector<ResultRow>{};
  absl::StatusOr<ServiceState> state = ServiceState{};
};

// Two arms and their comparison, with every optional figure.
inline ResultRow FullRow(const std::string& host, absl::Time end_time) {
  ResultRow row;
  row.project = "default";
  row.host = HostName(host);
  row.suite = "wake";
  row.run_id = RunId("0190/0");
  row.commit = "c0ffee";
  row.branch = "main";
  row.end_time = end_time;
  row.first_end_time = end_time;
  row.host_key = {"hk1:abc", {{"cpu_model", "Some \"CPU\" \\ 9"}, {"kernel", "6.1"}}};
  const Arm base{"epoll/frame.ready", "lookup"};
  const Arm contender{"epoll/frame.ready", "counted"};
  for (const Arm& arm : {base, contender}) {
    row.figures.summaries.push_back({.arm = arm,
                                     .measure = "wall",
                                     .unit = "seconds",
                                     .rounds = 9,
                                     .median = 1.5e-7,
                                     .median_interval = Interval{1.25e-7, 1.75e-7},
                                     .min = 1e-7,
                                     .max = 2e-7,
                                     .counters = {{"socket_bytes", 0}}});
  }
  row.figures.summaries.push_back({.arm = base,
                                   .measure = "efficiency",
                                   .unit = "ratio",
                                   .rounds = 9,
                                   .median = 0.75,
                                   .median_interval = Interval{0.7, 0.8},
                                   .min = 0.6,
                                   .max = 0.9});
  row.subjects = {{"epoll", "sk1:def"}};
  row.capabilities = {{"gfortran", "12.2.0", "link", "f2008block", CompileOutcome::kAccepted}};
  row.figures.comparisons.push_back({.kind = "variant",
                                     .base = base,
                                     .contender = contender,
                                     .measure = "wall",
                                     .rounds = 9,
                                     .ratio = 0.5,
                                     .ratio_interval = Interval{0.4, 0.6},
                                     .level = 0.95,
                                     .verdict = Verdict::kFaster});
  row.figures.rounds = 9;
  row.figures.failed_samples = 2;
  return row;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_SERVER_METRICS_RESULT_FAKES_H_
