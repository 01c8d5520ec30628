#include "worker/agent/lease_keeper.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kMaxFenceMargin = absl::Seconds(20);

void AddStop(const LeaseKey& lease, StopKind kind, absl::string_view reason, KeeperStep& step) {
  step.commands.push_back(StopRun{lease, kind, std::string(reason)});
  step.changed = true;
}

}  // namespace

std::string AttemptToken(const LeaseKey& lease) { return absl::StrCat(lease.run_id.value(), ":", lease.epoch); }

absl::Duration FenceMargin(absl::Duration ttl) { return std::min(kMaxFenceMargin, ttl / 3); }

void LeaseKeeper::AddLeftover(const LeaseKey& lease) { held_[lease].state = State::kCompleting; }

WorkerStatement LeaseKeeper::NextStatement(absl::Duration now) {
  sent_at_ = now;
  WorkerStatement statement;
  statement.sequence = ++sequence_;
  for (const auto& [lease, held] : held_) {
    if (held.state == State::kLost || held.unlisted || statement.leases.size() == kMaxStatedLeases) continue;
    StatedLease& stated = statement.leases.emplace_back();
    stated.lease = lease;
    if (held.state == State::kCancelling) stated.as = StatedAs::kCancelling;
    if (held.state == State::kReleased) {
      stated.as = StatedAs::kReleased;
      stated.reason = held.reason;
    }
  }
  statement.idle_reason = WhyNoWork();
  statement.wants_work = statement.idle_reason.empty();
  return statement;
}

KeeperStep LeaseKeeper::OnAnswer(const CoordinatorAnswer& answer, absl::Duration now) {
  KeeperStep step;
  if (answer.sequence != sequence_) return step;
  std::map<LeaseKey, const LeaseGrant*> grants;
  for (const LeaseGrant& grant : answer.leases) grants.emplace(grant.lease, &grant);
  for (auto it = held_.begin(); it != held_.end();) {
    const auto grant = grants.find(it->first);
    if (grant != grants.end()) {
      OnGranted(it->first, it->second, *grant->second, now, step);
      grants.erase(grant);
      ++it;
    } else if (OnOmitted(it->first, it->second, step)) {
      it = held_.erase(it);
      step.changed = true;
    } else {
      ++it;
    }
  }
  // A running lease that is not held here is left alone: the coordinator ends it when it stays unlisted.
  for (const auto& [lease, grant] : grants) {
    if (grant->state == GrantState::kOffered) OnOffer(*grant, step);
  }
  return step;
}

void LeaseKeeper::OnGranted(const LeaseKey& lease, Held& held, const LeaseGrant& grant, absl::Duration now,
                            KeeperStep& step) {
  if (grant.state != GrantState::kRunning) return;
  if (held.state != State::kAccepting && held.state != State::kRunning) return;
  const absl::Duration fence = sent_at_ + grant.ttl - FenceMargin(grant.ttl);
  if (held.state == State::kAccepting) {
    // An answer that took nearly the whole lease to come starts nothing; the next one may.
    if (fence <= now) return;
    held.state = State::kRunning;
    step.commands.push_back(StartRun{lease, std::move(held.spec), held.run_timeout, grant.cancel});
    step.changed = true;
    if (grant.cancel) held.state = State::kCancelling;
  }
  held.renewed_at = sent_at_;
  held.fence = fence;
  if (grant.cancel && held.state == State::kRunning) {
    held.state = State::kCancelling;
    AddStop(lease, StopKind::kCancel, "cancelled", step);
  }
}

bool LeaseKeeper::OnOmitted(const LeaseKey& lease, Held& held, KeeperStep& step) {
  switch (held.state) {
    case State::kAccepting:
    case State::kReleased:
      return true;
    case State::kRunning:
    case State::kCancelling:
    case State::kGivingBack:
      held.state = State::kLost;
      AddStop(lease, StopKind::kAbandon, "the coordinator no longer lists the lease", step);
      return false;
    case State::kCompleting:
      held.unlisted = true;  // its result is still on the way to an acknowledgement or a refusal
      return false;
    case State::kLost:
      return false;
  }
  return false;
}

