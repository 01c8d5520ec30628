// What Analyse() makes of measures beside wall.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/stats/analyse.h"
#include "tests/common/stats/rounds.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int64_t kMillisecond = 1'000'000;

const Arm kThreads = {"gfortran@12.2.0/link/j2", "threads"};
const Arm kSerial = {"gfortran@12.2.0/link/j2", "serial"};
const Arm kElsewhere = {"gcc@12.2.0/link/j2", "threads"};
const Arm kReady = {"epoll/frame.ready", "lookup"};

using Measures = std::map<std::string, int64_t>;

// Two cases of whole passes and one of small operations.
RunPlan Plan() {
  RunPlan plan;
  plan.cases.resize(3);
  plan.cases[0].case_path = kThreads.case_path;
  plan.cases[0].variants = {kThreads.variant, kSerial.variant};
  plan.cases[0].usable_cpus = 2;
  plan.cases[1].case_path = kElsewhere.case_path;
  plan.cases[1].variants = {kElsewhere.variant};
  plan.cases[1].usable_cpus = 2;
  plan.cases[2].case_path = kReady.case_path;
  plan.cases[2].variants = {kReady.variant};
  return plan;
}

Sample Pass(const Arm& arm, int64_t wall_ms, const Measures& measures_ms) {
  Sample sample = OkSample(arm, {wall_ms * kMillisecond}, 1);
  for (const auto& [name, ms] : measures_ms) sample.measures_ns[name] = ms * kMillisecond;
  return sample;
}

RunFigures Figures(const RunPlan& plan, const std::vector<Round>& rounds) {
  const auto figures = Analyse(plan, rounds);
  EXPECT_TRUE(figures.ok()) << figures.status();
  return figures.value_or(RunFigures());
}

bool Has(const RunFigures& figures, const Arm& arm, const std::string& measure) {
  return std::any_of(figures.summaries.begin(), figures.summaries.end(),
                     [&](const Summary& summary) { return summary.arm == arm && summary.measure == measure; });
}

Summary Get(const RunFigures& figures, const Arm& arm, const std::string& measure) {
  EXPECT_TRUE(Has(figures, arm, measure)) << arm.variant << " " << measure;
  for (const Summary& summary : figures.summaries) {
    if (summary.arm == arm && summary.measure == measure) return summary;
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> MeasuresAndUnits(const RunFigures& figures, const Arm& arm) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const Summary& summary : figures.summaries) {
    if (summary.arm == arm) found.emplace_back(summary.measure, summary.unit);
  }
  return found;
}

TEST(MeasuresTest, ComeInAFixedOrderTheUnknownOnesByName) {
  const Measures all = {{"zeta", 1}, {"runner_cpu", 1}, {"longest", 1}, {"launch", 1},
                        {"cpu", 1},  {"overhead", 1},   {"alpha", 1}};
  const RunFigures figures = Figures(Plan(), {MakeRound(1, {Pass(kSerial, 5, {}), Pass(kThreads, 5, all)})});
  ASSERT_EQ(figures.summaries.size(), 11u);
  EXPECT_THAT(MeasuresAndUnits(figures, kThreads),
              ElementsAre(Pair("wall", "seconds"), Pair("cpu", "seconds"), Pair("overhead", "seconds"),
                          Pair("launch", "seconds"), Pair("longest", "seconds"), Pair("runner_cpu", "seconds"),
                          Pair("alpha", "seconds"), Pair("zeta", "seconds"), Pair("efficiency", "ratio")));
  EXPECT_EQ(figures.summaries[0].arm, kThreads) << "arms are in the plan's order";
  EXPECT_EQ(figures.summaries[9].arm, kSerial);
}

