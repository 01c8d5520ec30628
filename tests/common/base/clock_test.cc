#include "common/base/clock.h"

#include <gtest/gtest.h>

#include "absl/time/clock.h"

namespace benchfleet {
namespace {

constexpr int kReads = 1000;

TEST(ClockTest, MonotonicTimeNeverGoesBackAndDoesMove) {
  const absl::Duration start = MonotonicNow();
  absl::Duration previous = start;
  while (previous == start || previous < start + absl::Microseconds(10)) {
    const absl::Duration now = MonotonicNow();
    ASSERT_GE(now, previous);
    previous = now;
  }
}

TEST(ClockTest, AnAnchoredClockStartsAtWallTimeAndNeverGoesBack) {
  const absl::Time before = absl::Now();
  const AnchoredClock clock;
  EXPECT_GE(clock.Now(), before);
  absl::Time previous = clock.Now();
  for (int i = 0; i < kReads; ++i) {
    const absl::Time now = clock.Now();
    ASSERT_GE(now, previous);
    previous = now;
  }
}

}  // namespace
}  // namespace benchfleet
