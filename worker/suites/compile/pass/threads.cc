#include <atomic>
#include <limits>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>
#include <vector>

#include "worker/suites/compile/pass/strategy.h"

namespace benchfleet::compile_pass {

namespace {

class Threads final : public Strategy {
 public:
  Threads(const Workshop& workshop, int limit) : workshop_(workshop), limit_(limit) {}

  ~Threads() override {
    stopping_ = true;
    start_.release(static_cast<ptrdiff_t>(threads_.size()));
    for (std::thread& thread : threads_) thread.join();
  }

  std::string Prepare() override {
    threads_.reserve(static_cast<size_t>(limit_));
    try {
      while (threads_.size() < static_cast<size_t>(limit_)) threads_.emplace_back([this] { Serve(); });
    } catch (const std::system_error& error) {
      return "cannot start thread " + std::to_string(threads_.size()) + ": " + error.what();
    }
    return "";
  }

  std::string Run(size_t first, size_t end) override {
    next_ = first;
    end_ = end;
    start_.release(limit_);
    for (int i = 0; i < limit_; ++i) done_.acquire();
    return failure_;
  }

 private:
  // A quick thread may take the start of one that is late. Then no compile was left for it.
  void Serve() {
    for (start_.acquire(); !stopping_; start_.acquire()) {
      RunAll();
      done_.release();
    }
  }

  void RunAll() {
    const auto& [commands, records, launcher] = workshop_;
    for (size_t compile = next_++; compile < end_; compile = next_++) {
      const int error = launcher.Run(commands.texts(commands.offset(compile)), &records.record(compile));
      if (error != 0) Fail(WaitFailure(compile, error));
    }
  }

  // The others finish what they have, and take no more.
  void Fail(std::string failure) {
    next_ = end_;
    const std::lock_guard lock(failure_mutex_);
    if (failure_.empty()) failure_ = std::move(failure);
  }

  const Workshop& workshop_;
  const int limit_;
  std::vector<std::thread> threads_;
  std::counting_semaphore<> start_{0};
  std::counting_semaphore<> done_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<size_t> next_{0};
  size_t end_ = 0;  // written while every thread waits for its start
  std::mutex failure_mutex_;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Strategy> MakeThreads(const Workshop& workshop, int limit) {
  return std::make_unique<Threads>(workshop, limit);
}

}  // namespace benchfleet::compile_pass
