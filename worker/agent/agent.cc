#include "worker/agent/agent.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kShortestCall = absl::Milliseconds(1);

std::string Message(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

Agent::Agent(AgentOptions options, AgentPorts ports)
    : options_(std::move(options)),
      ports_(std::move(ports)),
      backoff_(options_.backoff, options_.seed),
      obstacle_backoff_(options_.backoff, options_.seed + 1),
      next_seed_(options_.seed + 2) {}

Agent::~Agent() = default;

absl::StatusOr<AgentEnd> Agent::Run() {
  BeginWithLeftovers();
  while (true) {
    TakeEvents();
    CarryOut(keeper_.OnTime(MonotonicNow()));
    TryHostLock();
    FreeHostLock();  // between runs it is for others, to be taken again with an offer
    if (end_.has_value() && MayEnd()) break;
    if (!sessions_.Get().has_value()) {
      BF_RETURN_IF_ERROR(OpenSession());
    } else {
      SyncOnce();
    }
  }
  SayGoodbye();
  return *end_;
}

void Agent::Shutdown(const std::string& reason) {
  int64_t hanging = 0;
  {
    MutexLock lock(mutex_);
    shutdown_request_ = reason;
    hanging = hanging_sequence_;
    changed_.SignalAll();
  }
  if (hanging != 0) ports_.link.CancelSync(hanging);
}

std::string Agent::CurrentAttempt() const {
  MutexLock lock(mutex_);
  return current_attempt_;
}

void Agent::BeginWithLeftovers() {
  std::vector<std::unique_ptr<SpoolEntry>> entries = RecoverLeftovers(ports_.spool, ports_.kill_processes);
  if (entries.empty()) return;
  for (const auto& entry : entries) keeper_.AddLeftover(entry->lease());
  leftovers_ = std::make_unique<LeftoverSender>(ports_.link, sessions_, std::move(entries), NewBackoff(),
                                                [this](const LeaseKey& lease) {
                                                  Event event;
                                                  event.lease = lease;
                                                  event.leftover = true;
                                                  Post(std::move(event));
                                                });
}

absl::Status Agent::OpenSession() {
  const absl::StatusOr<SessionTerms> terms = ports_.link.OpenSession(options_.identity, CallTimeout(kCallTimeout));
  const absl::Duration now = MonotonicNow();
  reached_ = terms.ok();
  if (terms.ok()) {
    // The back-off knows health by its age, so a session that ends at once is not opened in a tight loop.
    backoff_.OnSuccess(now);
    backoff_.set_window(terms->reconnect_window);
    sessions_.Set(*terms);
    spdlog::info("session {} is open", terms->id.value());
    return absl::OkStatus();
  }
  if (absl::IsInvalidArgument(terms.status())) return terms.status();
  const absl::Duration delay = backoff_.OnFailure(now);
  spdlog::warn("cannot open a session, next try in {}: {}", absl::FormatDuration(delay), Message(terms.status()));
  WaitForEvent(std::min(now + delay, NextDue()));
  return absl::OkStatus();
}

void Agent::SyncOnce() {
  const std::optional<SessionTerms> terms = sessions_.Get();
  WorkerStatement statement;
  const absl::Duration begin = MonotonicNow();
  {
    MutexLock lock(mutex_);
    if (HasNewsLocked()) return;
    statement = keeper_.NextStatement(begin);
    hanging_sequence_ = statement.sequence;
  }
  const absl::Duration wake_at = NextDue();
  const absl::StatusOr<CoordinatorAnswer> answer =
      ports_.link.Sync(terms->id, statement, CallTimeout(terms->sync_hang + kSyncSlack));
  {
    MutexLock lock(mutex_);
    hanging_sequence_ = 0;
  }
  const bool interrupted = TakeEvents();
  if (!answer.ok()) {
    // Interrupted by ourselves: an event came, or something fell due.
    if (absl::IsCancelled(answer.status()) && interrupted) return;
    if (absl::IsDeadlineExceeded(answer.status()) && MonotonicNow() >= wake_at) return;
    return OnSyncFailed(answer.status());
  }
  reached_ = true;
  backoff_.OnSuccess(MonotonicNow());
  TryHostLock();  // the Sync may have hung for long before an offer came
  const KeeperStep step = keeper_.OnAnswer(*answer, MonotonicNow());
  CarryOut(step);
  if (!step.changed) WaitForEvent(std::min(begin + options_.min_sync_period, NextDue()));
}

void Agent::OnSyncFailed(const absl::Status& status) {
  const absl::Duration now = MonotonicNow();
  reached_ = false;
  if (ErrorReason(status) == "SESSION_NOT_FOUND") sessions_.Clear();
  const absl::Duration delay = backoff_.OnFailure(now);
  spdlog::warn("sync failed, next try in {}: {}", absl::FormatDuration(delay), Message(status));
  WaitForEvent(std::min(now + delay, NextDue()));
}

void Agent::TryHostLock() {
  if (host_lock_.has_value() || !keeper_.holds_nothing()) return;
  const absl::Duration now = MonotonicNow();
  absl::StatusOr<UniqueFd> lock = ports_.lock_host();
  if (lock.ok()) {
    if (recheck_obstacle_at_.has_value()) spdlog::info("the host lock is free");
    recheck_obstacle_at_.reset();
    obstacle_backoff_.OnSuccess(now);
    keeper_.SetObstacle("");
    host_lock_ = *std::move(lock);
    return;
  }
  if (!recheck_obstacle_at_.has_value()) spdlog::info("takes no work: {}", Message(lock.status()));
  if (!recheck_obstacle_at_.has_value() || now >= *recheck_obstacle_at_) {
    recheck_obstacle_at_ = now + obstacle_backoff_.OnFailure(now);
  }
  keeper_.SetObstacle(Message(lock.status()));
}

void Agent::FreeHostLock() {
  if (!keeper_.needs_host()) host_lock_.reset();
}

bool Agent::TakeEvents() {
  std::vector<Event> events;
  std::optional<std::string> shutdown;
  {
    MutexLock lock(mutex_);
    events.swap(events_);
    shutdown.swap(shutdown_request_);
    for (const Event& event : events) {
      if (!event.leftover) current_attempt_.clear();
    }
  }
  for (const Event& event : events) {
    if (event.measured) {
      keeper_.OnMeasured(event.lease);
      continue;
    }
    keeper_.OnSettled(event.lease);
    if (!options_.once || event.leftover || end_.has_value()) continue;
    end_ = event.acknowledged == AttemptEnd::kSucceeded ? AgentEnd::kOnceSucceeded : AgentEnd::kOnceFailed;
    BeginShutdown("took its one job");
  }
  if (shutdown.has_value() && !shutdown_until_.has_value()) {
    end_ = AgentEnd::kStopped;
    BeginShutdown(*shutdown);
  }
  return !events.empty() || shutdown.has_value();
}

void Agent::BeginShutdown(const std::string& reason) {
  spdlog::info("ending: {}", reason);
  shutdown_until_ = MonotonicNow() + options_.shutdown_timeout;
  CarryOut(keeper_.OnShutdown(reason));
}

void Agent::CarryOut(const KeeperStep& step) {
  for (const KeeperCommand& command : step.commands) {
    if (const auto* start = std::get_if<StartRun>(&command)) {
      StartTask(*start);
    } else if (const auto* stop = std::get_if<StopRun>(&command); stop != nullptr && task_ != nullptr) {
      task_->Stop(stop->kind, stop->reason);
    }
  }
}

void Agent::StartTask(const StartRun& start) {
  task_.reset();  // has settled: the keeper starts nothing before
  {
    MutexLock lock(mutex_);
    current_attempt_ = AttemptToken(start.lease);
  }
  RunTask::Callbacks callbacks;
  callbacks.measured = [this, lease = start.lease] {
    Event event;
    event.lease = lease;
    event.measured = true;
    Post(std::move(event));
  };
  callbacks.settled = [this, lease = start.lease](const RunTaskResult& result) {
    Event event;
    event.lease = lease;
    event.acknowledged = result.acknowledged;
    Post(std::move(event));
  };
  task_ = std::make_unique<RunTask>(RunTaskPorts{ports_.link, sessions_, ports_.spool, ports_.measure}, start,
                                    NewBackoff(), std::move(callbacks));
}

bool Agent::MayEnd() const {
  if (MonotonicNow() >= *shutdown_until_) return true;
  // Without a coordinator nobody hears a reason, and results stay in the spool; what runs must still be stopped first.
  return keeper_.holds_nothing() || (!reached_ && !keeper_.has_runner());
}

void Agent::SayGoodbye() {
  // Nothing of a run may outlive the goodbye, which gives its lease to others.
  task_.reset();
  leftovers_.reset();
  const std::optional<SessionTerms> terms = sessions_.Get();
  if (!terms.has_value()) return;
  if (absl::Status closed = ports_.link.CloseSession(terms->id); !closed.ok()) {
    spdlog::warn("the session ends without a goodbye: {}", Message(closed));
  } else {
    spdlog::info("session {} is closed", terms->id.value());
  }
}

Backoff Agent::NewBackoff() { return Backoff(options_.backoff, next_seed_++); }

void Agent::Post(Event event) {
  int64_t hanging = 0;
  {
    MutexLock lock(mutex_);
    // A measured run stays listed as it is: no need to say anything yet.
    if (!event.measured) hanging = hanging_sequence_;
    events_.push_back(std::move(event));
    changed_.SignalAll();
  }
  if (hanging != 0) ports_.link.CancelSync(hanging);
}

bool Agent::HasNewsLocked() const { return !events_.empty() || shutdown_request_.has_value(); }

void Agent::WaitForEvent(absl::Duration until) {
  MutexLock lock(mutex_);
  while (!HasNewsLocked()) {
    const absl::Duration left = until - MonotonicNow();
    if (left <= absl::ZeroDuration()) return;
    changed_.WaitWithTimeout(mutex_, std::min(left, absl::Hours(1)));
  }
}

absl::Duration Agent::NextDue() const {
  absl::Duration due = absl::InfiniteDuration();
  for (const auto& at : {keeper_.NextFence(), shutdown_until_}) {
    if (at.has_value()) due = std::min(due, *at);
  }
  // Who holds something looks for an obstacle once it is gone.
  if (recheck_obstacle_at_.has_value() && keeper_.holds_nothing()) due = std::min(due, *recheck_obstacle_at_);
  return due;
}

absl::Duration Agent::CallTimeout(absl::Duration timeout) const {
  return std::max(kShortestCall, std::min(timeout, NextDue() - MonotonicNow()));
}

}  // namespace benchfleet