TEST(MeasuresTest, AValueIsTheNumberOfTheWholeMeasurement) {
  Sample sample = OkSample(kReady, {2000, 4000, 9000}, 10);
  sample.measures_ns = {{"cpu", 1500}};
  sample.counters = {{"wakes", 60}};
  const RunFigures figures = Figures(Plan(), {MakeRound(1, {sample})});
  ASSERT_EQ(figures.summaries.size(), 2u);
  EXPECT_DOUBLE_EQ(figures.summaries[0].median, 400e-9);
  EXPECT_THAT(figures.summaries[0].counters, ElementsAre(Pair("wakes", 2)));
  EXPECT_DOUBLE_EQ(figures.summaries[1].median, 1500e-9);
  EXPECT_THAT(figures.summaries[1].counters, IsEmpty());
}

TEST(MeasuresTest, EachIsSummarisedOverTheRoundsThatHaveIt) {
  std::vector<Round> rounds = {MakeRound(0, {Pass(kReady, 5, {{"cpu", 1000}})})};  // warm-up
  for (int i = 1; i <= 7; ++i) rounds.push_back(MakeRound(i, {Pass(kReady, 5, {{"cpu", i}, {"launch", 10 * i}})}));
  rounds[2].samples[0].outcome = SampleOutcome::kBrokenPromise;
  rounds[7].samples[0].measures_ns.erase("launch");
  const RunFigures figures = Figures(Plan(), rounds);
  const Summary cpu = Get(figures, kReady, "cpu");
  EXPECT_EQ(cpu.rounds, 6);
  EXPECT_DOUBLE_EQ(cpu.min, 0.001);
  EXPECT_DOUBLE_EQ(cpu.median, 0.0045);
  EXPECT_DOUBLE_EQ(cpu.max, 0.007);
  ASSERT_TRUE(cpu.median_interval.has_value());
  EXPECT_EQ(*cpu.median_interval, (Interval{cpu.min, cpu.max}));
  const Summary launch = Get(figures, kReady, "launch");
  EXPECT_EQ(launch.rounds, 5);
  EXPECT_FALSE(launch.median_interval.has_value());
  EXPECT_EQ(figures.failed_samples, 1);
}

// CPU work too short for its clock.
TEST(MeasuresTest, ZeroIsAValueWithoutARatio) {
  RunPlan plan = Plan();
  plan.comparisons = {{"variant", kSerial, kThreads, "overhead"}, {"variant", kThreads, kSerial, "overhead"}};
  std::vector<Round> rounds;
  for (int i = 1; i <= 7; ++i) {
    const int64_t threads = i == 3 ? 0 : 2 * i;
    rounds.push_back(MakeRound(i, {Pass(kThreads, 5, {{"overhead", threads}}), Pass(kSerial, 5, {{"overhead", i}})}));
  }
  const RunFigures figures = Figures(plan, rounds);
  EXPECT_EQ(Get(figures, kThreads, "overhead").min, 0);
  EXPECT_EQ(Get(figures, kThreads, "overhead").rounds, 7);
  ASSERT_EQ(figures.comparisons.size(), 2u);
  for (const Comparison& comparison : figures.comparisons) EXPECT_EQ(comparison.rounds, 6);
  EXPECT_DOUBLE_EQ(figures.comparisons[0].ratio.value(), 2);
  EXPECT_DOUBLE_EQ(figures.comparisons[1].ratio.value(), 0.5);
}

TEST(MeasuresTest, AComparisonPairsItsMeasureWhereBothArmsHaveIt) {
  RunPlan plan = Plan();
  plan.comparisons = {{"variant", kSerial, kThreads, "cpu"},
                      {"variant", kSerial, kThreads, "wall"},
                      {"variant", kSerial, kThreads, "launch"},
                      {"variant", kSerial, kThreads, "never_seen"}};
  std::vector<Round> rounds;
  for (int i = 1; i <= 8; ++i) {
    rounds.push_back(
        MakeRound(i, {Pass(kThreads, 50, {{"cpu", 30 * i}, {"launch", 1}}), Pass(kSerial, 100, {{"cpu", 20 * i}})}));
  }
  // Were values paired by position, the ratio would not be 1.5.
  rounds[0].samples[0].measures_ns.erase("cpu");
  rounds[5].samples[1].measures_ns.erase("cpu");
  const RunFigures figures = Figures(plan, rounds);
  ASSERT_EQ(figures.comparisons.size(), 4u);
  EXPECT_EQ(figures.comparisons[0].measure, "cpu");
  EXPECT_EQ(figures.comparisons[0].rounds, 6);
  EXPECT_DOUBLE_EQ(figures.comparisons[0].ratio.value(), 1.5);
  EXPECT_EQ(figures.comparisons[0].verdict, Verdict::kSlower);
  EXPECT_EQ(figures.comparisons[1].rounds, 8);
  EXPECT_DOUBLE_EQ(figures.comparisons[1].ratio.value(), 0.5);
  for (int i : {2, 3}) {
    EXPECT_EQ(figures.comparisons[i].rounds, 0);
    EXPECT_FALSE(figures.comparisons[i].ratio.has_value());
    EXPECT_THAT(figures.comparisons[i].notes, ElementsAre("no_common_round"));
  }
}

