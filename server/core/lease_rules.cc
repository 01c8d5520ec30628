#include "server/core/lease_rules.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

// How long a lease lives on that its worker does not list. Less than what one that is renewed
// in time ever has left, also where the ttl is short.
absl::Duration ShortenedTtl(const LeasePolicy& policy) { return std::min(policy.accept_deadline, policy.ttl / 2); }

// The lease goes back to the queue, or where a cancel or too many losses lead.
RunLease BackToQueue(RunLease lease, absl::Time now, const LeasePolicy& policy) {
  lease.deadline_at = absl::InfiniteFuture();
  lease.expires_at = absl::InfiniteFuture();
  if (lease.cancel_requested) {
    lease.state = RunState::kCancelled;
  } else if (lease.attempts_spent >= policy.max_attempts) {
    lease.state = RunState::kQuarantined;
  } else {
    lease.state = RunState::kQueued;
    lease.expires_at = now + lease.queue_timeout;
  }
  return lease;
}

// An attempt ends without a result.
LeaseStep EndAttempt(RunLease lease, AttemptEnd end, std::string detail, absl::Time now, const LeasePolicy& policy) {
  if (SpendsAttempt(end)) ++lease.attempts_spent;
  LeaseStep step;
  step.next = BackToQueue(std::move(lease), now, policy);
  step.ended = end;
  step.detail = std::move(detail);
  step.news = true;
  return step;
}

// An offer ends before it became an attempt.
LeaseStep WithdrawOffer(const RunLease& lease, absl::Time now, const LeasePolicy& policy) {
  LeaseStep step;
  step.next = BackToQueue(lease, now, policy);
  step.news = true;
  return step;
}

LeaseStep Keep(const RunLease& lease, bool granted, bool news) {
  LeaseStep step;
  step.next = lease;
  step.granted = granted;
  step.news = news;
  return step;
}

LeaseStep OnListedOffer(const RunLease& lease, Listing listing, absl::Time now, const LeasePolicy& policy) {
  switch (listing) {
    case Listing::kReleased:
      return WithdrawOffer(lease, now, policy);
    case Listing::kUnlisted:
      // The answer that carried the offer may be lost: say it again until it expires.
      return Keep(lease, /*granted=*/true, /*news=*/true);
    case Listing::kHeld:
    case Listing::kCancelling:
      break;
  }
  LeaseStep step = Keep(lease, /*granted=*/true, /*news=*/true);
  step.next.state = RunState::kRunning;
  step.next.expires_at = now + policy.ttl;
  step.next.deadline_at = now + policy.run_timeout;
  step.accepted = true;
  return step;
}

LeaseStep OnListedRunning(const RunLease& lease, Listing listing, absl::string_view reason, absl::Time now,
                          const LeasePolicy& policy) {
  switch (listing) {
    case Listing::kReleased:
      return EndAttempt(lease, AttemptEnd::kReleased, std::string(reason), now, policy);
    case Listing::kUnlisted: {
      // The worker does not have it. It may be a call that crossed the accepting one, so
      // the lease is not ended at once, only shortened; listing it again restores it.
      LeaseStep step = Keep(lease, /*granted=*/true, /*news=*/false);
      step.next.expires_at = std::min(lease.expires_at, now + ShortenedTtl(policy));
      return step;
    }
    case Listing::kHeld:
    case Listing::kCancelling:
      break;
  }
  const bool was_shortened = lease.expires_at <= now + ShortenedTtl(policy);
  const bool cancel_is_news = lease.cancel_requested && listing == Listing::kHeld;
  LeaseStep step = Keep(lease, /*granted=*/true, /*news=*/was_shortened || cancel_is_news);
  const absl::Time renewed = now + policy.ttl;
  // A renewal that adds little is not worth a write.
  if (renewed - lease.expires_at >= policy.ttl / 8) step.next.expires_at = renewed;
  return step;
}

}  // namespace

bool SpendsAttempt(AttemptEnd end) {
  switch (end) {
    case AttemptEnd::kCrashed:
    case AttemptEnd::kHeartbeat:
    case AttemptEnd::kDeadline:
    case AttemptEnd::kSessionEnded:
      return true;
    case AttemptEnd::kSucceeded:
    case AttemptEnd::kFailed:
    case AttemptEnd::kCancelled:
    case AttemptEnd::kReleased:
      return false;
  }
  return false;
}

LeaseStep OnOffer(const RunLease& lease, LeaseEpoch epoch, const LeaseOwner& to, absl::Time now,
                  const LeasePolicy& policy) {
  LeaseStep step = Keep(lease, /*granted=*/true, /*news=*/true);
  step.next.state = RunState::kOffered;
  step.next.epoch = epoch;
  step.next.owner = to;
  step.next.expires_at = now + policy.accept_deadline;
  return step;
}

