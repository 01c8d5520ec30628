#include "server/core/notice_board.h"

#include <algorithm>
#include <utility>

namespace benchfleet {

struct NoticeBoard::Slot {
  explicit Slot(Callback c) : callback(std::move(c)) {}

  void Call() {
    std::lock_guard<std::recursive_mutex> lock(mutex);
    if (callback) callback();
  }
  void Clear() {
    Callback dropped;  // what it holds dies outside the lock
    std::lock_guard<std::recursive_mutex> lock(mutex);
    dropped.swap(callback);
  }

  // Recursive: a callback may end its own subscription.
  std::recursive_mutex mutex;
  Callback callback;
};

NoticeBoard::Subscription NoticeBoard::WatchWorker(Worker worker, Callback callback) {
  auto slot = std::make_shared<Slot>(std::move(callback));
  MutexLock lock(mutex_);
  workers_.push_back({std::move(worker), slot});
  return Subscription(this, std::move(slot));
}

NoticeBoard::Subscription NoticeBoard::WatchJob(JobId job, Callback callback) {
  auto slot = std::make_shared<Slot>(std::move(callback));
  MutexLock lock(mutex_);
  jobs_[std::move(job)].push_back(slot);
  return Subscription(this, std::move(slot));
}

void NoticeBoard::Deliver(const Notices& notices) {
  std::vector<std::shared_ptr<Slot>> to_call;
  {
    MutexLock lock(mutex_);
    const auto contains = [](const auto& list, const auto& value) {
      return std::find(list.begin(), list.end(), value) != list.end();
    };
    for (const WorkerSlot& w : workers_) {
      if (contains(notices.hosts, w.worker.host) || contains(notices.free_kernels, w.worker.boot_id)) {
        to_call.push_back(w.slot);
      }
    }
    for (const Notices::QueuedRun& run : notices.queued) {
      const auto taker = std::find_if(workers_.begin(), workers_.end(), [&](const WorkerSlot& w) {
        return w.worker.wants_work && (run.bound_host.empty() || run.bound_host == w.worker.host) &&
               run.selector.Matches(w.worker.labels) && !contains(to_call, w.slot);
      });
      if (taker == workers_.end()) continue;
      to_call.push_back(taker->slot);
      workers_.splice(workers_.end(), workers_, taker);  // the next run asks somebody else first
    }
    for (const JobId& job : notices.jobs) {
      const auto watchers = jobs_.find(job);
      if (watchers == jobs_.end()) continue;
      to_call.insert(to_call.end(), watchers->second.begin(), watchers->second.end());
    }
  }
  for (const std::shared_ptr<Slot>& slot : to_call) slot->Call();
}

void NoticeBoard::Remove(const std::shared_ptr<Slot>& slot) {
  {
    MutexLock lock(mutex_);
    workers_.remove_if([&](const WorkerSlot& w) { return w.slot == slot; });
    for (auto& [job, watchers] : jobs_) watchers.remove(slot);
    absl::erase_if(jobs_, [](const auto& entry) { return entry.second.empty(); });
  }
  slot->Clear();
}

void NoticeBoard::Subscription::Unsubscribe() {
  if (board_ == nullptr) return;
  std::exchange(board_, nullptr)->Remove(std::exchange(slot_, nullptr));
}

}  // namespace benchfleet
