// All the coordinator's rules: what users and workers may ask, and what time does. Every
// call is one unit of work on the store, decided inside it by the pure lease rules;
// afterwards those who wait are told.
//
// Time: reads the clock once per unit of work.
// Thread-safety: safe; calls block for the store's commit.
// Errors: those of JobStore, besides what each call names. Messages name field and value.
#ifndef BENCHFLEET_SERVER_CORE_COORDINATOR_H_
#define BENCHFLEET_SERVER_CORE_COORDINATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "server/core/job_store.h"
#include "server/core/lease_rules.h"
#include "server/core/notice_board.h"
#include "server/core/records.h"

namespace benchfleet {

struct CoordinatorOptions {
  LeasePolicy lease;
  absl::Duration sync_hang = absl::Seconds(20);
  // A worker that has been silent for this long is offline: it gets no work and its name may be taken over.
  absl::Duration offline_after = absl::Seconds(60);
  // Hosts seen within this time belong to the snapshot of fan-out `all`.
  absl::Duration known_host_window = absl::Hours(1);
};

inline constexpr int kMaxListedLeases = 16;
inline constexpr int kMaxHostsPerJob = 1000;

// What happens in the core, for metrics and logs. Called after the commit.
class CoordinatorObserver {
 public:
  virtual ~CoordinatorObserver() = default;
  virtual void JobCreated(absl::string_view /*suite*/) {}
  virtual void RequestReplayed() {}
  virtual void JobEnded(absl::string_view /*suite*/, JobState /*state*/) {}
  virtual void LeaseOffered() {}
  virtual void OfferNotAccepted() {}
  virtual void LeaseAccepted() {}
  virtual void LeaseRenewed() {}
  virtual void LeaseEnded(AttemptEnd /*end*/) {}
  virtual void StaleResult() {}  // a completion
  virtual void LateChunk() {}    // a chunk of a stale lease
  virtual void ChunkRepeated() {}
  virtual void ChunkStored(size_t /*bytes*/) {}
  virtual void SessionOpened() {}
};

// A worker process introduces itself.
struct WorkerHello {
  HostName host;
  std::string worker_id;
  HostFacts facts;
  Labels labels;  // built-in ones included
  std::string version;
};

struct HeldLease {
  RunId run_id;
  LeaseEpoch epoch = 0;
  Listing listing = Listing::kHeld;
  std::string reason;
};

struct SyncCall {
  SessionId session;
  int64_t sequence = 0;
  std::vector<HeldLease> leases;
  bool wants_work = false;
  std::string idle_reason;
};

struct GrantedLease {
  RunId run_id;
  LeaseEpoch epoch = 0;
  RunState state = RunState::kOffered;
  absl::Duration ttl;
  bool cancel = false;
  std::optional<JobSpec> spec;  // in an offer
};

struct SyncAnswer {
  std::vector<GrantedLease> leases;
  bool news = false;  // answer now; else it may hang
};

struct Completion {
  SessionId session;
  RunId run_id;
  LeaseEpoch epoch = 0;
  AttemptEnd end = AttemptEnd::kSucceeded;
  std::string detail;
  int chunk_count = 0;
  uint32_t chunks_crc32c = 0;
};

class Coordinator {
 public:
  // All are used, none owned.
  Coordinator(JobStore& store, const Clock& clock, NoticeBoard& board, CoordinatorObserver& observer,
              CoordinatorOptions options);

  const CoordinatorOptions& options() const { return options_; }

  // To be called once before serving: leases get the time the coordinator was away.
  absl::Status Recover();
  // Applies what time has done; to be called about once a second.
  absl::Status Sweep();

  // --- for users ---

  // Durable when it returns. `digest` identifies the request's body: the same request id
  // with the same digest returns the first call's job. kInvalidArgument REQUEST_ID_REUSED:
  // with another. kFailedPrecondition NO_MATCHING_WORKER: fan-out `all` over no host.
  absl::StatusOr<JobId> CreateJob(const JobSpec& spec, const std::string& request_id, const std::string& digest);
  // kNotFound JOB_NOT_FOUND.
  absl::Status CancelJob(const JobId& id);

  // --- for workers ---

  // kAlreadyExists WORKER_NAME_TAKEN: a live worker of another identity has the name.
  absl::StatusOr<SessionId> OpenSession(const WorkerHello& hello);
  // kNotFound SESSION_NOT_FOUND. kAborted SYNC_SUPERSEDED: nothing was changed.
  absl::StatusOr<SyncAnswer> Sync(const SyncCall& call);
  // The number of chunks stored. kFailedPrecondition STALE_LEASE, CHUNK_CONFLICT or CHUNK_GAP.
  absl::StatusOr<int> PutChunk(const SessionId& session, const RunId& run_id, LeaseEpoch epoch, const Chunk& chunk);
  // The run's state. kFailedPrecondition STALE_LEASE, RESULT_CONFLICT or CHUNK_GAP.
  absl::StatusOr<RunState> CompleteAttempt(const Completion& completion);
  absl::Status CloseSession(const SessionId& id);

  // The session as it was opened. kNotFound SESSION_NOT_FOUND.
  absl::StatusOr<SessionRecord> GetSession(const SessionId& id);

 private:
  // One unit of work with what it leads to: whom to tell and what to count.
  class Work;

  absl::Status Write(absl::string_view operation, absl::FunctionRef<absl::Status(Work&)> body);

  JobStore& store_;
  const Clock& clock_;
  NoticeBoard& board_;
  CoordinatorObserver& observer_;
  const CoordinatorOptions options_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_COORDINATOR_H_
