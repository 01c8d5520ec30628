// Durations for poll().
#ifndef BENCHFLEET_COMMON_OS_POLL_TIMEOUT_H_
#define BENCHFLEET_COMMON_OS_POLL_TIMEOUT_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"

namespace benchfleet {

// Milliseconds for poll(), rounded up so that a caller never spins on what is left of a
// millisecond. At most an hour: whoever waits longer asks again.
inline int PollTimeout(absl::Duration left) {
  const absl::Duration bounded = std::clamp(left, absl::ZeroDuration(), absl::Hours(1));
  return static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(bounded, absl::Milliseconds(1))));
}

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_POLL_TIMEOUT_H_
