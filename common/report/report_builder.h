// The report of a job, from what is stored or was just measured. The server and
// `benchfleet run --local` call the same functions.
#ifndef BENCHFLEET_COMMON_REPORT_REPORT_BUILDER_H_
#define BENCHFLEET_COMMON_REPORT_REPORT_BUILDER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchfleet/v1/report.pb.h"
#include "common/model/figures.h"
#include "common/model/job_spec.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "common/model/states.h"
#include "common/stats/round_values.h"

namespace benchfleet {

inline constexpr size_t kMaxReportedFailures = 5;  // of one run

struct ReportJobInput {
  std::string id;  // "local" without a server
  JobSpec spec;
  JobState state = JobState::kQueued;
  std::string state_reason;
  absl::Time create_time;
};

// What a report says of a run's rounds besides their figures. Small, so it can be stored.
struct RoundFacts {
  std::optional<double> load1_min;
  std::optional<double> load1_max;
  std::optional<double> steal_ratio;
  std::vector<std::string> failures;  // the first kMaxReportedFailures
  friend bool operator==(const RoundFacts&, const RoundFacts&) = default;
};

struct ReportRunInput {
  std::string id;    // "<job id>/<index>"; "local/0" without a server
  std::string host;  // empty while no host has it
  RunState state = RunState::kQueued;
  std::string end_reason;
  int attempts = 0;
  std::optional<RunPlan> plan;        // absent before there is one
  std::optional<RunFigures> figures;  // absent before the run was analysed
  RoundFacts rounds;
  std::vector<RoundValues> round_values;  // only where the report shall have them
};

// Load and stolen time over all rounds, warm-up excluded, the latter as a share of all
// CPUs' time while samples were taken; failures in order, warm-up included. `rounds` are
// in order and may be parts.
RoundFacts FactsOfRounds(const RunPlan& plan, absl::Span<const Round> rounds);

v1::Report BuildReport(const ReportJobInput& job, absl::Span<const ReportRunInput> runs);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_REPORT_BUILDER_H_
