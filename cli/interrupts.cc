#include "cli/interrupts.h"

#include <pthread.h>
#include <unistd.h>

#include <utility>

#include "cli/exit_codes.h"
#include "common/base/clock.h"

namespace benchfleet {

Interrupts::Interrupts() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &old_mask_);
  waiter_ = std::thread([this] { Wait(); });
}

Interrupts::~Interrupts() {
  stopping_ = true;
  pthread_kill(waiter_.native_handle(), SIGTERM);  // received by sigwait(), delivered to nobody
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Interrupts::Wait() {
  while (true) {
    int number = 0;
    if (sigwait(&signals_, &number) != 0) continue;
    if (stopping_) return;
    if (signal_ != 0) ::_exit(kExitSignal + number);
    signal_ = number;
    MutexLock lock(mutex_);
    flag_ = true;
    if (handler_) handler_();
    interrupted_.SignalAll();
  }
}

void Interrupts::SetHandler(std::function<void()> handler) {
  MutexLock lock(mutex_);
  handler_ = std::move(handler);
  if (flag_ && handler_) handler_();
}

void Interrupts::SleepFor(absl::Duration duration) {
  const absl::Duration end = MonotonicNow() + duration;
  MutexLock lock(mutex_);
  while (!flag_) {
    const absl::Duration left = end - MonotonicNow();
    if (left <= absl::ZeroDuration()) return;
    interrupted_.WaitWithTimeout(mutex_, left);
  }
}

}  // namespace benchfleet
