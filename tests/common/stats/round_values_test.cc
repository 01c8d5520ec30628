#include "common/stats/round_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/stats/analyse.h"
#include "common/stats/rng.h"
#include "common/stats/summary.h"
#include "tests/common/stats/rounds.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;

const Arm kThreads = {"gcc@12.2.0/link/j2", "threads"};
const Arm kSerial = {"gcc@12.2.0/link/j2", "serial"};

RunPlan Plan() {
  RunPlan plan;
  CasePlan one;
  one.case_path = kThreads.case_path;
  one.variants = {kThreads.variant, kSerial.variant, "never"};
  one.usable_cpus = 1.3;
  plan.cases = {one};
  return plan;
}

Sample RandomPass(const Arm& arm, SplitMix64& rng) {
  const auto draw = [&rng](int64_t least) { return least + static_cast<int64_t>(rng.Below(70'000'001)); };
  Sample sample = OkSample(arm, {draw(900'000'000), draw(900'000'000)}, 3);
  sample.measures_ns = {{"cpu", draw(500'000'000)}, {"launch", draw(1'000)}, {"other", draw(0)}};
  sample.counters = {{"compiles", 48}};
  if (rng.Below(6) == 0) sample.outcome = SampleOutcome::kTimedOut;
  if (rng.Below(4) == 0) sample.measures_ns.erase("other");
  return sample;
}

// 23 measured rounds and the warm-up, in no order.
std::vector<Round> RandomRounds() {
  SplitMix64 rng(5);
  std::vector<Round> rounds;
  for (int index : rng.Permutation(24)) {
    rounds.push_back(MakeRound(index, {RandomPass(kSerial, rng), RandomPass(kThreads, rng)}));
  }
  return rounds;
}

TEST(RoundValuesTest, AreTheVeryOnesThatWereSummarised) {
  const RunPlan plan = Plan();
  const std::vector<Round> rounds = RandomRounds();
  const auto values = ValuesOfRounds(plan, rounds);
  const auto figures = Analyse(plan, rounds);
  ASSERT_TRUE(values.ok()) << values.status();
  ASSERT_TRUE(figures.ok()) << figures.status();
  ASSERT_GT(figures->failed_samples, 0);
  ASSERT_EQ(values->size(), 10u);  // wall, cpu, launch, other, efficiency of two arms
  ASSERT_EQ(figures->summaries.size(), values->size());
  for (size_t i = 0; i < values->size(); ++i) {
    const RoundValues& one = (*values)[i];
    const Summary& want = figures->summaries[i];
    auto summary = Summarise(one.values, plan.level);
    ASSERT_TRUE(summary.ok()) << summary.status();
    summary->arm = one.arm;
    summary->measure = one.measure;
    summary->unit = want.unit;
    summary->counters = want.counters;
    EXPECT_EQ(*summary, want) << one.arm.variant << " " << one.measure;
  }
}

TEST(RoundValuesTest, StandBesideTheirRounds) {
  const auto pass = [](int64_t wall_ns, int64_t cpu_ns) {
    Sample sample = OkSample(kThreads, {wall_ns}, 1);
    if (cpu_ns > 0) sample.measures_ns = {{"cpu", cpu_ns}};
    return sample;
  };
  const auto values = ValuesOfRounds(
      Plan(), {MakeRound(4, {pass(4000, 0)}), MakeRound(1, {pass(1000, 650)}), MakeRound(0, {pass(1, 1)}),
               MakeRound(3, {FailedSample(kThreads, SampleOutcome::kFailed)}), MakeRound(2, {pass(2000, 2600)})});
  ASSERT_TRUE(values.ok()) << values.status();
  ASSERT_EQ(values->size(), 3u);
  EXPECT_EQ((*values)[0].arm, kThreads);
  EXPECT_EQ((*values)[0].measure, "wall");
  EXPECT_THAT((*values)[0].rounds, ElementsAre(1, 2, 4));
  EXPECT_THAT((*values)[0].values, ElementsAre(1000 * 1e-9, 2000 * 1e-9, 4000 * 1e-9));
  EXPECT_EQ((*values)[1].measure, "cpu");
  EXPECT_THAT((*values)[1].rounds, ElementsAre(1, 2));
  EXPECT_THAT((*values)[1].values, ElementsAre(650 * 1e-9, 2600 * 1e-9));
  EXPECT_EQ((*values)[2].measure, "efficiency");
  EXPECT_THAT((*values)[2].rounds, ElementsAre(1, 2));
  EXPECT_DOUBLE_EQ((*values)[2].values[0], 0.5);
  EXPECT_DOUBLE_EQ((*values)[2].values[1], 1);
}

TEST(RoundValuesTest, NoRoundsGiveNoValues) {
  const auto values = ValuesOfRounds(Plan(), {});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_TRUE(values->empty());
}

TEST(RoundValuesTest, WhatAnalyseRefusesHasNoValues) {
  RunPlan level = Plan();
  level.level = 0;
  RunPlan margin = Plan();
  margin.margin = 1;
  RunPlan twice = Plan();
  twice.cases.push_back(twice.cases[0]);
  RunPlan comparison = Plan();
  comparison.comparisons = {{"variant", kThreads, {"nowhere", "threads"}, "wall"}};
  RunPlan efficiency = Plan();
  efficiency.cases[0].usable_cpus.reset();
  efficiency.comparisons = {{"variant", kThreads, kSerial, "efficiency"}};
  const Sample ok = OkSample(kThreads, {5});
  const struct {
    RunPlan plan;
    std::vector<Round> rounds;
  } cases[] = {
      {level, {}},
      {margin, {}},
      {twice, {}},
      {comparison, {}},
      {efficiency, {}},
      {Plan(), {MakeRound(1, {ok, ok})}},
      {Plan(), {MakeRound(1, {OkSample(kThreads, {0})})}},
  };
  for (const auto& c : cases) {
    const auto values = ValuesOfRounds(c.plan, c.rounds);
    EXPECT_EQ(values.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(values.status(), Analyse(c.plan, c.rounds).status());
  }
}

}  // namespace
}  // namespace benchfleet
