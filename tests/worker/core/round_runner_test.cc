#include "worker/core/round_runner.h"

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

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Arm kOther = {"loop/one", "other"};

class RoundRunnerTest : public testing::Test {
 protected:
  RoundRunnerTest() {
    request_.suite = "wake";
    request_.suite_version = 3;
    request_.method.rounds = 2;
    request_.method.seed = 42;
    request_.host_key = {"hk1:x", {{"kernel", "6"}}};
    request_.clock = {.read_median_ns = 30, .read_min_ns = 20, .step_ns = 10, .clock_source = "tsc"};
    subject_.comparison_plans = {{"variant", {"loop/one", "base"}, kOther, "wall"}};
  }

  RunEnd Go() { return RunRounds(request_, subject_, host_, clock_, sink_, cancelled_); }

  // Fails an arm's measurements in rounds, which are told from calibration by their batches.
  void FailInRounds(const Arm& arm) {
    subject_.script = [arm](const MeasureRequest& request, Sample& sample) {
      if (request.arm != arm || request.batches != kBatches) return;
      sample.outcome = SampleOutcome::kFailed;
      sample.failure = "exit code 1";
      sample.output = "what it printed";
      sample.batch_ns.clear();
    };
  }

  RunRequest request_;
  FakeClock clock_;
  FakeHostProbe host_;
  FakeSubject subject_{
      clock_, {{"loop/one", {"base", "other"}, {"sk1:1", {}}}, {"loop/two", {"base", "other"}, {"sk1:2", {}}}}};
  RecordingSampleSink sink_;
  std::atomic<bool> cancelled_ = false;
};

TEST_F(RoundRunnerTest, CalibratesThenPlansThenMeasures) {
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(end.detail, "");
  EXPECT_THAT(sink_.events, ElementsAre("progress", "progress", "plan", "round 0", "round 1", "round 2"));
  EXPECT_THAT(sink_.progress, ElementsAre("calibrating loop/one", "calibrating loop/two"));
}

