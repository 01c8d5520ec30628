#include "common/stats/analyse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/stats/paired.h"
#include "common/stats/rng.h"
#include "common/stats/summary.h"
#include "tests/common/stats/rounds.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const Arm kLookup = {"epoll/frame.ready", "lookup"};
const Arm kCounted = {"epoll/frame.ready", "counted"};
const Arm kOutside = {"epoll/handle_call.outside_loop", "lookup"};

RunPlan Plan() {
  RunPlan plan;
  plan.warmup_rounds = 1;
  plan.rounds = 6;
  CasePlan ready;
  ready.case_path = kLookup.case_path;
  ready.variants = {kLookup.variant, kCounted.variant};
  CasePlan outside;
  outside.case_path = kOutside.case_path;
  outside.variants = {kOutside.variant};
  plan.cases = {ready, outside};
  plan.comparisons = {{"variant", kLookup, kCounted, "wall"}};
  return plan;
}

// A warm-up round far off and six rounds where the contender takes 1.1 times as long.
std::vector<Round> SixRounds() {
  std::vector<Round> rounds = {MakeRound(0, {OkSample(kLookup, {900000}), OkSample(kCounted, {100})})};
  for (int i = 1; i <= 6; ++i) {
    const int64_t ns = 80000 + 1000 * i;
    rounds.push_back(MakeRound(i, {OkSample(kLookup, {ns}), OkSample(kCounted, {ns / 10 * 11})}));
  }
  return rounds;
}

RunFigures Figures(const RunPlan& plan, const std::vector<Round>& rounds) {
  const auto figures = Analyse(plan, rounds);
  EXPECT_TRUE(figures.ok()) << figures.status();
  return figures.value_or(RunFigures());
}

TEST(AnalyseTest, SummarisesArmsAndComparesThem) {
  const RunFigures figures = Figures(Plan(), SixRounds());
  EXPECT_EQ(figures.rounds, 6);
  EXPECT_EQ(figures.failed_samples, 0);

  ASSERT_EQ(figures.summaries.size(), 2u);
  const Summary& lookup = figures.summaries[0];
  EXPECT_EQ(lookup.arm, kLookup);
  EXPECT_EQ(lookup.measure, "wall");
  EXPECT_EQ(lookup.unit, "seconds");
  EXPECT_EQ(lookup.rounds, 6);
  EXPECT_DOUBLE_EQ(lookup.median, 83.5e-9);
  EXPECT_DOUBLE_EQ(lookup.min, 81e-9);
  EXPECT_DOUBLE_EQ(lookup.max, 86e-9);
  ASSERT_TRUE(lookup.median_interval.has_value());
  EXPECT_EQ(*lookup.median_interval, (Interval{lookup.min, lookup.max}));
  EXPECT_EQ(figures.summaries[1].arm, kCounted);

  ASSERT_EQ(figures.comparisons.size(), 1u);
  const Comparison& comparison = figures.comparisons[0];
  EXPECT_EQ(comparison.kind, "variant");
  EXPECT_EQ(comparison.base, kLookup);
  EXPECT_EQ(comparison.contender, kCounted);
  EXPECT_EQ(comparison.measure, "wall");
  EXPECT_EQ(comparison.rounds, 6);
  EXPECT_DOUBLE_EQ(comparison.ratio.value(), 1.1);
  EXPECT_EQ(comparison.level, 0.95);
  EXPECT_EQ(comparison.verdict, Verdict::kSlower);
  EXPECT_THAT(comparison.notes, IsEmpty());
}

TEST(AnalyseTest, ARoundsValueIsTheMedianBatchPerOperation) {
  const RunFigures figures = Figures(
      Plan(),
      {MakeRound(1, {OkSample(kLookup, {9000, 2000, 4000, 3000}, 10), OkSample(kCounted, {900000, 3000, 1000}, 10)})});
  ASSERT_EQ(figures.summaries.size(), 2u);
  EXPECT_DOUBLE_EQ(figures.summaries[0].median, 350e-9);
  EXPECT_DOUBLE_EQ(figures.summaries[1].median, 300e-9);
}

