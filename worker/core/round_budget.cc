#include "worker/core/round_budget.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "common/model/job_spec.h"
#include "common/stats/schedule.h"

namespace benchfleet {
namespace {

int RoundsThatFit(absl::Duration left, absl::Duration expected_round) {
  if (left <= absl::ZeroDuration()) return 0;
  if (expected_round <= absl::ZeroDuration()) return kMaxBudgetRounds;
  absl::Duration rest;
  const int64_t fit = absl::IDivDuration(left, expected_round, &rest);
  return static_cast<int>(std::min<int64_t>(fit, kMaxBudgetRounds));
}

std::optional<int> WholeBlocks(const std::vector<int>& variants_of_cases, int most) {
  int common = 1;
  for (const int variants : variants_of_cases) {
    if (variants > 1 && !HasWilliams(variants)) return std::nullopt;
    common = std::lcm(common, BlockRounds(variants));
    if (common > most) return std::nullopt;
  }
  return common;
}

}  // namespace

std::optional<int> CommonBlock(const std::vector<int>& variants_of_cases) {
  return WholeBlocks(variants_of_cases, kMaxBudgetRounds);
}

RoundChoice ChooseForFixedRounds(int rounds, const std::vector<int>& variants_of_cases) {
  const std::optional<int> block = WholeBlocks(variants_of_cases, rounds);
  const bool whole = block.has_value() && rounds % *block == 0;
  return {rounds, whole ? Schedule::kWilliams : Schedule::kRandom, ""};
}

RoundChoice ChooseForBudget(absl::Duration left, absl::Duration expected_round,
                            const std::vector<int>& variants_of_cases) {
  const int fit = RoundsThatFit(left, expected_round);
  const std::optional<int> block = CommonBlock(variants_of_cases);
  if (block.has_value() && fit >= *block) return {fit - fit % *block, Schedule::kWilliams, ""};
  RoundChoice choice{std::max(fit, 1), Schedule::kRandom, ""};
  if (block.has_value()) {
    choice.warning = absl::StrCat("the budget does not hold a balanced block of ", *block, " rounds of ",
                                  absl::FormatDuration(expected_round), " each: measuring ", choice.rounds,
                                  choice.rounds == 1 ? " round" : " rounds", " in random order");
  }
  return choice;
}

}  // namespace benchfleet
