// Runs whose measurements are one long operation each.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host_probe.h"
#include "tests/fakes/fake_subject.h"
#include "tests/fakes/recording_sample_sink.h"
#include "worker/core/round_runner.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Arm kThreads = {"gfortran@12.2.0/link/j2", "threads"};
const Arm kSerial = {"gfortran@12.2.0/link/j2", "serial"};

std::vector<SubjectCase> Cases() {
  return {{"gfortran@12.2.0/link/j2", {"threads", "serial"}, {"sk1:1", {}}, true, 1.5},
          {"gcc@12.2.0/link/j2", {"threads", "serial", "asyncio@3.11.2"}, {"sk1:2", {}}, true, 2.0}};
}

class WholeOperationTest : public testing::Test {
 protected:
  WholeOperationTest() {
    request_.suite = "compile";
    request_.method.rounds = 2;
    request_.method.seed = 42;
    request_.method.round_timeout = absl::Minutes(10);
    request_.method.budget = absl::Minutes(30);
    subject_.cost = absl::Seconds(2);
    subject_.start_cost = absl::Seconds(1);
  }

  RunEnd Go() { return RunRounds(request_, subject_, host_, clock_, sink_, cancelled_); }

  RunRequest request_;
  FakeClock clock_;
  FakeHostProbe host_;
  FakeSubject subject_{clock_, Cases()};
  RecordingSampleSink sink_;
  std::atomic<bool> cancelled_ = false;
};

TEST_F(WholeOperationTest, EveryArmIsTriedOnceInsteadOfCalibrated) {
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(end.detail, "");
  EXPECT_THAT(sink_.progress,
              ElementsAre("trying gfortran@12.2.0/link/j2 threads", "trying gfortran@12.2.0/link/j2 serial",
                          "trying gcc@12.2.0/link/j2 threads", "trying gcc@12.2.0/link/j2 serial",
                          "trying gcc@12.2.0/link/j2 asyncio@3.11.2"));
  EXPECT_THAT(sink_.events, ElementsAre("progress", "progress", "progress", "progress", "progress", "plan", "round 0",
                                        "round 1", "round 2"));
  EXPECT_EQ(subject_.requests.size(), 4 * 5u);  // trial, warm-up, two rounds
  for (const MeasureRequest& request : subject_.requests) {
    EXPECT_EQ(request.iterations, 1);
    EXPECT_EQ(request.batches, 1);
  }
}

TEST_F(WholeOperationTest, ThePlanKnowsTheCpusAndTheCapabilities) {
  subject_.found_capabilities = {{"gfortran", "12.2.0", "link", "f2008block", CompileOutcome::kAccepted},
                                 {"gfortran", "12.2.0", "link", "f2023rank", CompileOutcome::kRefused}};
  subject_.cost_of = {{kSerial, absl::Seconds(7)}};
  Go();
  ASSERT_TRUE(sink_.plan.has_value());
  const RunPlan& plan = *sink_.plan;
  EXPECT_EQ(plan.capabilities, subject_.found_capabilities);
  ASSERT_EQ(plan.cases.size(), 2u);
  EXPECT_EQ(plan.cases[0].usable_cpus, 1.5);
  EXPECT_EQ(plan.cases[1].usable_cpus, 2.0);
  for (const CasePlan& one : plan.cases) {
    EXPECT_EQ(one.iterations, 1);
    EXPECT_EQ(one.batches, 1);
  }
  EXPECT_EQ(plan.cases[0].subject_key.digest, "sk1:1");
  EXPECT_THAT(plan.cases[1].variants, ElementsAre("threads", "serial", "asyncio@3.11.2"));
  EXPECT_EQ(plan.expected_round, absl::Seconds(5 * 1 + 4 * 2 + 7));
}