TEST(AnalyseTest, CountersAreMeansPerOperation) {
  Sample first = OkSample(kLookup, {1000, 1000}, 10);
  first.counters = {{"wakes", 20}, {"polls", 10}};
  Sample second = OkSample(kLookup, {1000, 1000, 1000, 1000}, 10);
  second.counters = {{"wakes", 80}};
  Sample failed = FailedSample(kLookup, SampleOutcome::kBrokenPromise);
  failed.counters = {{"wakes", 1000}};
  Sample warmup = OkSample(kLookup, {1000}, 1);
  warmup.counters = {{"wakes", 1000}};
  const RunFigures figures =
      Figures(Plan(), {MakeRound(0, {warmup}), MakeRound(1, {first}), MakeRound(2, {second}), MakeRound(3, {failed})});
  ASSERT_EQ(figures.summaries.size(), 1u);
  EXPECT_THAT(figures.summaries[0].counters, ElementsAre(Pair("polls", 0.5), Pair("wakes", 1.5)));
}

TEST(AnalyseTest, FailedSamplesCountButHaveNoValue) {
  std::vector<Round> rounds = SixRounds();
  rounds[0].samples[0] = FailedSample(kLookup, SampleOutcome::kFailed);  // warm-up: not counted
  const SampleOutcome outcomes[] = {SampleOutcome::kFailed, SampleOutcome::kSignalled, SampleOutcome::kTimedOut,
                                    SampleOutcome::kBrokenPromise, SampleOutcome::kSkipped};
  for (int i = 0; i < 5; ++i) {
    rounds[i + 1].samples[0] = FailedSample(kLookup, outcomes[i]);
    rounds[i + 1].samples[0].batch_ns = {1};  // whatever it measured before it failed
    rounds[i + 1].samples[0].iterations = 1;
  }
  const RunFigures figures = Figures(Plan(), rounds);
  EXPECT_EQ(figures.rounds, 6);
  EXPECT_EQ(figures.failed_samples, 5);
  ASSERT_EQ(figures.summaries.size(), 2u);
  EXPECT_EQ(figures.summaries[0].rounds, 1);
  EXPECT_DOUBLE_EQ(figures.summaries[0].median, 86e-9);
  EXPECT_EQ(figures.summaries[1].rounds, 6);
  EXPECT_EQ(figures.comparisons[0].rounds, 1);
  EXPECT_THAT(figures.comparisons[0].notes, ElementsAre("too_few_rounds"));
}

TEST(AnalyseTest, ComparesOnlyTheRoundsBothArmsHave) {
  std::vector<Round> rounds = SixRounds();
  // Were rounds paired by position, the ratio would not be 1.1.
  rounds[1].samples.erase(rounds[1].samples.begin());
  rounds[4].samples.pop_back();
  const RunFigures figures = Figures(Plan(), rounds);
  EXPECT_EQ(figures.comparisons[0].rounds, 4);
  EXPECT_DOUBLE_EQ(figures.comparisons[0].ratio.value(), 1.1);
}

TEST(AnalyseTest, WithoutACommonRoundThereIsNoRatio) {
  RunPlan plan = Plan();
  plan.comparisons.push_back({"in_loop_against_outside", kOutside, kLookup, "wall"});
  const RunFigures figures =
      Figures(plan, {MakeRound(1, {OkSample(kLookup, {5000})}), MakeRound(2, {OkSample(kCounted, {5000})})});
  EXPECT_EQ(figures.summaries.size(), 2u) << "an arm without a value has no summary";
  ASSERT_EQ(figures.comparisons.size(), 2u);
  for (const Comparison& comparison : figures.comparisons) {
    EXPECT_EQ(comparison.rounds, 0);
    EXPECT_FALSE(comparison.ratio.has_value());
    EXPECT_FALSE(comparison.ratio_interval.has_value());
    EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
    EXPECT_EQ(comparison.level, plan.level);
    EXPECT_THAT(comparison.notes, ElementsAre("no_common_round"));
  }
  EXPECT_EQ(figures.comparisons[1].kind, "in_loop_against_outside");
}

