#include "worker/agent/backoff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace benchfleet {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;
using ::testing::Lt;

BackoffOptions Options() { return {absl::Seconds(5), absl::Seconds(30), absl::Seconds(60)}; }

TEST(Backoff, TheFirstRetryIsSpreadOverTheWholeWindow) {
  absl::Duration least = absl::InfiniteDuration();
  absl::Duration most;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const absl::Duration delay = Backoff(Options(), seed).OnFailure(absl::ZeroDuration());
    EXPECT_THAT(delay, AllOf(Ge(absl::ZeroDuration()), Lt(absl::Seconds(5))));
    least = std::min(least, delay);
    most = std::max(most, delay);
  }
  EXPECT_LT(least, absl::Milliseconds(500));
  EXPECT_GT(most, absl::Milliseconds(4500));
}

TEST(Backoff, FurtherDelaysStayInTheUpperHalfOfAGrowingWindow) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Backoff backoff(Options(), seed);
    backoff.OnFailure(absl::ZeroDuration());
    absl::Duration ceiling = absl::Seconds(5);
    for (int i = 0; i < 20; ++i) {
      ceiling = std::min(ceiling * 1.6, absl::Seconds(30));
      EXPECT_THAT(backoff.OnFailure(absl::ZeroDuration()), AllOf(Ge(ceiling / 2), Le(ceiling))) << "retry " << i;
    }
  }
}

TEST(Backoff, EqualSeedsDrawEqualDelays) {
  Backoff a(Options(), 7);
  Backoff b(Options(), 7);
  Backoff c(Options(), 8);
  const absl::Duration first = a.OnFailure(absl::ZeroDuration());
  EXPECT_EQ(first, b.OnFailure(absl::ZeroDuration()));
  EXPECT_NE(first, c.OnFailure(absl::ZeroDuration()));
}

TEST(Backoff, OnlySixtySecondsOfHealthMakeItForget) {
  const struct {
    absl::Duration healthy;
    bool forgets;
  } kCases[] = {{absl::Seconds(60) - absl::Nanoseconds(1), false}, {absl::Seconds(60), true}};
  for (const auto& c : kCases) {
    Backoff backoff(Options(), 1);
    for (int i = 0; i < 10; ++i) backoff.OnFailure(absl::Seconds(i));
    backoff.OnSuccess(absl::Seconds(100));
    backoff.OnSuccess(absl::Seconds(130));  // health counts from its first sign
    const absl::Duration delay = backoff.OnFailure(absl::Seconds(100) + c.healthy);
    EXPECT_EQ(delay < absl::Seconds(5), c.forgets) << delay;
  }
}

TEST(Backoff, AFailureBeginsHealthAnew) {
  Backoff backoff(Options(), 1);
  for (int i = 0; i < 10; ++i) backoff.OnFailure(absl::ZeroDuration());
  backoff.OnSuccess(absl::Seconds(10));
  backoff.OnFailure(absl::Seconds(20));
  backoff.OnSuccess(absl::Seconds(50));
  EXPECT_GE(backoff.OnFailure(absl::Seconds(80)), absl::Seconds(15));
}

}  // namespace
}  // namespace benchfleet