TEST_F(WholeOperationTest, BesideCasesOfSmallOperations) {
  FakeSubject mixed(clock_, {{"loop/one", {"base", "other"}, {}}, Cases()[0]});
  mixed.cost_of = {{kThreads, absl::Seconds(2)}, {kSerial, absl::Seconds(3)}};
  EXPECT_EQ(RunRounds(request_, mixed, host_, clock_, sink_, cancelled_).end, AttemptEnd::kSucceeded);
  EXPECT_THAT(sink_.progress, ElementsAre("calibrating loop/one", "trying gfortran@12.2.0/link/j2 threads",
                                          "trying gfortran@12.2.0/link/j2 serial"));
  EXPECT_EQ(sink_.plan->cases[0].batches, kBatches);
  EXPECT_GT(sink_.plan->cases[0].iterations, 1);
  EXPECT_FALSE(sink_.plan->cases[0].usable_cpus.has_value());
  EXPECT_EQ(sink_.plan->cases[1].batches, 1);
}

TEST_F(WholeOperationTest, ATrialThatFailsOnceIsRepeatedAndItsTimeNotExpected) {
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.arm != kSerial || subject_.requests.size() != 2) return;
    sample.outcome = SampleOutcome::kFailed;
    sample.elapsed = absl::Seconds(100);
  };
  EXPECT_EQ(Go().end, AttemptEnd::kSucceeded);
  EXPECT_EQ(subject_.requests.size(), 4 * 5 + 1u);
  EXPECT_EQ(sink_.plan->expected_round, absl::Seconds(15));
}

TEST_F(WholeOperationTest, ATrialThatFailsTwiceFailsTheRunBeforeThePlan) {
  subject_.script = [](const MeasureRequest& request, Sample& sample) {
    if (request.arm != kSerial) return;
    sample.outcome = SampleOutcome::kFailed;
    sample.failure = "f2008block: refused, expected accepted";
    sample.output = "Error: Unclassifiable statement";
  };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail,
            "trial failed: gfortran@12.2.0/link/j2 serial: failed: f2008block: refused, expected accepted; output: "
            "Error: Unclassifiable statement");
  EXPECT_FALSE(sink_.plan.has_value());
  EXPECT_EQ(subject_.requests.size(), 3u);
}

TEST_F(WholeOperationTest, CancelDuringATrial) {
  subject_.script = [&](const MeasureRequest&, Sample&) { cancelled_ = true; };
  EXPECT_EQ(Go().end, AttemptEnd::kCancelled);
  EXPECT_EQ(subject_.requests.size(), 1u);
}

// Five trials of 3 s each.
struct BudgetCase {
  const char* name;
  absl::Duration budget;
  size_t trials;
  const char* detail;
};

class TrialBudgetTest : public WholeOperationTest, public testing::WithParamInterface<BudgetCase> {};

