#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/stats/schedule.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using Rounds = std::vector<std::vector<ScheduledArm>>;

RunPlan Plan(Schedule schedule, int rounds, std::vector<std::pair<std::string, int>> cases) {
  RunPlan plan;
  plan.seed = 7;
  plan.schedule = schedule;
  plan.warmup_rounds = 1;
  plan.rounds = rounds;
  for (auto& [path, variants] : cases) {
    CasePlan one;
    one.case_path = path;
    for (int i = 0; i < variants; ++i) one.variants.push_back(absl::StrCat("v", i));
    plan.cases.push_back(one);
  }
  return plan;
}

Rounds Build(const RunPlan& plan) {
  const auto rounds = BuildRunSchedule(plan);
  EXPECT_TRUE(rounds.ok()) << rounds.status();
  return rounds.value_or(Rounds());
}

// The order of variants of each round, for one case.
std::vector<Order> OrdersOf(const Rounds& rounds, int case_index) {
  std::vector<Order> orders;
  for (const auto& round : rounds) {
    Order order;
    for (const ScheduledArm& arm : round) {
      if (arm.case_index == case_index) order.push_back(arm.variant_index);
    }
    orders.push_back(order);
  }
  return orders;
}

std::vector<int> CaseOrder(const std::vector<ScheduledArm>& round) {
  std::vector<int> order;
  for (const ScheduledArm& arm : round) {
    if (arm.slot == 0) order.push_back(arm.case_index);
  }
  return order;
}

TEST(RunScheduleTest, EveryRoundHoldsEveryArmOnceCaseByCase) {
  const RunPlan plan = Plan(Schedule::kRandom, 9, {{"a", 3}, {"b", 1}, {"c", 7}});
  const Rounds rounds = Build(plan);
  ASSERT_EQ(rounds.size(), 10u);
  for (const auto& round : rounds) {
    std::set<std::pair<int, int>> arms;
    std::set<int> finished_cases;
    for (size_t i = 0; i < round.size(); ++i) {
      arms.insert({round[i].case_index, round[i].variant_index});
      const bool continues = i > 0 && round[i].case_index == round[i - 1].case_index;
      EXPECT_EQ(round[i].slot, continues ? round[i - 1].slot + 1 : 0);
      if (!continues) {
        EXPECT_TRUE(finished_cases.insert(round[i].case_index).second) << "a case comes in two parts";
      }
    }
    EXPECT_EQ(arms.size(), 11u);
    EXPECT_EQ(round.size(), 11u);
  }
}

TEST(RunScheduleTest, MeasuredRoundsAreBalancedBlocksBehindTheWarmup) {
  RunPlan plan = Plan(Schedule::kWilliams, 12, {{"a", 3}, {"b", 2}, {"c", 1}});
  plan.warmup_rounds = 2;
  const Rounds rounds = Build(plan);
  ASSERT_EQ(rounds.size(), 14u);
  for (int case_index : {0, 1}) {
    const int variants = static_cast<int>(plan.cases[case_index].variants.size());
    const std::vector<Order> orders = OrdersOf(rounds, case_index);
    std::map<std::pair<int, int>, int> at_position;
    for (size_t round = 2; round < 14; ++round) {
      for (int slot = 0; slot < variants; ++slot) ++at_position[{orders[round][slot], slot}];
    }
    EXPECT_EQ(static_cast<int>(at_position.size()), variants * variants);
    for (const auto& [key, count] : at_position) EXPECT_EQ(count, 12 / variants);
  }
}

TEST(RunScheduleTest, AnotherCaseDoesNotChangeTheOrdersOfTheOthers) {
  const Rounds without = Build(Plan(Schedule::kWilliams, 12, {{"a", 3}, {"c", 4}}));
  const Rounds with = Build(Plan(Schedule::kWilliams, 12, {{"b", 6}, {"a", 3}, {"c", 4}}));
  EXPECT_EQ(OrdersOf(without, 0), OrdersOf(with, 1));
  EXPECT_EQ(OrdersOf(without, 1), OrdersOf(with, 2));
}

TEST(RunScheduleTest, MoreWarmupDoesNotChangeTheMeasuredRounds) {
  RunPlan plan = Plan(Schedule::kWilliams, 12, {{"a", 4}});
  const std::vector<Order> once = OrdersOf(Build(plan), 0);
  plan.warmup_rounds = 3;
  const std::vector<Order> thrice = OrdersOf(Build(plan), 0);
  EXPECT_EQ(std::vector<Order>(once.begin() + 1, once.end()), std::vector<Order>(thrice.begin() + 3, thrice.end()));
}

TEST(RunScheduleTest, CasesAndWarmupAreOrderedIndependentlyOfEachOther) {
  RunPlan plan = Plan(Schedule::kRandom, 20, {{"a", 5}, {"b", 5}});
  plan.warmup_rounds = 20;
  std::set<std::vector<Order>> sequences;
  for (int case_index : {0, 1}) {
    const std::vector<Order> orders = OrdersOf(Build(plan), case_index);
    sequences.insert(std::vector<Order>(orders.begin(), orders.begin() + 20));
    sequences.insert(std::vector<Order>(orders.begin() + 20, orders.end()));
  }
  EXPECT_EQ(sequences.size(), 4u);
}

