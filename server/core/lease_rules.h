// The rules of a lease: which event leads a run from which state to which. Pure: no
// clock, no storage, no transport. docs/lease_rules.md holds the same as a table.
//
// A run is QUEUED until it is offered to a worker, OFFERED until the worker lists the
// offer, RUNNING while the worker lists it, and then in one of the terminal states. A
// worker never asks for a transition: it states in each Sync what it holds, and the
// rules compare that with what the coordinator knows.
//
// Time: `now` is an argument. A lease is live while now < expires_at.
// Thread-safety: values and functions only.
#ifndef BENCHFLEET_SERVER_CORE_LEASE_RULES_H_
#define BENCHFLEET_SERVER_CORE_LEASE_RULES_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/model/ids.h"
#include "common/model/states.h"

namespace benchfleet {

// A host during one boot of its kernel. A new session of the same owner takes over the
// leases of the earlier one; after a reboot nothing of them can still run.
struct LeaseOwner {
  HostName host;
  std::string boot_id;
  friend bool operator==(const LeaseOwner&, const LeaseOwner&) = default;
};

struct LeasePolicy {
  absl::Duration accept_deadline = absl::Seconds(10);  // an offer that is not listed by then goes back
  absl::Duration ttl = absl::Seconds(90);              // of a running lease, from its last renewal
  absl::Duration run_timeout = absl::Hours(1);         // of one attempt
  int max_attempts = 3;                                // lost ones, before the run is quarantined
};

// The part of a run that the rules speak about.
struct RunLease {
  RunState state = RunState::kQueued;
  LeaseEpoch epoch = 0;                             // of the newest lease
  LeaseOwner owner;                                 // of the newest lease
  absl::Time expires_at = absl::InfiniteFuture();   // QUEUED: end of the queue timeout; OFFERED: accept by;
                                                    // RUNNING: renewed until
  absl::Time deadline_at = absl::InfiniteFuture();  // RUNNING: end of the attempt's time
  absl::Duration queue_timeout = absl::Hours(24);
  int attempts_spent = 0;
  bool cancel_requested = false;
  friend bool operator==(const RunLease&, const RunLease&) = default;
};

// What one event did.
struct LeaseStep {
  RunLease next;
  bool granted = false;             // belongs in the worker's answer
  bool news = false;                // the worker must hear of it now, not after the hang
  bool accepted = false;            // an attempt begins
  std::optional<AttemptEnd> ended;  // an attempt ends (it was RUNNING)
  std::string detail;               // why it ended, for a person
};

// How a worker's Sync lists a lease.
enum class Listing { kHeld, kCancelling, kReleased, kUnlisted };

// A queued run is offered. `epoch` is greater than any before. Requires: QUEUED.
LeaseStep OnOffer(const RunLease& lease, LeaseEpoch epoch, const LeaseOwner& to, absl::Time now,
                  const LeasePolicy& policy);

// The owner's Sync speaks (or is silent) about a lease that is OFFERED to it or RUNNING
// on it. `listed_epoch` is what it lists; a lease listed under another epoch counts as unlisted.
// `reason` is why it gives the lease back. Requires: OFFERED or RUNNING, owned by the caller.
LeaseStep OnListed(const RunLease& lease, Listing listing, LeaseEpoch listed_epoch, absl::string_view reason,
                   absl::Time now, const LeasePolicy& policy);

// Time passed: the queue timeout, the accept deadline, the lease or the attempt's time
// may be over. Changes nothing when none is.
LeaseStep OnTime(const RunLease& lease, absl::Time now, const LeasePolicy& policy);

// The owner's process or its boot has ended, so the lease cannot be listed any more.
// `orderly`: it said goodbye, which spends no attempt.
LeaseStep OnOwnerGone(const RunLease& lease, bool orderly, absl::Time now, const LeasePolicy& policy);

// A user cancels. What has ended stays as it is.
LeaseStep OnCancel(const RunLease& lease);

// FAILED_PRECONDITION STALE_LEASE unless `by` holds the lease `epoch` of a RUNNING run.
absl::Status CheckHolder(const RunLease& lease, LeaseEpoch epoch, const LeaseOwner& by);

// The holder reports the end: SUCCEEDED, FAILED, CRASHED or CANCELLED (INVALID_ARGUMENT otherwise).
// STALE_LEASE as CheckHolder. A result that comes before the cancel is heard wins.
absl::StatusOr<LeaseStep> OnComplete(const RunLease& lease, LeaseEpoch epoch, const LeaseOwner& by, AttemptEnd end,
                                     absl::string_view detail, absl::Time now, const LeasePolicy& policy);

// Whether an end counts against `max_attempts`.
bool SpendsAttempt(AttemptEnd end);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_LEASE_RULES_H_
