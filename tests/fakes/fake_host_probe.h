// A host whose states the test chooses.
#ifndef BENCHFLEET_TESTS_FAKES_FAKE_HOST_PROBE_H_
#define BENCHFLEET_TESTS_FAKES_FAKE_HOST_PROBE_H_

#include "absl/base/thread_annotations.h"
#include "common/base/mutex.h"
#include "common/os/host_probe.h"

namespace benchfleet {

// Answers the state that was set, with load1 counting the reads (1, 2, ...) so that each
// answer can be told from the others.
class FakeHostProbe final : public HostProbe {
 public:
  HostState ReadState() override {
    MutexLock lock(mutex_);
    state_.load1 = ++reads_;
    return state_;
  }
  void Set(HostState state) {
    MutexLock lock(mutex_);
    state_ = state;
  }
  int reads() const {
    MutexLock lock(mutex_);
    return reads_;
  }

 private:
  mutable Mutex mutex_;
  HostState state_ ABSL_GUARDED_BY(mutex_);
  int reads_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_FAKE_HOST_PROBE_H_