TEST(AnalyseTest, NoRoundsGiveNoFigures) {
  const RunFigures figures = Figures(Plan(), {});
  EXPECT_EQ(figures.rounds, 0);
  EXPECT_THAT(figures.summaries, IsEmpty());
  EXPECT_EQ(figures.comparisons.size(), 1u);
}

TEST(AnalyseTest, LevelAndMarginAreThePlans) {
  RunPlan plan = Plan();
  plan.margin = 0.2;
  EXPECT_EQ(Figures(plan, SixRounds()).comparisons[0].verdict, Verdict::kSame);
  plan.level = 0.99;
  const RunFigures figures = Figures(plan, SixRounds());
  EXPECT_EQ(figures.comparisons[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(figures.comparisons[0].level, 0.99);
  EXPECT_FALSE(figures.summaries[0].median_interval.has_value());
}

// Fractions whose sum depends on the order of addition, cut into single-sample parts and
// shuffled: the figures must not change in a single bit.
TEST(AnalyseTest, NeitherTheOrderNorTheSplittingOfRoundsMatters) {
  RunPlan plan = Plan();
  plan.comparisons.push_back({"outside", kOutside, kCounted, "wall"});
  plan.comparisons.push_back({"variant", kLookup, kCounted, "efficiency"});
  plan.cases[0].usable_cpus = 1.7;
  SplitMix64 rng(17);
  std::vector<Round> rounds;
  std::vector<Round> parts;
  for (int index = 0; index <= 31; ++index) {
    Round round = MakeRound(index, {});
    for (const Arm& arm : {kLookup, kCounted, kOutside}) {
      std::vector<int64_t> batches;
      for (int batch = 0; batch < 20; ++batch) batches.push_back(200001 + static_cast<int64_t>(rng.Below(50000)));
      Sample sample = OkSample(arm, batches, 2777);
      sample.counters = {{"wakes", static_cast<int64_t>(rng.Below(100000))}};
      sample.measures_ns = {{"cpu", static_cast<int64_t>(rng.Below(1000000))},
                            {"other", static_cast<int64_t>(rng.Below(1000))}};
      if (rng.Below(10) == 0) sample.outcome = SampleOutcome::kTimedOut;
      round.samples.push_back(sample);
      parts.push_back(MakeRound(index, {sample}));
    }
    rounds.push_back(round);
  }
  const RunFigures expected = Figures(plan, rounds);
  ASSERT_EQ(expected.rounds, 31);
  ASSERT_GT(expected.failed_samples, 0);
  ASSERT_EQ(expected.summaries.size(), 11u);
  for (int i = 0; i < 50; ++i) {
    std::vector<Round> shuffled;
    for (int index : rng.Permutation(static_cast<int>(parts.size()))) shuffled.push_back(parts[index]);
    EXPECT_EQ(Figures(plan, shuffled), expected);
  }
}

TEST(AnalyseTest, FiguresComeFromTheFunctionsOfThisFolder) {
  std::vector<double> lookup;
  std::vector<double> counted;
  for (const Round& round : SixRounds()) {
    if (round.warmup) continue;
    lookup.push_back(static_cast<double>(round.samples[0].batch_ns[0]) / 1000 * 1e-9);
    counted.push_back(static_cast<double>(round.samples[1].batch_ns[0]) / 1000 * 1e-9);
  }
  const RunFigures figures = Figures(Plan(), SixRounds());
  EXPECT_EQ(figures.summaries[1].median, Summarise(counted, 0.95)->median);
  EXPECT_EQ(figures.comparisons[0].ratio_interval, ComparePaired(lookup, counted, 0.95, 0.02)->ratio_interval);
}

void ExpectRefused(const RunPlan& plan, const std::vector<Round>& rounds, const std::string& message) {
  const auto figures = Analyse(plan, rounds);
  EXPECT_EQ(figures.status().code(), absl::StatusCode::kInvalidArgument) << message;
  EXPECT_THAT(std::string(figures.status().message()), HasSubstr(message));
}

TEST(AnalyseRefusalTest, SamplesThatHaveNoValue) {
  const std::string where = "round 3, arm 'epoll/frame.ready' 'lookup': ";
  ExpectRefused(Plan(), {MakeRound(3, {OkSample(kLookup, {})})}, where + "batch_ns: must not be empty");
  ExpectRefused(Plan(), {MakeRound(3, {OkSample(kLookup, {5, 0})})}, where + "batch_ns[1]: must be positive");
  ExpectRefused(Plan(), {MakeRound(3, {OkSample(kLookup, {-7, 5})})},
                where + "batch_ns[0]: must be positive and finite, is -7");
  ExpectRefused(Plan(), {MakeRound(3, {OkSample(kLookup, {5}, 0)})}, where + "iterations: must be at least 1, is 0");
  ExpectRefused(Plan(), {MakeRound(3, {OkSample(kLookup, {5}, -2)})}, where + "iterations: must be at least 1, is -2");
}

TEST(AnalyseRefusalTest, ArmsThatThePlanDoesNotHave) {
  const Arm unknown = {"epoll/frame.ready", "socket"};
  ExpectRefused(Plan(), {MakeRound(2, {OkSample(unknown, {5})})},
                "round 2, arm 'epoll/frame.ready' 'socket': is not in the plan");
  ExpectRefused(Plan(), {MakeRound(0, {FailedSample(unknown, SampleOutcome::kFailed)})}, "is not in the plan");
  for (bool as_base : {false, true}) {
    RunPlan plan = Plan();
    plan.comparisons.push_back({"variant", as_base ? unknown : kLookup, as_base ? kLookup : unknown, "wall"});
    ExpectRefused(plan, {}, "comparisons[1]: arm 'epoll/frame.ready' 'socket' is in no case");
  }
}

TEST(AnalyseRefusalTest, TwoSamplesOfOneArmInOneRound) {
  const std::string message = "round 2, arm 'epoll/frame.ready' 'lookup': has two samples";
  const Sample sample = OkSample(kLookup, {5});
  ExpectRefused(Plan(), {MakeRound(2, {sample, sample})}, message);
  ExpectRefused(Plan(), {MakeRound(2, {sample}), MakeRound(1, {sample}), MakeRound(2, {sample})}, message);
  ExpectRefused(Plan(), {MakeRound(2, {sample, FailedSample(kLookup, SampleOutcome::kFailed)})}, message);
}

TEST(AnalyseRefusalTest, PlansThatContradictThemselves) {
  RunPlan twice = Plan();
  twice.cases.push_back(twice.cases[1]);
  ExpectRefused(twice, {}, "cases: has arm 'epoll/handle_call.outside_loop' 'lookup' twice");
  RunPlan level = Plan();
  level.level = 1;
  ExpectRefused(level, {}, "level: must lie between 0 and 1, is 1");
  RunPlan margin = Plan();
  margin.margin = 0;
  ExpectRefused(margin, {}, "margin: must lie between 0 and 1, is 0");
}

TEST(AnalyseRefusalTest, ARoundThatIsWarmupInOnePartOnly) {
  Round part = MakeRound(2, {});
  part.warmup = true;
  ExpectRefused(Plan(), {MakeRound(2, {}), part}, "round 2: is warm-up in one part only");
}

}  // namespace
}  // namespace benchfleet
