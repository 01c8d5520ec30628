#include "server/sweeper.h"

#include <string>

#include "spdlog/spdlog.h"

namespace benchfleet {

Sweeper::Sweeper(Coordinator& coordinator, absl::Duration period)
    : coordinator_(coordinator), period_(period), thread_([this] { Loop(); }) {}

Sweeper::~Sweeper() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
  }
  wake_.SignalAll();
  thread_.join();
}

void Sweeper::Loop() {
  while (true) {
    {
      MutexLock lock(mutex_);
      if (!ending_) wake_.WaitWithTimeout(mutex_, period_);
      if (ending_) return;
    }
    if (const absl::Status status = coordinator_.Sweep(); !status.ok()) {
      spdlog::warn("sweep: {}", std::string(status.message()));
    }
  }
}

}  // namespace benchfleet
