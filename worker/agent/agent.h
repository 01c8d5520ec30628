// The worker's life: a session with the coordinator, one Sync after the other, one run
// at a time.
//
// Threads: Run() keeps session and leases; a RunTask measures and sends; a
// LeftoverSender sends what an earlier process left. They tell Run() through events, and
// an event ends the Sync that hangs.
#ifndef BENCHFLEET_WORKER_AGENT_AGENT_H_
#define BENCHFLEET_WORKER_AGENT_AGENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/base/mutex.h"
#include "common/os/unique_fd.h"
#include "worker/agent/backoff.h"
#include "worker/agent/coordinator_link.h"
#include "worker/agent/lease_keeper.h"
#include "worker/agent/leftovers.h"
#include "worker/agent/run_task.h"
#include "worker/agent/session_box.h"
#include "worker/agent/spool.h"

namespace benchfleet {

struct AgentOptions {
  WorkerIdentity identity;
  bool once = false;  // take one job, then end
  BackoffOptions backoff;
  uint64_t seed = 0;  // of all jitter
  // Time an orderly end may take: the runner's 5 s, then the goodbye.
  absl::Duration shutdown_timeout = absl::Seconds(20);
  // A coordinator that answers at once with nothing new is not asked more often than this.
  absl::Duration min_sync_period = absl::Milliseconds(200);
};

struct AgentPorts {
  CoordinatorLink& link;
  Spool& spool;
  MeasureFunction measure;
  KillFunction kill_processes;
  // The lock of this kernel's one benchmark, held while the descriptor lives; the error says who has it.
  std::function<absl::StatusOr<UniqueFd>()> lock_host;
};

enum class AgentEnd {
  kStopped,        // Shutdown()
  kOnceSucceeded,  // the one job succeeded
  kOnceFailed,     // it did not
};

// Thread-safety: Run() is called once; Shutdown() and CurrentAttempt() from any thread.
class Agent {
 public:
  Agent(AgentOptions options, AgentPorts ports);
  ~Agent();

  // Returns when the worker has ended. kInvalidArgument: the coordinator refuses this
  // worker for what it is. Every other trouble is met with patience.
  absl::StatusOr<AgentEnd> Run();

  // Stops the run, gives its lease back and ends the session.
  void Shutdown(const std::string& reason) ABSL_LOCKS_EXCLUDED(mutex_);
  // The token of the attempt whose processes may be alive; empty: none.
  std::string CurrentAttempt() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Event {
    LeaseKey lease;
    bool measured = false;  // else settled
    bool leftover = false;
    std::optional<AttemptEnd> acknowledged;
  };

  // The steps of the loop, on Run()'s thread.
  void BeginWithLeftovers();
  absl::Status OpenSession();
  void SyncOnce();
  void OnSyncFailed(const absl::Status& status);
  // Takes the host lock if it is free and nothing is held, else notes who has it.
  void TryHostLock();
  // Lets others measure as soon as nothing here will.
  void FreeHostLock();
  // Whether there were any.
  bool TakeEvents() ABSL_LOCKS_EXCLUDED(mutex_);
  void BeginShutdown(const std::string& reason);
  void CarryOut(const KeeperStep& step);
  void StartTask(const StartRun& start) ABSL_LOCKS_EXCLUDED(mutex_);
  bool MayEnd() const;
  void SayGoodbye();
  Backoff NewBackoff();

  void Post(Event event) ABSL_LOCKS_EXCLUDED(mutex_);
  bool HasNewsLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Waits until `until`, or until there is an event.
  void WaitForEvent(absl::Duration until) ABSL_LOCKS_EXCLUDED(mutex_);
  // When something falls due that waits for no event.
  absl::Duration NextDue() const;
  // `timeout`, cut so that what falls due is met.
  absl::Duration CallTimeout(absl::Duration timeout) const;

  const AgentOptions options_;
  const AgentPorts ports_;
  SessionBox sessions_;

  // Of Run()'s thread.
  LeaseKeeper keeper_;
  Backoff backoff_;
  Backoff obstacle_backoff_;
  uint64_t next_seed_;
  std::optional<absl::Duration> recheck_obstacle_at_;
  std::optional<UniqueFd> host_lock_;
  std::optional<absl::Duration> shutdown_until_;
  bool reached_ = false;         // the coordinator, by the last call
  std::optional<AgentEnd> end_;  // once set, the way leads out

  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<Event> events_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::string> shutdown_request_ ABSL_GUARDED_BY(mutex_);
  std::string current_attempt_ ABSL_GUARDED_BY(mutex_);
  int64_t hanging_sequence_ ABSL_GUARDED_BY(mutex_) = 0;  // of the Sync under way; 0: none

  // Last: their threads post events.
  std::unique_ptr<RunTask> task_;
  std::unique_ptr<LeftoverSender> leftovers_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_AGENT_H_
