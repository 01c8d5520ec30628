// From raw rounds to every figure of a run. The runner, the server and the client call
// this one function, so a verdict can be recomputed bit for bit from stored samples.
#ifndef BENCHFLEET_COMMON_STATS_ANALYSE_H_
#define BENCHFLEET_COMMON_STATS_ANALYSE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/model/figures.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

// The only measure so far: time per operation, in seconds; in a round, the median batch.
inline constexpr absl::string_view kMeasureWall = "wall";
inline constexpr absl::string_view kUnitSeconds = "seconds";

// The note of a comparison whose arms were never both measured in one round.
inline constexpr absl::string_view kNoteNoCommonRound = "no_common_round";

// `rounds` come in any order; several entries with one index are parts of one round.
// Only samples with kOk of rounds that are no warm-up have a value. The result has, in
// the plan's order, a summary of each arm with a value and every declared comparison,
// over the rounds where both arms have one. A counter's figure is its mean over the
// arm's rounds that report it, per operation.
//
// Errors: kInvalidArgument, an arm in the plan twice, an arm that the plan does not have,
// an unknown measure, two samples of one arm in one round, a round that is warm-up in one
// part only, a kOk sample without iterations or with a batch that took no time, or the
// plan's level or margin outside (0, 1).
absl::StatusOr<RunFigures> Analyse(const RunPlan& plan, absl::Span<const Round> rounds);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_ANALYSE_H_
