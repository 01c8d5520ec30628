// SIGINT and SIGTERM as events instead of deaths.
#ifndef BENCHFLEET_CLI_INTERRUPTS_H_
#define BENCHFLEET_CLI_INTERRUPTS_H_

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

#include "absl/time/time.h"
#include "common/base/mutex.h"

namespace benchfleet {

// The first signal sets flag() and calls the handler; a second one ends the process at
// once with 128 + its number.
//
// Thread-safety: safe. Construct it before any other thread starts: the signals stay
// blocked in the threads that start after it, and one of its own waits for them.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // The first signal's number; 0 while there was none.
  int signal() const { return signal_.load(); }
  const std::atomic<bool>& flag() const { return flag_; }

  // Called on another thread at the first signal; at once when it has already come. It
  // must be quick. An empty function removes it, and has waited for a call in progress.
  void SetHandler(std::function<void()> handler) ABSL_LOCKS_EXCLUDED(mutex_);

  // Sleeps, but no longer than until the first signal.
  void SleepFor(absl::Duration duration) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Wait();

  sigset_t signals_;
  sigset_t old_mask_;
  std::atomic<int> signal_{0};
  std::atomic<bool> flag_{false};
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  CondVar interrupted_;
  std::function<void()> handler_ ABSL_GUARDED_BY(mutex_);
  std::thread waiter_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_INTERRUPTS_H_