TEST_F(RoundRunnerTest, ThePlanHoldsAllThatWasDecided) {
  request_.method.margin = 0.01;
  request_.method.level = 0.99;
  subject_.cost_of = {{kOther, absl::Nanoseconds(20)}};
  Go();
  ASSERT_TRUE(sink_.plan.has_value());
  const RunPlan& plan = *sink_.plan;
  EXPECT_EQ(plan.suite, "wake");
  EXPECT_EQ(plan.suite_version, 3);
  EXPECT_EQ(plan.seed, 42u);
  EXPECT_EQ(plan.warmup_rounds, 1);
  EXPECT_EQ(plan.rounds, 2);
  EXPECT_EQ(plan.schedule, Schedule::kWilliams);
  EXPECT_EQ(plan.margin, 0.01);
  EXPECT_EQ(plan.level, 0.99);
  EXPECT_EQ(plan.round_timeout, absl::Seconds(60));
  EXPECT_EQ(plan.budget, absl::Minutes(3));
  EXPECT_EQ(plan.host_key, request_.host_key);
  EXPECT_EQ(plan.clock, request_.clock);
  EXPECT_EQ(plan.comparisons, subject_.comparison_plans);
  ASSERT_EQ(plan.cases.size(), 2u);
  EXPECT_EQ(plan.cases[0].case_path, "loop/one");
  EXPECT_THAT(plan.cases[0].variants, ElementsAre("base", "other"));
  EXPECT_EQ(plan.cases[0].subject_key.digest, "sk1:1");
  EXPECT_EQ(plan.cases[0].batches, 20);
  // The fastest variant of each case decides: 20 ns in one, 100 ns in the other.
  EXPECT_GE(plan.cases[0].iterations, 200'000 / 20);
  EXPECT_LT(plan.cases[1].iterations, plan.cases[0].iterations);
  // Four measurements, each 1 ms to start and 20 batches.
  EXPECT_EQ(plan.expected_round, absl::Milliseconds(4) + 20 * plan.cases[0].iterations * absl::Nanoseconds(120) +
                                     20 * plan.cases[1].iterations * absl::Nanoseconds(200));
}

TEST_F(RoundRunnerTest, EveryRoundHoldsEveryArmWithTheSharedCount) {
  Go();
  ASSERT_EQ(sink_.rounds.size(), 3u);
  for (const Round& round : sink_.rounds) {
    std::set<Arm> arms;
    std::set<std::pair<std::string, int>> slots;
    for (const Sample& sample : round.samples) {
      arms.insert(sample.arm);
      slots.insert({sample.arm.case_path, sample.slot});
      const size_t index = sample.arm.case_path == "loop/one" ? 0 : 1;
      EXPECT_EQ(sample.iterations, sink_.plan->cases[index].iterations);
      EXPECT_EQ(sample.batch_ns.size(), 20u);
    }
    EXPECT_EQ(round.samples.size(), 4u);
    EXPECT_EQ(arms.size(), 4u);
    EXPECT_EQ(slots.size(), 4u);  // 0 and 1 of both cases
    EXPECT_EQ(round.warmup, round.index == 0);
  }
}

TEST_F(RoundRunnerTest, HostStateIsReadBeforeAndAfterEachRound) {
  const absl::Time start = clock_.Now();
  Go();
  ASSERT_EQ(sink_.rounds.size(), 3u);
  EXPECT_EQ(host_.reads(), 6);
  for (const Round& round : sink_.rounds) {
    EXPECT_EQ(round.before.load1, 2 * round.index + 1);
    EXPECT_EQ(round.after.load1, 2 * round.index + 2);
    EXPECT_GT(round.start_time, start);
  }
  EXPECT_EQ(sink_.rounds[2].start_time - sink_.rounds[1].start_time, sink_.plan->expected_round);
}

TEST_F(RoundRunnerTest, NineRoundsOfThreeVariantsAreRandom) {
  request_.method.rounds = 9;
  FakeSubject three(clock_, {{"loop/one", {"a", "b", "c"}, {}}});
  EXPECT_EQ(RunRounds(request_, three, host_, clock_, sink_, cancelled_).end, AttemptEnd::kSucceeded);
  EXPECT_EQ(sink_.plan->schedule, Schedule::kRandom);
  EXPECT_EQ(sink_.plan->rounds, 9);
  EXPECT_EQ(sink_.rounds.size(), 10u);
}

TEST_F(RoundRunnerTest, WithoutRoundsTheBudgetIsFilledWithWholeBlocks) {
  request_.method.rounds.reset();
  subject_.start_cost = absl::Seconds(3);  // a round takes a little over 12 s
  const absl::Time start = clock_.Now();
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(end.detail, "");
  EXPECT_EQ(sink_.plan->schedule, Schedule::kWilliams);
  EXPECT_EQ(sink_.plan->rounds % 2, 0);
  EXPECT_LE(clock_.Now() - start, request_.method.budget);
  EXPECT_GT(clock_.Now() - start + 2 * sink_.plan->expected_round, request_.method.budget);
}

TEST_F(RoundRunnerTest, ABudgetTooSmallForABlockSaysSoAndGoesOnAtRandom) {
  request_.method.rounds.reset();
  FakeSubject three(clock_, {{"loop/one", {"a", "b", "c"}, {}}});
  three.start_cost = absl::Seconds(5);
  const RunEnd end = RunRounds(request_, three, host_, clock_, sink_, cancelled_);
  EXPECT_EQ(end.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(sink_.plan->schedule, Schedule::kRandom);
  EXPECT_GE(sink_.plan->rounds, 1);
  EXPECT_LT(sink_.plan->rounds, 6);
  EXPECT_THAT(sink_.progress.back(), HasSubstr("does not hold a balanced block of 6 rounds"));
}

TEST_F(RoundRunnerTest, TheBudgetEndsTheRunBetweenRounds) {
  request_.method.rounds = 10;
  request_.method.budget = absl::Seconds(30);
  // The host gets slow once the rounds begin.
  sink_.on_plan = [&] { subject_.start_cost = absl::Seconds(2); };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(end.detail, "measured 3 of 10 rounds: the budget of 30s was used up");
  EXPECT_EQ(sink_.plan->rounds, 10);
  EXPECT_EQ(sink_.rounds.size(), 4u);
}

TEST_F(RoundRunnerTest, ABudgetThatHoldsOnlyTheWarmupFails) {
  request_.method.budget = absl::Seconds(5);
  sink_.on_plan = [&] { subject_.start_cost = absl::Seconds(2); };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail, "no round was measured: the budget of 5s was used up");
  EXPECT_EQ(sink_.rounds.size(), 1u);
}

TEST_F(RoundRunnerTest, ABudgetUsedUpByCalibrationEndsThere) {
  request_.method.budget = absl::Seconds(5);
  subject_.start_cost = absl::Seconds(2);
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_THAT(end.detail, HasSubstr("the budget of 5s was used up when 1 of 2 cases were calibrated"));
  EXPECT_THAT(sink_.events, ElementsAre("progress"));
}

TEST_F(RoundRunnerTest, ABudgetUsedUpByTheLastCalibrationLeavesNoPlan) {
  FakeSubject one(clock_, {{"loop/one", {"base"}, {}}});
  one.start_cost = absl::Seconds(2);
  request_.method.budget = absl::Seconds(5);
  const RunEnd end = RunRounds(request_, one, host_, clock_, sink_, cancelled_);
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_THAT(end.detail, HasSubstr("the budget of 5s was used up when 1 of 1 cases were calibrated"));
  EXPECT_THAT(sink_.events, ElementsAre("progress"));
}

TEST_F(RoundRunnerTest, TheSeedDecidesOrderAndPadding) {
  const auto trace = [&](std::optional<uint64_t> seed, uint64_t fallback) {
    request_.method.rounds = 6;
    request_.method.seed = seed;
    request_.fallback_seed = fallback;
    RecordingSampleSink sink;
    subject_.requests.clear();
    RunRounds(request_, subject_, host_, clock_, sink, cancelled_);
    std::string text = absl::StrCat(sink.plan->seed, ":");
    for (const MeasureRequest& request : subject_.requests) {
      if (request.batches != kBatches) continue;
      absl::StrAppend(&text, request.arm.case_path, request.arm.variant, request.environment_padding, " ");
    }
    return text;
  };
  const std::string seven = trace(7, 1);
  EXPECT_EQ(trace(7, 2), seven);
  EXPECT_EQ(trace(std::nullopt, 7), seven);
  EXPECT_NE(trace(8, 1), seven);
  EXPECT_NE(trace(8, 1).substr(2), seven.substr(2));
}

TEST_F(RoundRunnerTest, PaddingCoversAPage) {
  request_.method.rounds = 200;
  Go();
  int least = 5000, most = -1;
  for (const MeasureRequest& request : subject_.requests) {
    if (request.batches != kBatches) continue;
    least = std::min(least, request.environment_padding);
    most = std::max(most, request.environment_padding);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(least, 100);
  EXPECT_GT(most, 3996);
  EXPECT_LT(most, 4096);
}

TEST_F(RoundRunnerTest, PastItsTimeARoundIsKilledAndItsRestSkipped) {
  request_.method.round_timeout = absl::Seconds(10);
  // In the first measured round the second measurement hangs.
  int in_rounds = 0;
  subject_.script = [&](const MeasureRequest& request, Sample&) {
    if (request.batches != kBatches) return;
    ++in_rounds;
    subject_.start_cost = in_rounds == 5 ? absl::Hours(1) : absl::Milliseconds(1);
  };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kSucceeded);
  ASSERT_EQ(sink_.rounds.size(), 3u);
  std::vector<SampleOutcome> outcomes;
  for (const Sample& sample : sink_.rounds[1].samples) outcomes.push_back(sample.outcome);
  EXPECT_THAT(outcomes, ElementsAre(SampleOutcome::kOk, SampleOutcome::kTimedOut, SampleOutcome::kSkipped,
                                    SampleOutcome::kSkipped));
  EXPECT_EQ(sink_.rounds[1].samples[3].failure, "the round's 10s were over");
  EXPECT_GT(sink_.rounds[1].samples[3].iterations, 0);
  for (const Sample& sample : sink_.rounds[2].samples) EXPECT_EQ(sample.outcome, SampleOutcome::kOk);
}

TEST_F(RoundRunnerTest, EachMeasurementGetsWhatIsLeftOfTheRound) {
  request_.method.round_timeout = absl::Seconds(10);
  request_.method.rounds = 1;
  Go();
  absl::Duration left = absl::Seconds(10);
  const size_t first = subject_.requests.size() - 4;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(subject_.requests[first + i].timeout, left) << i;
    left -= sink_.rounds.back().samples[i].elapsed;
  }
}

