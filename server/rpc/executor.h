// A fixed pool of threads for work that blocks. gRPC's own threads are few and must not
// block, so every handler hands its work over here.
#ifndef BENCHFLEET_SERVER_RPC_EXECUTOR_H_
#define BENCHFLEET_SERVER_RPC_EXECUTOR_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "common/base/mutex.h"

namespace benchfleet {

inline constexpr int kDefaultExecutorThreads = 8;
inline constexpr size_t kMaxQueuedTasks = 10'000;

// Thread-safety: safe.
class Executor {
 public:
  explicit Executor(int threads = kDefaultExecutorThreads);
  // Runs what is queued, then ends.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // False, without taking the task, when kMaxQueuedTasks wait already.
  [[nodiscard]] bool TryRun(std::function<void()> task);
  // Takes the task however many wait: for what goes on with a call that was let in.
  void Run(std::function<void()> task);

 private:
  void Loop();

  Mutex mutex_;
  CondVar wake_;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_EXECUTOR_H_
