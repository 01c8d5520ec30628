#include "worker/core/calibration.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_subject.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

ClockFacts GoodClock() { return {.read_median_ns = 30, .read_min_ns = 20, .step_ns = 10, .clock_source = "tsc"}; }

struct LimitsCase {
  const char* name;
  ClockFacts clock;
  absl::Duration least;
  absl::Duration most;
};

class BatchLimitsTest : public testing::TestWithParam<LimitsCase> {};

TEST_P(BatchLimitsTest, FollowTheClock) {
  const BatchLimits limits = MakeBatchLimits(GetParam().clock);
  EXPECT_EQ(limits.least, GetParam().least);
  EXPECT_EQ(limits.most, GetParam().most);
  EXPECT_GT(limits.aim, limits.least);
  EXPECT_LT(limits.aim, limits.most);
}

INSTANTIATE_TEST_SUITE_P(
    All, BatchLimitsTest,
    testing::ValuesIn<LimitsCase>({
        {"GoodClock", GoodClock(), absl::Microseconds(200), absl::Milliseconds(1)},
        {"SlowRead", {.read_median_ns = 500, .step_ns = 10}, absl::Microseconds(250), absl::Milliseconds(1)},
        {"CoarseStep", {.read_median_ns = 30, .step_ns = 300}, absl::Microseconds(300), absl::Milliseconds(1)},
        {"VeryCoarseStep", {.read_median_ns = 30, .step_ns = 4000}, absl::Milliseconds(4), absl::Milliseconds(8)},
    }),
    [](const auto& test) { return std::string(test.param.name); });

struct NextCase {
  const char* name;
  int64_t iterations;
  absl::Duration fastest;
  int64_t want;
};

class NextIterationsTest : public testing::TestWithParam<NextCase> {};