TEST_F(RoundRunnerTest, AFailedSampleIsKeptWithItsCause) {
  FailInRounds(kOther);
  Go();
  ASSERT_EQ(sink_.rounds.size(), 3u);
  for (const Round& round : sink_.rounds) {
    for (const Sample& sample : round.samples) {
      if (sample.arm != kOther) continue;
      EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
      EXPECT_EQ(sample.failure, "exit code 1");
      EXPECT_EQ(sample.output, "what it printed");
    }
  }
}

TEST_F(RoundRunnerTest, AnArmThatNeverSucceedsFailsTheRun) {
  FailInRounds(kOther);
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail, "never succeeded: loop/one other: failed: exit code 1; output: what it printed");
  EXPECT_EQ(sink_.rounds.size(), 3u);
}

TEST_F(RoundRunnerTest, AnArmThatSucceedsInTheWarmupOnlyFailsTheRun) {
  int others = 0;
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.arm != kOther || request.batches != kBatches || others++ == 0) return;
    sample.outcome = SampleOutcome::kBrokenPromise;
  };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail, "never succeeded: loop/one other: broken_promise");
}

TEST_F(RoundRunnerTest, OneOkSampleInAMeasuredRoundIsEnough) {
  int others = 0;
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.arm != kOther || request.batches != kBatches || ++others == 2) return;
    sample.outcome = SampleOutcome::kFailed;
  };
  EXPECT_EQ(Go().end, AttemptEnd::kSucceeded);
}

