// How many rounds a run shall have, and in which kind of order; pure.
#ifndef BENCHFLEET_WORKER_CORE_ROUND_BUDGET_H_
#define BENCHFLEET_WORKER_CORE_ROUND_BUDGET_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/model/plan.h"

namespace benchfleet {

struct RoundChoice {
  int rounds = 1;
  Schedule schedule = Schedule::kRandom;
  std::string warning;  // for a person; empty when there is none
  friend bool operator==(const RoundChoice&, const RoundChoice&) = default;
};

// The rounds after which every case of those sizes has seen whole Williams blocks;
// nullopt when one has no square or it would take more than kMaxBudgetRounds.
std::optional<int> CommonBlock(const std::vector<int>& variants_of_cases);

// A fixed count: Williams when it is whole blocks.
RoundChoice ChooseForFixedRounds(int rounds, const std::vector<int>& variants_of_cases);

// As many whole blocks as fit `left`, which is what the budget holds after warm-up; when
// not one block fits, or there is none, as many rounds in random order as fit. At least
// 1, at most kMaxBudgetRounds.
RoundChoice ChooseForBudget(absl::Duration left, absl::Duration expected_round,
                            const std::vector<int>& variants_of_cases);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_CORE_ROUND_BUDGET_H_
