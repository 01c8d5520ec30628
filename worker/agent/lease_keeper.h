// Which leases this worker holds, what the next Sync states about them, and what an
// answer changes. Pure: no clock, no thread, no transport.
//
//   offer -> ACCEPTING (listed) -> answer says running -> RUNNING -> measured -> COMPLETING -> settled
//                                                           | cancel: CANCELLING -> COMPLETING
//                                                           | fence or release: GIVING_BACK -> RELEASED (listed as
//                                                           such) | an answer omits it: LOST (not listed, being
//                                                           stopped)
//
// Time: `now` is the monotonic clock, an argument that must not go backwards. A lease
// lives from before the request that renewed it was sent, so it ends here no later than
// at the coordinator; the fence falls FenceMargin() before that, enough to stop a run.
// Thread-safety: none; one thread owns it.
#ifndef BENCHFLEET_WORKER_AGENT_LEASE_KEEPER_H_
#define BENCHFLEET_WORKER_AGENT_LEASE_KEEPER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/model/ids.h"
#include "common/model/job_spec.h"

namespace benchfleet {

// One leased execution of a run.
struct LeaseKey {
  RunId run_id;
  LeaseEpoch epoch = 0;
  friend bool operator==(const LeaseKey&, const LeaseKey&) = default;
  friend auto operator<=>(const LeaseKey&, const LeaseKey&) = default;
};

// "<run id>:<epoch>"; also the token by which processes of the attempt are found.
std::string AttemptToken(const LeaseKey& lease);

enum class StatedAs { kHeld, kCancelling, kReleased };

struct StatedLease {
  LeaseKey lease;
  StatedAs as = StatedAs::kHeld;
  std::string reason;  // with kReleased
  friend bool operator==(const StatedLease&, const StatedLease&) = default;
};

// What the worker says in one Sync.
struct WorkerStatement {
  int64_t sequence = 0;
  std::vector<StatedLease> leases;
  bool wants_work = false;
  std::string idle_reason;  // when it wants none
};

enum class GrantState { kOffered, kRunning, kUnknown };

struct LeaseGrant {
  LeaseKey lease;
  GrantState state = GrantState::kUnknown;  // kUnknown: of a later protocol; renews nothing, ends nothing
  absl::Duration ttl;
  bool cancel = false;
  // With kOffered: the job, or why this worker cannot read it.
  absl::StatusOr<JobSpec> spec = absl::UnknownError("no spec");
  absl::Duration run_timeout;
};

// What the coordinator answers.
struct CoordinatorAnswer {
  int64_t sequence = 0;
  std::vector<LeaseGrant> leases;
};

// Begin the attempt. `spec` as in the offer: an error is how the attempt ends.
struct StartRun {
  LeaseKey lease;
  absl::StatusOr<JobSpec> spec;
  absl::Duration run_timeout;
  bool cancelled = false;  // cancelled by now: measure nothing, only report
};

enum class StopKind {
  kCancel,   // report the attempt as cancelled
  kAbandon,  // report nothing, keep nothing
};

// Stop what was started. May come again for the same lease.
struct StopRun {
  LeaseKey lease;
  StopKind kind = StopKind::kAbandon;
  std::string reason;
};

using KeeperCommand = std::variant<StartRun, StopRun>;

struct KeeperStep {
  std::vector<KeeperCommand> commands;  // to be carried out in order
  bool changed = false;                 // the next statement says something new
};

// The coordinator's bound on one statement.
inline constexpr size_t kMaxStatedLeases = 16;

// Time kept between fence and end of a lease: a stop may have to wait 10 s for a call
// that sends the plan, and then takes up to 5 s until the runner is killed.
absl::Duration FenceMargin(absl::Duration ttl);

class LeaseKeeper {
 public:
  // The result of an earlier process is being sent under its old epoch.
  void AddLeftover(const LeaseKey& lease);

  // Why no offer can be taken now, for example "host lock is held by process 12"; empty: it can.
  void SetObstacle(std::string obstacle) { obstacle_ = std::move(obstacle); }

  // The statement of a Sync that is about to be sent; supersedes the earlier ones.
  WorkerStatement NextStatement(absl::Duration now);
  // Changes nothing unless it answers the newest statement.
  KeeperStep OnAnswer(const CoordinatorAnswer& answer, absl::Duration now);
  // Stops the run whose lease is about to end unrenewed.
  KeeperStep OnTime(absl::Duration now);
  // Gives back everything that has no result yet and takes nothing more.
  KeeperStep OnShutdown(absl::string_view reason);

  // The runner of the lease is gone and its result is being sent.
  void OnMeasured(const LeaseKey& lease);
  // Nothing of the lease is left here: acknowledged, refused or abandoned.
  void OnSettled(const LeaseKey& lease);

  // When OnTime() has something to do next.
  std::optional<absl::Duration> NextFence() const;
  bool holds_nothing() const { return held_.empty(); }
  // Whether a runner may be alive.
  bool has_runner() const;
  // Whether one may be alive or is about to be.
  bool needs_host() const;
  int64_t newest_sequence() const { return sequence_; }

 private:
  enum class State { kAccepting, kRunning, kCancelling, kGivingBack, kReleased, kCompleting, kLost };
  struct Held {
    State state = State::kAccepting;
    bool unlisted = false;  // kCompleting: the coordinator has let it go
    absl::StatusOr<JobSpec> spec = absl::UnknownError("started");
    absl::Duration run_timeout;
    absl::Duration renewed_at;
    absl::Duration fence;
    std::string reason;
  };

  void OnGranted(const LeaseKey& lease, Held& held, const LeaseGrant& grant, absl::Duration now, KeeperStep& step);
  // Whether the lease is to be forgotten.
  bool OnOmitted(const LeaseKey& lease, Held& held, KeeperStep& step);
  void OnOffer(const LeaseGrant& grant, KeeperStep& step);
  std::string WhyNoWork() const;

  std::map<LeaseKey, Held> held_;
  std::string obstacle_;
  std::string shutdown_reason_;  // not empty once shutting down
  int64_t sequence_ = 0;
  absl::Duration sent_at_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_LEASE_KEEPER_H_
