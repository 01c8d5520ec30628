// The value of each round behind a summary, as plots show them.
#ifndef BENCHFLEET_COMMON_STATS_ROUND_VALUES_H_
#define BENCHFLEET_COMMON_STATS_ROUND_VALUES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

struct RoundValues {
  Arm arm;
  std::string measure;
  std::vector<int> rounds;  // ascending, warm-up excluded
  std::vector<double> values;
};

// One entry for each summary that Analyse() gives, in its order, with the very values it
// summarised. Errors as Analyse().
absl::StatusOr<std::vector<RoundValues>> ValuesOfRounds(const RunPlan& plan, absl::Span<const Round> rounds);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_ROUND_VALUES_H_