TEST(RunScheduleTest, TheOrderOfCasesIsPermutedEveryRound) {
  const Rounds rounds = Build(Plan(Schedule::kRandom, 600, {{"a", 2}, {"b", 2}, {"c", 2}}));
  std::map<std::vector<int>, int> counts;
  for (const auto& round : rounds) ++counts[CaseOrder(round)];
  EXPECT_EQ(counts.size(), 6u);
  // Five standard deviations of Bin(601, 1/6).
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 100, 46);
}

TEST(RunScheduleTest, TheSeedDecides) {
  RunPlan plan = Plan(Schedule::kWilliams, 12, {{"a", 4}, {"b", 3}});
  const Rounds rounds = Build(plan);
  EXPECT_EQ(Build(plan), rounds);
  plan.seed = 8;
  EXPECT_NE(Build(plan), rounds);
}

// A stored plan must give the same order in every later version.
TEST(RunScheduleTest, StaysAsItWas) {
  RunPlan plan = Plan(Schedule::kWilliams, 4, {{"epoll/frame.ready", 4}, {"epoll/frame.woken.same_thread", 2}});
  const Rounds rounds = Build(plan);
  std::string text;
  for (const auto& round : rounds) {
    for (const ScheduledArm& arm : round) absl::StrAppend(&text, arm.case_index, ":", arm.variant_index, " ");
    text.back() = '\n';
  }
  EXPECT_EQ(text,
            "1:1 1:0 0:1 0:3 0:0 0:2\n"
            "0:1 0:3 0:0 0:2 1:1 1:0\n"
            "0:0 0:1 0:2 0:3 1:0 1:1\n"
            "0:2 0:0 0:3 0:1 1:1 1:0\n"
            "0:3 0:2 0:1 0:0 1:0 1:1\n");
}

TEST(RunScheduleTest, NoRoundsAndNoCasesAreNoError) {
  RunPlan plan = Plan(Schedule::kWilliams, 0, {{"a", 3}});
  plan.warmup_rounds = 0;
  EXPECT_TRUE(Build(plan).empty());
  EXPECT_EQ(Build(Plan(Schedule::kRandom, 2, {})), Rounds(3));
}

// As many variants as a plan may have, beside cases of other sizes.
TEST(RunScheduleTest, ManyVariantsAndCasesAreOrderedAtRandom) {
  for (int variants : {9, 16, 64}) {
    SCOPED_TRACE(variants);
    std::vector<std::pair<std::string, int>> cases = {{"many", variants}};
    for (int i = 0; i < 63; ++i) cases.push_back({absl::StrCat("case", i), 1 + i % 8});
    const Rounds rounds = Build(Plan(Schedule::kRandom, 8, cases));
    ASSERT_EQ(rounds.size(), 9u);
    std::set<Order> orders;
    for (const Order& order : OrdersOf(rounds, 0)) {
      EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), static_cast<size_t>(variants));
      EXPECT_EQ(order.size(), static_cast<size_t>(variants));
      orders.insert(order);
    }
    EXPECT_EQ(orders.size(), 9u) << "each round has an order of its own";
    for (const auto& round : rounds) EXPECT_EQ(CaseOrder(round).size(), 64u);
  }
}

TEST(RunScheduleTest, RefusalsNameTheCase) {
  struct {
    RunPlan plan;
    const char* message;
  } const cases[] = {
      {Plan(Schedule::kWilliams, 12, {{"a", 2}, {"b", 5}}), "cases[1] 'b': rounds: must be a multiple of 10"},
      {Plan(Schedule::kWilliams, 14, {{"a", 7}}), "cases[0] 'a': variants: no Williams schedule for 7"},
      {Plan(Schedule::kWilliams, 64, {{"a", 64}}), "cases[0] 'a': variants: no Williams schedule for 64"},
      {Plan(Schedule::kRandom, 9, {{"a", 0}}), "cases[0] 'a': variants: must be at least 1, is 0"},
      {Plan(Schedule::kRandom, -1, {{"a", 1}}), "rounds: must not be negative, is -1"},
      {Plan(Schedule::kRandom, -3, {}), "rounds: must not be negative, is -3"},
  };
  for (const auto& c : cases) {
    const auto rounds = BuildRunSchedule(c.plan);
    EXPECT_EQ(rounds.status().code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_THAT(std::string(rounds.status().message()), HasSubstr(c.message));
  }
  RunPlan plan = Plan(Schedule::kRandom, 3, {{"a", 1}});
  plan.warmup_rounds = -2;
  EXPECT_THAT(std::string(BuildRunSchedule(plan).status().message()),
              HasSubstr("warmup_rounds: must not be negative, is -2"));
}

}  // namespace
}  // namespace benchfleet
