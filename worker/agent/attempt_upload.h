// Sends one attempt from the spool: chunks in order, then its end.
#ifndef BENCHFLEET_WORKER_AGENT_ATTEMPT_UPLOAD_H_
#define BENCHFLEET_WORKER_AGENT_ATTEMPT_UPLOAD_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "worker/agent/backoff.h"
#include "worker/agent/coordinator_link.h"
#include "worker/agent/session_box.h"
#include "worker/agent/spool.h"

namespace benchfleet {

// Whether the same call may succeed later: the coordinator was not reached, or knows
// nothing of our session yet. Everything else is a refusal.
bool IsRetryable(const absl::Status& status);
// The lease has passed on: nothing of the attempt is wanted any more.
bool IsStaleLease(const absl::Status& status);

// Time: `now` is the monotonic clock.
// Thread-safety: none.
class AttemptUpload {
 public:
  // All are used, none owned.
  AttemptUpload(CoordinatorLink& link, const SessionBox& sessions, const SpoolEntry& entry,
                std::function<absl::Duration()> now = MonotonicNow)
      : link_(link), sessions_(sessions), entry_(entry), now_(std::move(now)) {}

  // Sends what is spooled and not acknowledged yet, for at most `timeout` in all. OK when
  // nothing is left; after an error the next call goes on at the same chunk.
  // kDeadlineExceeded: the time is over. kDataLoss: the spool cannot be read.
  absl::Status SendChunks(absl::Duration timeout);

  // Acknowledged chunks, and the checksum over them.
  int sent() const { return sent_; }
  uint32_t sent_crc32c() const { return sent_crc32c_; }

 private:
  CoordinatorLink& link_;
  const SessionBox& sessions_;
  const SpoolEntry& entry_;
  const std::function<absl::Duration()> now_;
  int sent_ = 0;
  uint32_t sent_crc32c_ = 0;
};

absl::Status SendCompletion(CoordinatorLink& link, const SessionBox& sessions, const AttemptCompletion& completion);

// Waits; false: give up, the process is ending. Asked at least each kCallTimeout and the
// time of one call.
using WaitFunction = std::function<bool(absl::Duration)>;

// How an attempt's result ended. Unless it is kLeft, nothing of it is needed on disk any more.
enum class DeliveryEnd { kAcknowledged, kRefused, kLeft };
struct Delivery {
  DeliveryEnd end = DeliveryEnd::kLeft;
  AttemptCompletion completion;  // as it was sent last
  absl::Status refusal;          // with kRefused
};

// Sends what is left of the attempt and `completion`, again and again until it is
// acknowledged or refused. When a chunk is refused the attempt ends as crashed.
// `upload` may be null: there are no chunks.
Delivery Deliver(CoordinatorLink& link, const SessionBox& sessions, AttemptUpload* upload, AttemptCompletion completion,
                 Backoff& backoff, const WaitFunction& wait);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_ATTEMPT_UPLOAD_H_
