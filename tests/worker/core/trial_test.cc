#include "worker/core/trial.h"

#include <algorithm>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_subject.h"

namespace benchfleet {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

const Arm kArm = {"gcc@12.2.0/link/j2", "threads"};

class TrialTest : public testing::Test {
 protected:
  absl::StatusOr<absl::Duration> Try() { return TryWholeOperation(kArm, absl::Seconds(60), subject_, cancelled_); }

  FakeClock clock_;
  FakeSubject subject_{clock_, {{kArm.case_path, {kArm.variant}, {}, true, 2.0}}};
  std::atomic<bool> cancelled_ = false;
};

TEST_F(TrialTest, IsOneOperationAndTellsItsTime) {
  subject_.cost = absl::Seconds(3);
  subject_.start_cost = absl::Milliseconds(20);
  const auto elapsed = Try();
  ASSERT_TRUE(elapsed.ok()) << elapsed.status();
  EXPECT_EQ(*elapsed, absl::Milliseconds(3020));
  ASSERT_EQ(subject_.requests.size(), 1u);
  EXPECT_EQ(subject_.requests[0].arm, kArm);
  EXPECT_EQ(subject_.requests[0].iterations, 1);
  EXPECT_EQ(subject_.requests[0].batches, 1);
  EXPECT_EQ(subject_.requests[0].timeout, absl::Seconds(60));
}

// How often the measurement fails, and whether that is forgiven.
struct FailureCase {
  const char* name;
  int failures;
  bool ok;
  size_t requests;
};

class TrialFailureTest : public TrialTest, public testing::WithParamInterface<FailureCase> {};

TEST_P(TrialFailureTest, OnlyOneIsForgiven) {
  int failures = GetParam().failures;
  subject_.script = [&](const MeasureRequest&, Sample& sample) {
    if (failures-- <= 0) return;
    sample.outcome = SampleOutcome::kFailed;
    sample.failure = "another outcome";
  };
  const auto elapsed = Try();
  EXPECT_EQ(subject_.requests.size(), GetParam().requests);
  if (GetParam().ok) {
    EXPECT_TRUE(elapsed.ok()) << elapsed.status();
  } else {
    EXPECT_EQ(elapsed.status(),
              absl::FailedPreconditionError("trial failed: gcc@12.2.0/link/j2 threads: failed: another outcome"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TrialFailureTest,
                         testing::ValuesIn<FailureCase>({
                             {"None", 0, true, 1},
                             {"One", 1, true, 2},
                             {"Two", 2, false, 2},
                             {"Three", 3, false, 2},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(TrialTest, AnOkSampleWithoutATimeIsAFailure) {
  subject_.script = [](const MeasureRequest&, Sample& sample) { sample.batch_ns.clear(); };
  EXPECT_EQ(Try().status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(subject_.requests.size(), 2u);
}

TEST_F(TrialTest, CancelEndsItWithTheRunningMeasurement) {
  subject_.script = [&](const MeasureRequest&, Sample&) { cancelled_ = true; };
  EXPECT_EQ(Try().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(subject_.requests.size(), 1u);
  EXPECT_EQ(Try().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(subject_.requests.size(), 1u) << "nothing begins once it is cancelled";
}

TEST(DescribeFailureTest, SaysHowWhyAndWhatWasPrinted) {
  Sample sample;
  sample.outcome = SampleOutcome::kTimedOut;
  EXPECT_EQ(DescribeFailure(kArm, sample), "gcc@12.2.0/link/j2 threads: timed_out");
  sample.failure = "killed after 2m";
  EXPECT_EQ(DescribeFailure(kArm, sample), "gcc@12.2.0/link/j2 threads: timed_out: killed after 2m");
  sample.output = " \n";
  EXPECT_EQ(DescribeFailure(kArm, sample), "gcc@12.2.0/link/j2 threads: timed_out: killed after 2m");
  for (const size_t bytes : {1, 511, 512, 513}) {
    sample.output = "\n" + std::string(bytes - 1, 'x') + "y\n";
    const std::string text = DescribeFailure(kArm, sample);
    EXPECT_THAT(text, HasSubstr("killed after 2m; output: "));
    EXPECT_THAT(text, EndsWith("; output: " + std::string(std::min<size_t>(bytes, 512) - 1, 'x') + "y")) << bytes;
  }
}

}  // namespace
}  // namespace benchfleet