TEST_F(RoundRunnerTest, OnlyThreeFailedArmsAreNamed) {
  subject_.script = [](const MeasureRequest& request, Sample& sample) {
    if (request.batches == kBatches) sample.outcome = SampleOutcome::kFailed;
  };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail,
            "never succeeded: loop/one base: failed | loop/one other: failed | loop/two base: failed | and 1 more");
}

TEST_F(RoundRunnerTest, AFailedCalibrationFailsTheRunBeforeThePlan) {
  subject_.script = [](const MeasureRequest& request, Sample& sample) {
    if (request.arm == kOther) sample.outcome = SampleOutcome::kFailed;
  };
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_THAT(end.detail, HasSubstr("calibration failed: loop/one other: failed"));
  EXPECT_FALSE(sink_.plan.has_value());
}

TEST_F(RoundRunnerTest, NoRoundBeginsBeforeThePlanIsSafe) {
  sink_.plan_status = absl::UnavailableError("disk full");
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail, "disk full");
  for (const MeasureRequest& request : subject_.requests) EXPECT_NE(request.batches, kBatches);
  EXPECT_TRUE(sink_.rounds.empty());
}

TEST_F(RoundRunnerTest, ASinkThatRefusesARoundEndsTheRun) {
  sink_.round_status = absl::UnavailableError("pipe closed");
  const RunEnd end = Go();
  EXPECT_EQ(end.end, AttemptEnd::kFailed);
  EXPECT_EQ(end.detail, "pipe closed");
  EXPECT_EQ(sink_.rounds.size(), 1u);
}

TEST_F(RoundRunnerTest, CancelDuringCalibration) {
  subject_.script = [&](const MeasureRequest&, Sample&) { cancelled_ = true; };
  EXPECT_EQ(Go().end, AttemptEnd::kCancelled);
  EXPECT_EQ(subject_.requests.size(), 1u);
}

TEST_F(RoundRunnerTest, CancelWhileThePlanIsMadeSafe) {
  sink_.on_plan = [&] { cancelled_ = true; };
  sink_.plan_status = absl::CancelledError("gave up");
  EXPECT_EQ(Go().end, AttemptEnd::kCancelled);
  EXPECT_TRUE(sink_.rounds.empty());
}

TEST_F(RoundRunnerTest, CancelBetweenRounds) {
  request_.method.rounds = 100;
  sink_.on_round = [&](const Round& round) { cancelled_ = round.index == 2; };
  EXPECT_EQ(Go().end, AttemptEnd::kCancelled);
  EXPECT_EQ(sink_.rounds.size(), 3u);
}

TEST_F(RoundRunnerTest, CancelInsideARoundReportsNoHalfRound) {
  int in_rounds = 0;
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.batches != kBatches || ++in_rounds != 6) return;
    cancelled_ = true;
    sample.outcome = SampleOutcome::kSignalled;
  };
  EXPECT_EQ(Go().end, AttemptEnd::kCancelled);
  EXPECT_EQ(in_rounds, 6);
  EXPECT_EQ(sink_.rounds.size(), 1u);
}

}  // namespace
}  // namespace benchfleet
