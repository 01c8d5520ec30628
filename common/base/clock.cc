#include "common/base/clock.h"

#include <time.h>

#include "absl/time/clock.h"

namespace benchfleet {

absl::Duration MonotonicNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return absl::DurationFromTimespec(now);
}

AnchoredClock::AnchoredClock() : anchor_wall_(absl::Now()), anchor_monotonic_(MonotonicNow()) {}

absl::Time AnchoredClock::Now() const { return anchor_wall_ + (MonotonicNow() - anchor_monotonic_); }

}  // namespace benchfleet