TEST_P(TrialBudgetTest, EndsTheRunWhereItIsUsedUp) {
  request_.method.budget = GetParam().budget;
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail, GetParam().detail);
  EXPECT_EQ(sink_.progress.size(), GetParam().trials);
  EXPECT_EQ(subject_.requests.size(), GetParam().trials);
  EXPECT_FALSE(sink_.plan.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    All, TrialBudgetTest,
    testing::ValuesIn<BudgetCase>({
        {"InTheFirst", absl::Seconds(1), 1,
         "no round was measured: the budget of 1s was used up when 1 of 5 arms were tried; ask for fewer or for more "
         "time"},
        {"WithTheSecond", absl::Seconds(6), 2,
         "no round was measured: the budget of 6s was used up when 2 of 5 arms were tried; ask for fewer or for more "
         "time"},
        {"InTheSecondCase", absl::Milliseconds(6001), 3,
         "no round was measured: the budget of 6.001s was used up when 3 of 5 arms were tried; ask for fewer or for "
         "more time"},
        {"WithTheLast", absl::Seconds(15), 5,
         "no round was measured: the budget of 15s was used up when 5 of 5 arms were tried; ask for fewer or for more "
         "time"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(WholeOperationTest, ABudgetForOneRoundBehindTrialAndWarmupMeasuresIt) {
  request_.method.rounds.reset();
  request_.method.budget = absl::Seconds(3 * 15);
  EXPECT_EQ(Go().end, AttemptEnd::kSucceeded);
  EXPECT_EQ(sink_.plan->rounds, 1);
  EXPECT_EQ(sink_.rounds.size(), 2u);
}

TEST_F(WholeOperationTest, TheBudgetIsFilledAtRandomWhereThereIsNoSquare) {
  request_.method.rounds.reset();
  std::vector<std::string> variants;
  for (int i = 0; i < 16; ++i) variants.push_back(absl::StrCat("v", i));
  FakeSubject many(clock_, {{"gcc@12.2.0/link/j2", variants, {}, true, 2.0}});
  many.cost = absl::Seconds(1);
  many.start_cost = absl::ZeroDuration();
  request_.method.budget = absl::Seconds(16 * 9);
  EXPECT_EQ(RunRounds(request_, many, host_, clock_, sink_, cancelled_).end, AttemptEnd::kSucceeded);
  EXPECT_EQ(sink_.plan->schedule, Schedule::kRandom);
  EXPECT_EQ(sink_.plan->rounds, 7);
  ASSERT_EQ(sink_.rounds.size(), 8u);
  for (const Round& round : sink_.rounds) {
    std::set<Arm> arms;
    for (const Sample& sample : round.samples) arms.insert(sample.arm);
    EXPECT_EQ(arms.size(), 16u);
  }
}

// A pass has less time than a round: what it overruns is its own.
TEST_F(WholeOperationTest, AnArmThatTimesOutOfItselfLeavesTheRoundToTheOthers) {
  request_.method.rounds = 6;
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.arm != kThreads || sink_.rounds.size() != 2) return;
    sample.outcome = SampleOutcome::kTimedOut;
    sample.failure = "killed after 2m";
    sample.batch_ns.clear();
  };
  EXPECT_EQ(Go().end, AttemptEnd::kSucceeded);
  ASSERT_EQ(sink_.rounds.size(), 7u);
  ASSERT_EQ(sink_.rounds[2].samples.size(), 5u);
  for (const Sample& sample : sink_.rounds[2].samples) {
    const bool late = sample.arm == kThreads;
    EXPECT_EQ(sample.outcome, late ? SampleOutcome::kTimedOut : SampleOutcome::kOk) << sample.arm.variant;
  }
}

// The clock alone decides, whatever became of the arm that used the time up.
TEST_F(WholeOperationTest, WhenTheRoundsTimeIsOverTheRestIsSkipped) {
  request_.method.rounds = 1;
  for (const SampleOutcome outcome : {SampleOutcome::kOk, SampleOutcome::kFailed, SampleOutcome::kTimedOut}) {
    for (const absl::Duration early : {absl::ZeroDuration(), absl::Nanoseconds(1)}) {
      RecordingSampleSink sink;
      int in_round = 0;
      subject_.script = [&](const MeasureRequest& request, Sample& sample) {
        if (sink.rounds.size() != 1 || ++in_round != 3) return;
        sample.outcome = outcome;
        clock_.Advance(request.timeout - sample.elapsed - early);
      };
      RunRounds(request_, subject_, host_, clock_, sink, cancelled_);
      ASSERT_EQ(sink.rounds.size(), 2u);
      const std::vector<Sample>& samples = sink.rounds[1].samples;
      EXPECT_EQ(samples[2].outcome, outcome);
      const bool over = early == absl::ZeroDuration();
      EXPECT_EQ(samples[3].outcome, over ? SampleOutcome::kSkipped : SampleOutcome::kTimedOut);
      EXPECT_EQ(samples[4].outcome, SampleOutcome::kSkipped);
      EXPECT_THAT(samples[4].failure, HasSubstr("the round's 10m were over"));
    }
  }
}

}  // namespace
}  // namespace benchfleet
