// An epoll loop that resumes parked reads.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_LOOP_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_LOOP_H_

#include <atomic>
#include <memory>

#include "worker/suites/wake/runtime/core.h"
#include "worker/suites/wake/runtime/node.h"
#include "worker/suites/wake/runtime/task.h"

namespace benchfleet::wake_runtime {

// Each turn polls for I/O, takes the remote wakes, then resumes what was ready: what
// becomes ready meanwhile waits for the next turn, as in asyncio, so nothing starves.
//
// Thread-safety: one thread runs it at a time, not always the same one. Remote wakes come
// through its Core from any thread.
class Loop {
 public:
  // nullptr, and errno says why, when there is no descriptor left.
  static std::unique_ptr<Loop> Create();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  // Nothing runs it. Wakers may outlive it; their wakes then do nothing.
  ~Loop();

  // Starts `main` and turns until it is done. False: the loop is being run already, on this
  // or another thread, and nothing was done. Another loop may be run inside.
  [[nodiscard]] bool Run(Task& main);

  Core& core() { return core_; }
  // On the loop's own thread, while it runs. Takes a reference to `node`.
  void PushReady(Node& node);

 private:
  Loop(Core& core, int epoll_fd) : core_(core), epoll_fd_(epoll_fd) {}
  void Turn();

  Core& core_;
  const int epoll_fd_;
  std::atomic<bool> running_{false};
  NodeList ready_;
};

// The loop that runs on the calling thread, or null. Out of line, as the look-up of
// another library's loop is; yet as cheap as a thread-local can be, so that what is
// measured is the least such a look-up costs.
Loop* LookUpRunningLoop();

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_LOOP_H_