void LeaseKeeper::OnOffer(const LeaseGrant& grant, KeeperStep& step) {
  std::string obstacle = WhyNoWork();
  Held& held = held_[grant.lease];
  if (obstacle.empty()) {
    held.state = State::kAccepting;
    held.spec = grant.spec;
    held.run_timeout = grant.run_timeout;
  } else {
    held.state = State::kReleased;
    held.reason = std::move(obstacle);
  }
  step.changed = true;
}

KeeperStep LeaseKeeper::OnTime(absl::Duration now) {
  KeeperStep step;
  for (auto& [lease, held] : held_) {
    if (held.state != State::kRunning || now < held.fence) continue;
    held.state = State::kGivingBack;
    held.reason = absl::StrCat("no answer from the coordinator for ", absl::FormatDuration(now - held.renewed_at));
    AddStop(lease, StopKind::kAbandon, held.reason, step);
  }
  return step;
}

KeeperStep LeaseKeeper::OnShutdown(absl::string_view reason) {
  KeeperStep step;
  step.changed = true;
  shutdown_reason_ = std::string(reason);
  for (auto& [lease, held] : held_) {
    if (held.state == State::kAccepting) {
      held.state = State::kReleased;
      held.reason = shutdown_reason_;
    } else if (held.state == State::kRunning) {
      held.state = State::kGivingBack;
      held.reason = shutdown_reason_;
      AddStop(lease, StopKind::kAbandon, reason, step);
    }
  }
  return step;
}

void LeaseKeeper::OnMeasured(const LeaseKey& lease) {
  const auto it = held_.find(lease);
  if (it == held_.end()) return;
  // One that is lost, or that is about to be given back, may have finished just before: its result is sent all the
  // same.
  it->second.unlisted = it->second.state == State::kLost;
  it->second.state = State::kCompleting;
}

void LeaseKeeper::OnSettled(const LeaseKey& lease) {
  const auto it = held_.find(lease);
  if (it == held_.end()) return;
  if (it->second.state == State::kGivingBack) {
    it->second.state = State::kReleased;
  } else {
    held_.erase(it);
  }
}

std::optional<absl::Duration> LeaseKeeper::NextFence() const {
  std::optional<absl::Duration> next;
  for (const auto& [lease, held] : held_) {
    if (held.state == State::kRunning && (!next.has_value() || held.fence < *next)) next = held.fence;
  }
  return next;
}

bool LeaseKeeper::has_runner() const {
  return std::any_of(held_.begin(), held_.end(), [](const auto& entry) {
    const State state = entry.second.state;
    return state == State::kRunning || state == State::kCancelling || state == State::kGivingBack ||
           state == State::kLost;
  });
}

bool LeaseKeeper::needs_host() const {
  return has_runner() || std::any_of(held_.begin(), held_.end(),
                                     [](const auto& entry) { return entry.second.state == State::kAccepting; });
}

std::string LeaseKeeper::WhyNoWork() const {
  if (!shutdown_reason_.empty()) return shutdown_reason_;
  for (const auto& [lease, held] : held_) {
    switch (held.state) {
      case State::kAccepting:
      case State::kRunning:
        return absl::StrCat("holds run ", lease.run_id.value());
      case State::kCancelling:
      case State::kGivingBack:
      case State::kLost:
        return absl::StrCat("is stopping run ", lease.run_id.value());
      case State::kCompleting:
        return absl::StrCat("is sending the result of run ", lease.run_id.value());
      case State::kReleased:
        return absl::StrCat("is giving back run ", lease.run_id.value());
    }
  }
  return obstacle_;
}

}  // namespace benchfleet
