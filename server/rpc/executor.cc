#include "server/rpc/executor.h"

#include <utility>

namespace benchfleet {

Executor::Executor(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Loop(); });
}

Executor::~Executor() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
  }
  wake_.SignalAll();
  for (std::thread& thread : threads_) thread.join();
}

bool Executor::TryRun(std::function<void()> task) {
  {
    MutexLock lock(mutex_);
    if (tasks_.size() >= kMaxQueuedTasks) return false;
    tasks_.push_back(std::move(task));
  }
  wake_.Signal();
  return true;
}

void Executor::Run(std::function<void()> task) {
  {
    MutexLock lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.Signal();
}

void Executor::Loop() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(mutex_);
      while (tasks_.empty() && !ending_) wake_.Wait(mutex_);
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace benchfleet
