// Policy time: when leases end, when to try again. Measured time never comes from here.
#ifndef BENCHFLEET_COMMON_BASE_CLOCK_H_
#define BENCHFLEET_COMMON_BASE_CLOCK_H_

#include "absl/time/time.h"

namespace benchfleet {

// Thread-safety: safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Never goes backwards within one process.
  virtual absl::Time Now() const = 0;
};

// Wall time read once, at construction, and carried on by CLOCK_MONOTONIC: a step of
// the wall clock ends no lease.
class AnchoredClock final : public Clock {
 public:
  AnchoredClock();
  absl::Time Now() const override;

 private:
  const absl::Time anchor_wall_;
  const absl::Duration anchor_monotonic_;
};

// CLOCK_MONOTONIC since an arbitrary start.
absl::Duration MonotonicNow();

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_BASE_CLOCK_H_
