#include "common/model/job_spec.h"

#include <gtest/gtest.h>

namespace benchfleet {
namespace {

TEST(JobSpecTest, NamesItsSuite) { EXPECT_EQ(SuiteName(JobSpec()), "wake"); }

TEST(JobSpecTest, DefaultsLieWithinTheLimits) {
  const JobSpec spec;
  EXPECT_LE(spec.project.size(), kMaxProjectBytes);
  EXPECT_GE(spec.queue_timeout, kMinQueueTimeout);
  EXPECT_LE(spec.queue_timeout, kMaxQueueTimeout);
  EXPECT_GE(spec.method.budget, kMinBudget);
  EXPECT_LE(spec.method.budget, kMaxBudget);
  EXPECT_GE(spec.method.round_timeout, kMinRoundTimeout);
  EXPECT_LE(spec.method.round_timeout, kMaxRoundTimeout);
}

}  // namespace
}  // namespace benchfleet