TEST_P(NextIterationsTest, Steps) {
  const BatchLimits limits = MakeBatchLimits(GoodClock());  // 200 us, 300 us, 1 ms
  EXPECT_EQ(NextIterations(GetParam().iterations, GetParam().fastest, limits), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, NextIterationsTest,
                         testing::ValuesIn<NextCase>({
                             {"AtMostTenTimes", 7, absl::Nanoseconds(10), 70},
                             {"NothingMeasured", 7, absl::ZeroDuration(), 70},
                             {"Proportional", 100, absl::Microseconds(100), 300},
                             {"RoundedUp", 10, absl::Microseconds(199), 16},
                             {"JustEnough", 100, absl::Microseconds(200), 100},
                             {"AtTheUpperLimit", 100, absl::Milliseconds(1), 100},
                             {"TooLong", 100, absl::Milliseconds(3), 10},
                             {"OneIsTheLeast", 1, absl::Seconds(3), 1},
                             {"NotBelowOne", 2, absl::Seconds(3), 1},
                             {"Bounded", kMaxIterations / 2, absl::Nanoseconds(1), kMaxIterations},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

class CalibrateCaseTest : public testing::Test {
 protected:
  absl::StatusOr<CaseCalibration> Calibrate() {
    return CalibrateCase(subject_.cases()[0], MakeBatchLimits(GoodClock()), /*batches=*/20, absl::Seconds(60), subject_,
                         cancelled_);
  }

  const Arm fast_{"loop/case", "fast"};
  const Arm slow_{"loop/case", "slow"};
  FakeClock clock_;
  FakeSubject subject_{clock_, {{"loop/case", {"slow", "fast"}, {}}}};
  std::atomic<bool> cancelled_ = false;
};

TEST_F(CalibrateCaseTest, TheFastestVariantDecidesForAll) {
  subject_.cost_of = {{fast_, absl::Nanoseconds(100)}, {slow_, absl::Nanoseconds(900)}};
  const auto found = Calibrate();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_GE(found->iterations * absl::Nanoseconds(100), absl::Microseconds(200));
  EXPECT_LE(found->iterations * absl::Nanoseconds(100), absl::Milliseconds(1));
  for (const MeasureRequest& request : subject_.requests) EXPECT_EQ(request.batches, kCalibrationBatches);
}

TEST_F(CalibrateCaseTest, ExpectsWhatARoundWillTake) {
  subject_.cost_of = {{fast_, absl::Nanoseconds(100)}, {slow_, absl::Nanoseconds(900)}};
  subject_.start_cost = absl::Milliseconds(7);
  const auto found = Calibrate();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->expected, 2 * absl::Milliseconds(7) + 20 * found->iterations * absl::Nanoseconds(1000));
}

TEST_F(CalibrateCaseTest, TheCountIsReadASecondTime) {
  const auto found = Calibrate();
  ASSERT_TRUE(found.ok()) << found.status();
  // Two variants, two readings.
  ASSERT_GE(subject_.requests.size(), 4u);
  for (size_t i = subject_.requests.size() - 4; i < subject_.requests.size(); ++i) {
    EXPECT_EQ(subject_.requests[i].iterations, found->iterations);
  }
}

TEST_F(CalibrateCaseTest, AReadingSpoiledByABusyHostIsNotTrusted) {
  // The first time a batch is long enough it was so because of something else.
  bool spoiled = false;
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.iterations == 10 && !spoiled) sample.batch_ns.assign(sample.batch_ns.size(), 300'000);
    if (request.iterations == 10 && request.arm == fast_) spoiled = true;
  };
  const auto found = Calibrate();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_GE(found->iterations * subject_.cost, absl::Microseconds(200));
}

TEST_F(CalibrateCaseTest, OnePreemptedBatchDoesNotCount) {
  subject_.script = [&](const MeasureRequest&, Sample& sample) { sample.batch_ns[0] += 10'000'000; };
  const auto found = Calibrate();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_GE(found->iterations * subject_.cost, absl::Microseconds(200));
}

TEST_F(CalibrateCaseTest, ALongOperationIsMeasuredSingly) {
  subject_.cost = absl::Milliseconds(50);
  const auto found = Calibrate();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->iterations, 1);
}

TEST_F(CalibrateCaseTest, AnOperationThatIsNotThereIsRefused) {
  subject_.cost = absl::ZeroDuration();
  const auto found = Calibrate();
  EXPECT_EQ(found.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("loop/case: 1000000000 operations take only 0"));
}

TEST_F(CalibrateCaseTest, TimesThatNeverSettleAreRefused) {
  int calls = 0;
  subject_.script = [&](const MeasureRequest&, Sample& sample) {
    // Both variants of a reading alike; one reading far too short, the next far too long.
    const bool long_reading = (calls++ / 2) % 2 == 1;
    sample.batch_ns.assign(sample.batch_ns.size(), long_reading ? 3'000'000 : 30'000);
  };
  const auto found = Calibrate();
  EXPECT_EQ(found.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("no count of operations"));
  EXPECT_EQ(calls, 2 * kMaxCalibrationSteps);
}

TEST_F(CalibrateCaseTest, OneFailureIsForgivenTwoAreNot) {
  int failures = 1;
  subject_.script = [&](const MeasureRequest& request, Sample& sample) {
    if (request.arm != fast_ || failures-- <= 0) return;
    sample.outcome = SampleOutcome::kSignalled;
    sample.failure = "killed by signal 11";
    sample.output = std::string(5000, 'x') + "the last words\n";
    sample.batch_ns.clear();
  };
  EXPECT_TRUE(Calibrate().ok());
  failures = 2;
  const auto found = Calibrate();
  EXPECT_EQ(found.status().code(), absl::StatusCode::kFailedPrecondition);
  const std::string message(found.status().message());
  EXPECT_THAT(message, HasSubstr("loop/case fast: signalled: killed by signal 11; output: "));
  EXPECT_THAT(message, HasSubstr("the last words"));
  EXPECT_LT(message.size(), 1000u);
}

TEST_F(CalibrateCaseTest, CancelEndsItWithTheRunningMeasurement) {
  subject_.script = [&](const MeasureRequest&, Sample&) { cancelled_ = true; };
  EXPECT_EQ(Calibrate().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(subject_.requests.size(), 1u);
}

}  // namespace
}  // namespace benchfleet
