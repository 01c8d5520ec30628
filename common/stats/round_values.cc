#include "common/stats/round_values.h"

#include <utility>

#include "common/base/status_macros.h"
#include "common/stats/series.h"

namespace benchfleet {

absl::StatusOr<std::vector<RoundValues>> ValuesOfRounds(const RunPlan& plan, absl::Span<const Round> rounds) {
  BF_ASSIGN_OR_RETURN(RunSeries run, BuildRunSeries(plan, rounds));
  std::vector<RoundValues> values;
  for (ArmSeries& arm : run.arms) {
    for (MeasureSeries& one : arm.measures) {
      values.push_back({arm.arm, std::move(one.measure), std::move(one.rounds), std::move(one.values)});
    }
  }
  return values;
}

}  // namespace benchfleet
