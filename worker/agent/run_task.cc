#include "worker/agent/run_task.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/model/states.h"
#include "common/wire/chunk_wire.h"

namespace benchfleet {

RunTask::RunTask(RunTaskPorts ports, StartRun start, Backoff backoff, Callbacks callbacks)
    : ports_(std::move(ports)),
      start_(std::move(start)),
      token_(AttemptToken(start_.lease)),
      callbacks_(std::move(callbacks)),
      backoff_(std::move(backoff)),
      cancelled_(start_.cancelled),
      thread_([this] { Run(); }) {}

RunTask::~RunTask() {
  Quit();
  thread_.join();
}

void RunTask::Stop(StopKind kind, const std::string& reason) {
  MutexLock lock(mutex_);
  if (measured_ || stop_ == StopKind::kAbandon || stop_ == kind) return;
  spdlog::info("run {}: stopping, {}", token_, reason);
  stop_ = kind;
  cancelled_ = true;
  changed_.SignalAll();
}

void RunTask::Quit() {
  Stop(StopKind::kAbandon, "the worker ends");
  MutexLock lock(mutex_);
  quit_ = true;
  changed_.SignalAll();
}

void RunTask::Run() {
  std::optional<RunnerOutcome> outcome = Judge(MeasureRun());
  RunTaskResult result;
  if (outcome.has_value()) {
    callbacks_.measured();
    result = SendResult(*outcome);
  } else {
    DropEntry();
    spdlog::info("run {}: abandoned", token_);
  }
  callbacks_.settled(result);
}

RunnerOutcome RunTask::MeasureRun() {
  const std::optional<SessionTerms> terms = ports_.sessions.Get();
  max_chunk_bytes_ = std::max(kMinChunkBytes, static_cast<size_t>(terms.has_value() ? terms->max_chunk_bytes : 0));
  absl::StatusOr<std::unique_ptr<SpoolEntry>> entry = ports_.spool.Begin(start_.lease);
  if (!entry.ok()) return {AttemptEnd::kCrashed, std::string(entry.status().message())};
  entry_ = *std::move(entry);
  upload_.emplace(ports_.link, ports_.sessions, *entry_);
  if (!start_.spec.ok()) {
    return {AttemptEnd::kCrashed, absl::StrCat("this worker cannot read the job: ", start_.spec.status().message())};
  }
  if (start_.cancelled) return {AttemptEnd::kCancelled, "cancelled before it began"};
  spdlog::info("run {}: started", token_);
  return ports_.measure(*start_.spec, start_.run_timeout, token_, *this, cancelled_);
}

std::optional<RunnerOutcome> RunTask::Judge(RunnerOutcome outcome) {
  MutexLock lock(mutex_);
  measured_ = true;
  if (stop_ == StopKind::kAbandon || IsStaleLease(failure_)) return std::nullopt;
  if (!failure_.ok()) return RunnerOutcome{AttemptEnd::kCrashed, std::string(failure_.message())};
  // What the cancel itself led to, a killed runner or a plan that was given up, is no crash or failure.
  if (stop_ == StopKind::kCancel && (outcome.end == AttemptEnd::kCrashed || plan_given_up_)) {
    return RunnerOutcome{AttemptEnd::kCancelled, absl::StrCat("cancelled; ", outcome.detail)};
  }
  return outcome;
}

RunTaskResult RunTask::SendResult(const RunnerOutcome& outcome) {
  spdlog::info("run {}: ended {}{}{}", token_, std::string(Word(outcome.end)), outcome.detail.empty() ? "" : ", ",
               outcome.detail);
  AttemptCompletion completion{start_.lease, outcome.end, outcome.detail, 0, 0};
  if (entry_ != nullptr) {
    if (absl::Status written = entry_->Complete(outcome.end, outcome.detail); !written.ok()) {
      spdlog::error("run {}: its end is not on disk: {}", token_, std::string(written.message()));
    }
    completion = *entry_->completion();
  }
  const Delivery delivery =
      Deliver(ports_.link, ports_.sessions, upload_.has_value() ? &*upload_ : nullptr, std::move(completion), backoff_,
              [this](absl::Duration timeout) { return WaitWhileSending(timeout); });
  switch (delivery.end) {
    case DeliveryEnd::kAcknowledged:
      spdlog::info("run {}: acknowledged as {}", token_, std::string(Word(delivery.completion.end)));
      DropEntry();
      return {delivery.completion.end};
    case DeliveryEnd::kRefused:
      spdlog::warn("run {}: refused, {}", token_, std::string(delivery.refusal.message()));
      DropEntry();
      return {};
    case DeliveryEnd::kLeft:
      spdlog::warn("run {}: not acknowledged, stays in the spool", token_);
      return {};
  }
  return {};
}

void RunTask::Progress(const std::string& message) { spdlog::debug("run {}: {}", token_, message); }

absl::Status RunTask::Plan(const RunPlan& plan) {
  const std::string payload = EncodeChunk(plan);
  if (payload.size() > max_chunk_bytes_) {
    return Fail(absl::ResourceExhaustedError(
        absl::StrCat("plan: its ", payload.size(), " bytes are over the coordinator's limit of ", max_chunk_bytes_)));
  }
  BF_RETURN_IF_ERROR(SpoolChunk(payload));
  while (true) {
    const absl::Status sent = upload_->SendChunks(kCallTimeout);
    if (sent.ok()) break;
    if (!IsRetryable(sent)) return Fail(sent);
    if (!WaitWhileMeasuring(backoff_.OnFailure(MonotonicNow()))) {
      plan_given_up_ = true;
      return absl::CancelledError("stopped before the plan was acknowledged");
    }
  }
  backoff_.OnSuccess(MonotonicNow());
  spdlog::info("run {}: plan acknowledged, {} cases, {} rounds", token_, plan.cases.size(), plan.rounds);
  return absl::OkStatus();
}

absl::Status RunTask::RoundDone(const Round& round) {
  for (const std::string& payload : EncodeChunks(round, max_chunk_bytes_)) BF_RETURN_IF_ERROR(SpoolChunk(payload));
  const absl::Duration now = MonotonicNow();
  if (now < next_send_) return absl::OkStatus();
  const absl::Status sent = upload_->SendChunks(kMaxRoundSend);
  if (sent.ok()) {
    backoff_.OnSuccess(now);
    return absl::OkStatus();
  }
  if (!IsRetryable(sent)) return Fail(sent);
  // Rounds go on; what waits is sent after a later one.
  next_send_ = MonotonicNow() + backoff_.OnFailure(now);
  spdlog::warn("run {}: round {} waits in the spool: {}", token_, round.index, std::string(sent.message()));
  return absl::OkStatus();
}

absl::Status RunTask::SpoolChunk(absl::string_view payload) {
  if (absl::Status added = entry_->AddChunk(payload); !added.ok()) return Fail(std::move(added));
  return absl::OkStatus();
}

absl::Status RunTask::Fail(absl::Status why) {
  if (failure_.ok()) failure_ = why;
  return why;
}

void RunTask::DropEntry() {
  if (entry_ == nullptr) return;
  if (absl::Status dropped = entry_->Drop(); !dropped.ok()) {
    spdlog::error("run {}: {}", token_, std::string(dropped.message()));
  }
}

bool RunTask::WaitWhileMeasuring(absl::Duration timeout) {
  const absl::Duration until = MonotonicNow() + timeout;
  MutexLock lock(mutex_);
  while (!stop_.has_value()) {
    const absl::Duration left = until - MonotonicNow();
    if (left <= absl::ZeroDuration()) return true;
    changed_.WaitWithTimeout(mutex_, left);
  }
  return false;
}

bool RunTask::WaitWhileSending(absl::Duration timeout) {
  const absl::Duration until = MonotonicNow() + timeout;
  MutexLock lock(mutex_);
  while (!quit_) {
    const absl::Duration left = until - MonotonicNow();
    if (left <= absl::ZeroDuration()) return true;
    changed_.WaitWithTimeout(mutex_, left);
  }
  return false;
}

}  // namespace benchfleet