TEST(EfficiencyTest, IsTheLimitOfTheCaseInThatRoundOverWall) {
  RunPlan plan = Plan();
  plan.comparisons = {{"variant", kSerial, kThreads, "efficiency"}};
  // The other case's passes cost far less: not this case's limit.
  const RunFigures figures =
      Figures(plan, {MakeRound(0, {Pass(kThreads, 1, {{"cpu", 1}})}),  // warm-up
                     MakeRound(1, {Pass(kThreads, 1250, {{"cpu", 2200}}), Pass(kSerial, 2000, {{"cpu", 2000}}),
                                   Pass(kElsewhere, 100, {{"cpu", 100}})}),
                     MakeRound(2, {Pass(kThreads, 2000, {{"cpu", 3000}}), Pass(kSerial, 3000, {{"cpu", 3200}})})});
  const Summary threads = Get(figures, kThreads, "efficiency");
  const Summary serial = Get(figures, kSerial, "efficiency");
  EXPECT_EQ(threads.rounds, 2);
  EXPECT_DOUBLE_EQ(threads.max, 0.8);    // 2000 / 2 / 1250
  EXPECT_DOUBLE_EQ(threads.min, 0.75);   // 3000 / 2 / 2000
  EXPECT_DOUBLE_EQ(serial.median, 0.5);  // in both
  EXPECT_DOUBLE_EQ(Get(figures, kElsewhere, "efficiency").median, 0.5);
  ASSERT_EQ(figures.comparisons.size(), 1u);
  EXPECT_EQ(figures.comparisons[0].rounds, 2);
  EXPECT_DOUBLE_EQ(figures.comparisons[0].ratio.value(), std::sqrt(1.6 * 1.5));
}

TEST(EfficiencyTest, KnowsTheLongestAndTheLaunches) {
  Sample threads = Pass(kThreads, 2000, {{"cpu", 2000}, {"longest", 1500}, {"launch", 40}});
  threads.counters = {{"compiles", 40}};
  Sample serial = Pass(kSerial, 4000, {{"cpu", 2000}, {"longest", 1200}, {"launch", 45}});
  serial.counters = {{"compiles", 40}};
  const auto efficiency = [&] {
    return Get(Figures(Plan(), {MakeRound(1, {threads, serial})}), kThreads, "efficiency").median;
  };
  EXPECT_DOUBLE_EQ(efficiency(), 0.8);  // 40 launches of 40 ms
  threads.measures_ns.erase("launch");
  EXPECT_DOUBLE_EQ(efficiency(), 0.9);  // 40 launches of 45 ms
  serial.measures_ns.erase("launch");
  EXPECT_DOUBLE_EQ(efficiency(), 0.6);  // the longest, 1200 ms
}

TEST(EfficiencyTest, AFailedArmDoesNotSetTheLimit) {
  Sample failed = Pass(kSerial, 20, {{"cpu", 10}});
  failed.outcome = SampleOutcome::kFailed;
  const RunFigures figures = Figures(Plan(), {MakeRound(1, {failed, Pass(kThreads, 1000, {{"cpu", 1000}})})});
  EXPECT_DOUBLE_EQ(Get(figures, kThreads, "efficiency").median, 0.5);
  EXPECT_FALSE(Has(figures, kSerial, "efficiency"));
}

