#include "common/stats/schedule.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "common/stats/rng.h"

namespace benchfleet {
namespace {

// A stream of its own for each purpose and name. Spelled out (FNV-1a, begun from the
// seed) because absl::Hash differs from process to process.
uint64_t DeriveSeed(uint64_t seed, absl::string_view purpose, absl::string_view name) {
  uint64_t hash = SplitMix64(seed).Next();
  const auto add = [&hash](char byte) { hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3; };
  for (char byte : purpose) add(byte);
  add('\0');
  for (char byte : name) add(byte);
  return SplitMix64(hash).Next();
}

std::vector<Order> RandomOrders(int variants, int rounds, uint64_t seed) {
  SplitMix64 rng(seed);
  std::vector<Order> orders;
  orders.reserve(rounds);
  for (int round = 0; round < rounds; ++round) orders.push_back(rng.Permutation(variants));
  return orders;
}

std::vector<Order> WilliamsOrders(int variants, int blocks, uint64_t seed) {
  SplitMix64 rng(seed);
  const std::vector<Order> square = WilliamsSquare(variants);
  std::vector<Order> orders;
  orders.reserve(blocks * square.size());
  for (int block = 0; block < blocks; ++block) {
    const std::vector<int> label = rng.Permutation(variants);
    for (int row : rng.Permutation(static_cast<int>(square.size()))) {
      Order order;
      order.reserve(variants);
      for (int variant : square[row]) order.push_back(label[variant]);
      orders.push_back(std::move(order));
    }
  }
  return orders;
}

// All rounds of one case, warm-up first.
absl::StatusOr<std::vector<Order>> BuildCaseOrders(const RunPlan& plan, const CasePlan& one) {
  const int variants = static_cast<int>(one.variants.size());
  const uint64_t warmup_seed = DeriveSeed(plan.seed, "warmup", one.case_path);
  BF_ASSIGN_OR_RETURN(std::vector<Order> orders,
                      BuildCaseSchedule(Schedule::kRandom, variants, plan.warmup_rounds, warmup_seed));
  const uint64_t seed = DeriveSeed(plan.seed, "measured", one.case_path);
  BF_ASSIGN_OR_RETURN(std::vector<Order> measured, BuildCaseSchedule(plan.schedule, variants, plan.rounds, seed));
  std::move(measured.begin(), measured.end(), std::back_inserter(orders));
  return orders;
}

}  // namespace

bool HasWilliams(int variants) { return (variants >= 2 && variants <= 6) || variants == 8; }

int BlockRounds(int variants) {
  if (variants == 1) return 1;
  return variants % 2 == 0 ? variants : 2 * variants;
}

std::vector<Order> WilliamsSquare(int variants) {
  Order first = {0};
  for (int low = 1, high = variants - 1; low <= high; ++low, --high) {
    first.push_back(low);
    if (low < high) first.push_back(high);
  }
  std::vector<Order> square;
  for (int shift = 0; shift < variants; ++shift) {
    Order row = first;
    for (int& variant : row) variant = (variant + shift) % variants;
    square.push_back(std::move(row));
  }
  // With an odd count only the rows and their mirror images together balance.
  if (variants % 2 == 1) {
    for (int row = 0; row < variants; ++row) square.emplace_back(square[row].rbegin(), square[row].rend());
  }
  return square;
}

absl::StatusOr<std::vector<Order>> BuildCaseSchedule(Schedule schedule, int variants, int rounds, uint64_t seed) {
  if (variants < 1) return absl::InvalidArgumentError(absl::StrCat("variants: must be at least 1, is ", variants));
  if (rounds < 0) return absl::InvalidArgumentError(absl::StrCat("rounds: must not be negative, is ", rounds));
  if (schedule == Schedule::kRandom || variants == 1) return RandomOrders(variants, rounds, seed);
  if (!HasWilliams(variants)) {
    return absl::InvalidArgumentError(absl::StrCat("variants: no Williams schedule for ", variants));
  }
  const int block = BlockRounds(variants);
  if (rounds % block != 0) {
    return absl::InvalidArgumentError(absl::StrCat("rounds: must be a multiple of ", block,
                                                   " for a Williams schedule of ", variants, " variants, is ", rounds));
  }
  return WilliamsOrders(variants, rounds / block, seed);
}

absl::StatusOr<std::vector<std::vector<ScheduledArm>>> BuildRunSchedule(const RunPlan& plan) {
  if (plan.warmup_rounds < 0) {
    return absl::InvalidArgumentError(absl::StrCat("warmup_rounds: must not be negative, is ", plan.warmup_rounds));
  }
  if (plan.rounds < 0) {
    return absl::InvalidArgumentError(absl::StrCat("rounds: must not be negative, is ", plan.rounds));
  }
  std::vector<std::vector<Order>> orders_of_case;
  for (size_t i = 0; i < plan.cases.size(); ++i) {
    absl::StatusOr<std::vector<Order>> orders = BuildCaseOrders(plan, plan.cases[i]);
    if (!orders.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("cases[", i, "] '", plan.cases[i].case_path, "': ", orders.status().message()));
    }
    orders_of_case.push_back(*std::move(orders));
  }
  SplitMix64 case_order(DeriveSeed(plan.seed, "cases", ""));
  std::vector<std::vector<ScheduledArm>> rounds(plan.warmup_rounds + plan.rounds);
  for (size_t round = 0; round < rounds.size(); ++round) {
    for (int case_index : case_order.Permutation(static_cast<int>(plan.cases.size()))) {
      const Order& order = orders_of_case[case_index][round];
      for (size_t slot = 0; slot < order.size(); ++slot) {
        rounds[round].push_back({case_index, order[slot], static_cast<int>(slot)});
      }
    }
  }
  return rounds;
}

}  // namespace benchfleet
