// What the agent's tests share: a latch with a watch-dog, a lease.
#ifndef BENCHFLEET_TESTS_WORKER_AGENT_TEST_SUPPORT_H_
#define BENCHFLEET_TESTS_WORKER_AGENT_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "common/base/mutex.h"
#include "tests/fakes/temp_folder.h"
#include "tests/worker/agent/test_plan.h"
#include "worker/agent/lease_keeper.h"

namespace benchfleet {

// A wait that takes this long has failed.
inline constexpr absl::Duration kWatchDog = absl::Seconds(20);

// Opens once and stays open.
class Latch {
 public:
  void Open() {
    MutexLock lock(mutex_);
    open_ = true;
    changed_.SignalAll();
  }
  // False: the watch-dog barked.
  bool Wait() {
    const absl::Duration deadline = MonotonicNow() + kWatchDog;
    MutexLock lock(mutex_);
    while (!open_) {
      if (MonotonicNow() >= deadline) return false;
      changed_.WaitWithTimeout(mutex_, deadline - MonotonicNow());
    }
    return true;
  }
  // Also ends when `cancelled` becomes true, which nobody signals. Whether it is open.
  bool WaitUnless(const std::atomic<bool>& cancelled) {
    const absl::Duration deadline = MonotonicNow() + kWatchDog;
    MutexLock lock(mutex_);
    while (!open_ && !cancelled && MonotonicNow() < deadline) changed_.WaitWithTimeout(mutex_, absl::Milliseconds(1));
    return open_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

inline LeaseKey TestLease(int64_t epoch) { return {RunId("018f0000-0000-7000-8000-000000000001/0"), epoch}; }

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_WORKER_AGENT_TEST_SUPPORT_H_
