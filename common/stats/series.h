// The values, round by round, that the figures of a run are computed from.
#ifndef BENCHFLEET_COMMON_STATS_SERIES_H_
#define BENCHFLEET_COMMON_STATS_SERIES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

struct MeasureSeries {
  std::string measure;
  std::vector<int> rounds;  // ascending, warm-up excluded; never empty
  std::vector<double> values;
};

struct ArmSeries {
  Arm arm;
  // In the order of figures: wall, the further measures, efficiency. Empty without an ok
  // sample.
  std::vector<MeasureSeries> measures;
  std::map<std::string, double> counters;  // per operation, mean over the rounds that report them
};

struct RunSeries {
  std::vector<ArmSeries> arms;  // all of the plan, in its order
  int rounds = 0;               // measured, warm-up excluded
  int failed_samples = 0;       // of those rounds
};

// Checks the whole plan first. Errors: as Analyse(), but for figures that cannot be
// computed from values that are all right in themselves.
absl::StatusOr<RunSeries> BuildRunSeries(const RunPlan& plan, absl::Span<const Round> rounds);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_SERIES_H_