LeaseStep OnListed(const RunLease& lease, Listing listing, LeaseEpoch listed_epoch, absl::string_view reason,
                   absl::Time now, const LeasePolicy& policy) {
  // What is over by the clock is over, even if the sweep has not come by yet.
  if (LeaseStep timed = OnTime(lease, now, policy); timed.next.state != lease.state) return timed;
  if (listed_epoch != lease.epoch) listing = Listing::kUnlisted;
  return lease.state == RunState::kOffered ? OnListedOffer(lease, listing, now, policy)
                                           : OnListedRunning(lease, listing, reason, now, policy);
}

LeaseStep OnTime(const RunLease& lease, absl::Time now, const LeasePolicy& policy) {
  switch (lease.state) {
    case RunState::kQueued:
      if (now >= lease.expires_at) {
        LeaseStep step = Keep(lease, /*granted=*/false, /*news=*/false);
        step.next.state = RunState::kExpired;
        step.next.expires_at = absl::InfiniteFuture();
        step.detail = absl::StrCat("no worker took it within ", absl::FormatDuration(lease.queue_timeout));
        return step;
      }
      break;
    case RunState::kOffered:
      if (now >= lease.expires_at) return WithdrawOffer(lease, now, policy);
      break;
    case RunState::kRunning:
      if (now >= lease.deadline_at) {
        return EndAttempt(lease, AttemptEnd::kDeadline,
                          absl::StrCat("took longer than ", absl::FormatDuration(policy.run_timeout)), now, policy);
      }
      if (now >= lease.expires_at) {
        return EndAttempt(lease, AttemptEnd::kHeartbeat,
                          absl::StrCat("worker ", lease.owner.host.value(), " stopped listing it"), now, policy);
      }
      break;
    default:
      break;
  }
  return Keep(lease, /*granted=*/false, /*news=*/false);
}

LeaseStep OnOwnerGone(const RunLease& lease, bool orderly, absl::Time now, const LeasePolicy& policy) {
  if (lease.state == RunState::kOffered) return WithdrawOffer(lease, now, policy);
  if (lease.state != RunState::kRunning) return Keep(lease, /*granted=*/false, /*news=*/false);
  if (orderly) return EndAttempt(lease, AttemptEnd::kReleased, "the worker closed its session", now, policy);
  return EndAttempt(lease, AttemptEnd::kSessionEnded, absl::StrCat("host ", lease.owner.host.value(), " restarted"),
                    now, policy);
}

LeaseStep OnCancel(const RunLease& lease) {
  LeaseStep step = Keep(lease, /*granted=*/false, /*news=*/false);
  if (IsTerminal(lease.state)) return step;
  step.next.cancel_requested = true;
  if (lease.state == RunState::kRunning) {
    step.news = true;  // it ends when the worker reports, or at its expiry
    return step;
  }
  step.next.state = RunState::kCancelled;
  step.next.expires_at = absl::InfiniteFuture();
  return step;
}

absl::Status CheckHolder(const RunLease& lease, LeaseEpoch epoch, const LeaseOwner& by) {
  if (lease.state == RunState::kRunning && lease.epoch == epoch && lease.owner == by) return absl::OkStatus();
  return ErrorWithReason(
      absl::StatusCode::kFailedPrecondition, "STALE_LEASE",
      absl::StrCat("lease_epoch: ", epoch, " of host ", by.host.value(), " is not the running lease; the run is ",
                   Word(lease.state), " at epoch ", lease.epoch));
}

absl::StatusOr<LeaseStep> OnComplete(const RunLease& lease, LeaseEpoch epoch, const LeaseOwner& by, AttemptEnd end,
                                     absl::string_view detail, absl::Time now, const LeasePolicy& policy) {
  BF_RETURN_IF_ERROR(CheckHolder(lease, epoch, by));
  switch (end) {
    case AttemptEnd::kCrashed:
      return EndAttempt(lease, end, std::string(detail), now, policy);
    case AttemptEnd::kSucceeded:
    case AttemptEnd::kFailed:
    case AttemptEnd::kCancelled: {
      LeaseStep step;
      step.next = lease;
      step.next.expires_at = absl::InfiniteFuture();
      step.next.deadline_at = absl::InfiniteFuture();
      step.next.state = end == AttemptEnd::kSucceeded ? RunState::kSucceeded
                        : end == AttemptEnd::kFailed  ? RunState::kFailed
                                                      : RunState::kCancelled;
      step.ended = end;
      step.detail = std::string(detail);
      return step;
    }
    default:
      return ErrorWithReason(absl::StatusCode::kInvalidArgument, "INVALID_FIELD",
                             absl::StrCat("end: '", Word(end), "' is not an end a worker can report"));
  }
}

}  // namespace benchfleet
