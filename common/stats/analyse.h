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
#include "common/stats/measure.h"

namespace benchfleet {

// The note of a comparison whose arms never both had its measure in one round.
inline constexpr absl::string_view kNoteNoCommonRound = "no_common_round";

// `rounds` come in any order; several entries with one index are parts of one round.
// Only samples with kOk of rounds that are no warm-up have values. For each arm with one,
// in the plan's order, the result has a summary of "wall" (with the counters: means over
// the arm's rounds that report them, per operation), then of each further measure of its
// samples, one value a measurement: those of measure.h in their order, others by name;
// then of "efficiency" where the plan knows the usable CPUs and an ok sample of the case
// has "cpu" in the same round. Then every declared comparison, over the rounds where both
// arms have its measure and neither is zero, which has no ratio.
//
// Errors: kInvalidArgument, an arm in the plan twice, an arm that the plan does not have,
// an efficiency compared where a case names no usable CPUs, two samples of one arm in one
// round, a round that is warm-up in one part only, a kOk sample without iterations, with a
// batch that took no time, with a negative measure or one that is computed here, usable
// CPUs that are not positive and finite, or the plan's level or margin outside (0, 1).
absl::StatusOr<RunFigures> Analyse(const RunPlan& plan, absl::Span<const Round> rounds);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_ANALYSE_H_
