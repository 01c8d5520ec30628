// Who waits for what: hanging Sync calls and job watchers leave a callback here, and
// every committed change says whom it may concern. A notice is a hint, never the truth:
// whoever is woken looks again, and looks again after a while without one too.
//
// Thread-safety: safe. Callbacks run on the notifying thread, without the board's lock;
// they must not block. None runs after Unsubscribe() returned, unless that was called
// from within it.
#ifndef BENCHFLEET_SERVER_CORE_NOTICE_BOARD_H_
#define BENCHFLEET_SERVER_CORE_NOTICE_BOARD_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "common/base/mutex.h"
#include "common/model/ids.h"
#include "common/model/selector.h"

namespace benchfleet {

// Whom one committed change concerns.
struct Notices {
  std::vector<HostName> hosts;            // something about their leases
  std::vector<std::string> free_kernels;  // boot ids on which a lease has ended
  struct QueuedRun {
    Selector selector;
    HostName bound_host;
  };
  std::vector<QueuedRun> queued;  // one waiting worker each is enough
  std::vector<JobId> jobs;        // new events
};

class NoticeBoard {
 public:
  using Callback = std::function<void()>;
  // Ends the subscription when destroyed.
  class Subscription;

  struct Worker {
    HostName host;
    std::string boot_id;
    Labels labels;
    bool wants_work = false;
  };

  Subscription WatchWorker(Worker worker, Callback callback);
  Subscription WatchJob(JobId job, Callback callback);

  void Deliver(const Notices& notices);

 private:
  // Its own lock makes Unsubscribe wait for a callback that runs.
  struct Slot;
  struct WorkerSlot {
    Worker worker;
    std::shared_ptr<Slot> slot;
  };

  void Remove(const std::shared_ptr<Slot>& slot);

  Mutex mutex_;
  std::list<WorkerSlot> workers_ ABSL_GUARDED_BY(mutex_);  // the longest unserved first
  absl::flat_hash_map<JobId, std::list<std::shared_ptr<Slot>>> jobs_ ABSL_GUARDED_BY(mutex_);
};

class NoticeBoard::Subscription {
 public:
  Subscription() = default;
  Subscription(NoticeBoard* board, std::shared_ptr<Slot> slot) : board_(board), slot_(std::move(slot)) {}
  Subscription(Subscription&& other) noexcept
      : board_(std::exchange(other.board_, nullptr)), slot_(std::move(other.slot_)) {}
  Subscription& operator=(Subscription&& other) noexcept {
    Unsubscribe();
    board_ = std::exchange(other.board_, nullptr);
    slot_ = std::move(other.slot_);
    return *this;
  }
  ~Subscription() { Unsubscribe(); }

  void Unsubscribe();

 private:
  NoticeBoard* board_ = nullptr;
  std::shared_ptr<Slot> slot_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_NOTICE_BOARD_H_
