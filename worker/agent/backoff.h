// When to try again after a failure.
#ifndef BENCHFLEET_WORKER_AGENT_BACKOFF_H_
#define BENCHFLEET_WORKER_AGENT_BACKOFF_H_

#include <cstdint>
#include <optional>
#include <random>

#include "absl/time/time.h"

namespace benchfleet {

struct BackoffOptions {
  // The first retry is spread evenly over this, so that a fleet that lost its
  // coordinator at once does not come back at once.
  absl::Duration window = absl::Seconds(1);
  absl::Duration max_delay = absl::Seconds(30);
  // One success is not health: only after this long without a failure the next one is a first again.
  absl::Duration healthy_after = absl::Seconds(60);
};

// The first delay is drawn from [0, window). For each further one the window grows
// 1.6-fold, to max_delay at most, and the delay is drawn from its upper half.
//
// Time: never reads a clock; `now` is an argument and must not go backwards.
// Thread-safety: none.
class Backoff {
 public:
  Backoff(BackoffOptions options, uint64_t seed);

  // A try failed: how long to wait before the next one.
  absl::Duration OnFailure(absl::Duration now);
  void OnSuccess(absl::Duration now);
  // The coordinator names the window of its fleet.
  void set_window(absl::Duration window) { options_.window = window; }

 private:
  absl::Duration Draw(absl::Duration from, absl::Duration to);

  BackoffOptions options_;
  std::mt19937_64 random_;
  std::optional<absl::Duration> ceiling_;        // of the last delay; absent before the first failure
  std::optional<absl::Duration> healthy_since_;  // first success after the last failure
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_BACKOFF_H_
