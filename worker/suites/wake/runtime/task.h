// A coroutine that a loop runs.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_TASK_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_TASK_H_

#include <coroutine>
#include <exception>
#include <utility>

namespace benchfleet::wake_runtime {

// Ownership: owns the coroutine; destroying it while it waits abandons the wait.
// Thread-safety: none; the loop's thread only, or no thread that runs the loop.
class [[nodiscard]] Task {
 public:
  struct promise_type {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };

  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  // Runs to the first wait; once only.
  void Start() { coroutine_.resume(); }
  bool done() const { return coroutine_.done(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_TASK_H_
