#include "worker/agent/leftovers.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "common/base/clock.h"

namespace benchfleet {

std::vector<std::unique_ptr<SpoolEntry>> RecoverLeftovers(Spool& spool, const KillFunction& kill) {
  std::vector<absl::Status> problems;
  std::vector<std::unique_ptr<SpoolEntry>> entries = spool.Recover(problems);
  for (const absl::Status& problem : problems) spdlog::error("spool: {}", std::string(problem.message()));
  for (const std::unique_ptr<SpoolEntry>& entry : entries) {
    const std::string token = AttemptToken(entry->lease());
    if (const int killed = kill(token); killed > 0) {
      spdlog::warn("run {}: {} of its processes had outlived the worker and were killed", token, killed);
    }
    if (!entry->completion().has_value()) {
      const absl::Status written = entry->Complete(AttemptEnd::kCrashed, "worker restarted");
      if (!written.ok()) spdlog::error("run {}: its end is not on disk: {}", token, std::string(written.message()));
    }
    spdlog::info("run {}: found in the spool, {} chunks, {}", token, entry->chunk_count(),
                 std::string(Word(entry->completion()->end)));
  }
  return entries;
}

LeftoverSender::LeftoverSender(CoordinatorLink& link, const SessionBox& sessions,
                               std::vector<std::unique_ptr<SpoolEntry>> entries, Backoff backoff,
                               std::function<void(const LeaseKey&)> settled)
    : link_(link),
      sessions_(sessions),
      entries_(std::move(entries)),
      backoff_(std::move(backoff)),
      settled_(std::move(settled)),
      thread_([this] { Run(); }) {}

LeftoverSender::~LeftoverSender() {
  {
    MutexLock lock(mutex_);
    quit_ = true;
    changed_.SignalAll();
  }
  thread_.join();
}

void LeftoverSender::Run() {
  for (const std::unique_ptr<SpoolEntry>& entry : entries_) {
    if (!Wait(absl::ZeroDuration())) return;
    const std::string token = AttemptToken(entry->lease());
    AttemptUpload upload(link_, sessions_, *entry);
    const Delivery delivery = Deliver(link_, sessions_, &upload, *entry->completion(), backoff_,
                                      [this](absl::Duration timeout) { return Wait(timeout); });
    if (delivery.end == DeliveryEnd::kLeft) return;
    if (delivery.end == DeliveryEnd::kAcknowledged) {
      spdlog::info("run {}: acknowledged as {}", token, std::string(Word(delivery.completion.end)));
    } else {
      spdlog::warn("run {}: refused, {}", token, std::string(delivery.refusal.message()));
    }
    if (absl::Status dropped = entry->Drop(); !dropped.ok()) {
      spdlog::error("run {}: {}", token, std::string(dropped.message()));
    }
    settled_(entry->lease());
  }
}

bool LeftoverSender::Wait(absl::Duration timeout) {
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
