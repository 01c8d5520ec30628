// In which order arms are measured.
//
// A Williams design balances, within each block of rounds, the position of every variant
// and what every variant directly follows: a variant that leaves dirt behind burdens all
// others alike. A random schedule, one uniform permutation per round, does so on average.
#ifndef BENCHFLEET_COMMON_STATS_SCHEDULE_H_
#define BENCHFLEET_COMMON_STATS_SCHEDULE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "common/model/plan.h"

namespace benchfleet {

// Variant indices in the order of measurement.
using Order = std::vector<int>;

// Whether Schedule::kWilliams may be used: 2 to 6 and 8 variants. The block of 7 (14
// rounds) and those beyond 8 are too long for the rounds a run has.
bool HasWilliams(int variants);

// Rounds that balance: V for even V, 2V for odd V; 1 for a single variant.
int BlockRounds(int variants);

// The square as constructed, BlockRounds orders. `variants` is at least 2.
std::vector<Order> WilliamsSquare(int variants);

// One order per round. kWilliams: the square of each block, relabelled and row-shuffled
// from `seed`; a single variant has only one order.
//
// Errors: kInvalidArgument, no variant, negative rounds, or kWilliams without a square
// for `variants` or with rounds that are not whole blocks.
absl::StatusOr<std::vector<Order>> BuildCaseSchedule(Schedule schedule, int variants, int rounds, uint64_t seed);

struct ScheduledArm {
  int case_index = 0;     // in plan.cases
  int variant_index = 0;  // in that case's variants
  int slot = 0;           // position within the case's round
  friend bool operator==(const ScheduledArm&, const ScheduledArm&) = default;
};

// All arms of the run in the order of measurement, one entry per round, warm-up rounds
// (always in random order) first. A case's orders depend on the plan's seed and the
// case's path alone, so another case more or less does not change them; the order of
// cases is permuted anew every round.
//
// Errors: kInvalidArgument names the field, as for BuildCaseSchedule.
absl::StatusOr<std::vector<std::vector<ScheduledArm>>> BuildRunSchedule(const RunPlan& plan);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_SCHEDULE_H_