TEST(EfficiencyTest, AnArmWithoutCpuIsHeldAgainstTheOthersWork) {
  const RunFigures figures =
      Figures(Plan(), {MakeRound(1, {Pass(kThreads, 1000, {}), Pass(kSerial, 2000, {{"cpu", 1000}})})});
  EXPECT_DOUBLE_EQ(Get(figures, kThreads, "efficiency").median, 0.5);
}

TEST(EfficiencyTest, IsThereOnlyWhereAnArmHasCpu) {
  const RunFigures none = Figures(Plan(), {MakeRound(1, {Pass(kThreads, 1000, {{"longest", 900}})})});
  EXPECT_FALSE(Has(none, kThreads, "efficiency"));
  const RunFigures second =
      Figures(Plan(), {MakeRound(1, {Pass(kThreads, 1000, {})}), MakeRound(2, {Pass(kThreads, 1000, {{"cpu", 500}})})});
  EXPECT_EQ(Get(second, kThreads, "efficiency").rounds, 1);
}

TEST(EfficiencyTest, IsThereOnlyWhereThePlanKnowsTheCpus) {
  RunPlan plan = Plan();
  plan.cases[0].usable_cpus.reset();
  const RunFigures figures =
      Figures(plan, {MakeRound(1, {Pass(kThreads, 1000, {{"cpu", 1000}}), Pass(kElsewhere, 1000, {{"cpu", 1000}})})});
  EXPECT_FALSE(Has(figures, kThreads, "efficiency"));
  EXPECT_TRUE(Has(figures, kElsewhere, "efficiency"));
}

void ExpectRefused(const RunPlan& plan, const std::vector<Round>& rounds, const std::string& message) {
  const auto figures = Analyse(plan, rounds);
  EXPECT_EQ(figures.status().code(), absl::StatusCode::kInvalidArgument) << message;
  EXPECT_THAT(std::string(figures.status().message()), HasSubstr(message));
}

TEST(MeasureRefusalTest, AnEfficiencyThatNobodyCanCompute) {
  const std::string message =
      "comparisons[0].measure: arm 'epoll/frame.ready' 'lookup' has no 'efficiency': its case names no usable_cpus";
  for (bool as_base : {false, true}) {
    RunPlan plan = Plan();
    plan.comparisons = {{"odd", as_base ? kReady : kThreads, as_base ? kThreads : kReady, "efficiency"}};
    ExpectRefused(plan, {}, message);
  }
}

TEST(MeasureRefusalTest, MeasuresThatCannotBe) {
  const struct {
    Measures measures_ms;
    const char* message;
  } cases[] = {
      {{{"cpu", -1}},
       "round 3, arm 'epoll/frame.ready' 'lookup': measures_ns['cpu']: must not be negative, is -1000000"},
      {{{"wall", 5}}, "measures_ns: 'wall' is computed, not measured"},
      {{{"efficiency", 5}}, "measures_ns: 'efficiency' is computed, not measured"},
  };
  for (const auto& c : cases) ExpectRefused(Plan(), {MakeRound(3, {Pass(kReady, 5, c.measures_ms)})}, c.message);
}

TEST(MeasureRefusalTest, UsableCpusThatCannotBe) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (double cpus : {0.0, -1.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    RunPlan plan = Plan();
    plan.cases[1].usable_cpus = cpus;
    ExpectRefused(plan, {}, "cases[1].usable_cpus: must be positive and finite, is ");
  }
  RunPlan plan = Plan();
  plan.cases[0].usable_cpus = std::numeric_limits<double>::denorm_min();
  ExpectRefused(plan, {MakeRound(1, {Pass(kThreads, 1, {{"cpu", 1}})})},
                "round 1, arm 'gfortran@12.2.0/link/j2' 'threads': efficiency: must be finite");
}

}  // namespace
}  // namespace benchfleet
