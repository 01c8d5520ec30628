// The coordinator as a worker sees it.
#ifndef BENCHFLEET_WORKER_AGENT_COORDINATOR_LINK_H_
#define BENCHFLEET_WORKER_AGENT_COORDINATOR_LINK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/model/host.h"
#include "common/model/ids.h"
#include "common/model/selector.h"
#include "common/model/states.h"
#include "worker/agent/lease_keeper.h"

namespace benchfleet {

// Who a worker is.
struct WorkerIdentity {
  HostName name;
  std::string worker_id;  // kept in the state directory
  HostFacts facts;
  Labels labels;
  std::string version;
};

// What the coordinator asks of a session.
struct SessionTerms {
  SessionId id;
  absl::Duration sync_hang;
  absl::Duration lease_ttl;
  int max_chunk_bytes = 0;
  absl::Duration reconnect_window;
};

struct AttemptChunk {
  LeaseKey lease;
  int index = 0;
  std::string payload;
};

struct AttemptCompletion {
  LeaseKey lease;
  AttemptEnd end = AttemptEnd::kSucceeded;
  std::string detail;
  int chunk_count = 0;
  uint32_t chunks_crc32c = 0;
  friend bool operator==(const AttemptCompletion&, const AttemptCompletion&) = default;
};

// Sync hangs by design, so its deadline is the hang and this; that of each other call
// is kCallTimeout. Either is shorter when a run must be stopped before, or waits.
inline constexpr absl::Duration kSyncSlack = absl::Seconds(10);
inline constexpr absl::Duration kCallTimeout = absl::Seconds(10);

// The port; tests/fakes has the fake.
//
// Thread-safety: safe; calls block until their deadline at most.
// Errors: those of worker_service.proto, their reasons kept (ErrorReason). kUnavailable
// and kDeadlineExceeded: not reached, or no answer in time; whether the call had its
// effect is unknown, and it may be repeated.
class CoordinatorLink {
 public:
  virtual ~CoordinatorLink() = default;

  virtual absl::StatusOr<SessionTerms> OpenSession(const WorkerIdentity& worker, absl::Duration timeout) = 0;
  // kCancelled: CancelSync() was called for this sequence number.
  virtual absl::StatusOr<CoordinatorAnswer> Sync(const SessionId& session, const WorkerStatement& statement,
                                                 absl::Duration timeout) = 0;
  // Ends the Sync of this sequence number or a lower one, now or as soon as it begins:
  // its answer is of no more use. The next one may be made at once.
  virtual void CancelSync(int64_t sequence) = 0;
  virtual absl::Status PutAttemptChunk(const SessionId& session, const AttemptChunk& chunk, absl::Duration timeout) = 0;
  virtual absl::Status CompleteAttempt(const SessionId& session, const AttemptCompletion& completion) = 0;
  virtual absl::Status CloseSession(const SessionId& session) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_COORDINATOR_LINK_H_
