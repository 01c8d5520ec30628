#include "worker/suites/wake/runtime/loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <utility>

#include "worker/suites/wake/runtime/counters.h"

namespace benchfleet::wake_runtime {

namespace {

constinit thread_local Loop* tl_running BENCHFLEET_INITIAL_EXEC = nullptr;

class RunScope {
 public:
  explicit RunScope(Loop* loop) : outer_(std::exchange(tl_running, loop)) {}
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;
  ~RunScope() { tl_running = outer_; }

 private:
  Loop* const outer_;
};

}  // namespace

[[gnu::noinline]] Loop* LookUpRunningLoop() {
  asm volatile("");  // not a pure function to the compiler, so that no call is dropped or merged
  return tl_running;
}

std::unique_ptr<Loop> Loop::Create() {
  const int epoll_fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) return nullptr;
  Core* const core = Core::Create(Sleeper::kArms);
  epoll_event event{};
  event.events = EPOLLIN;
  if (core == nullptr || ::epoll_ctl(epoll_fd, EPOLL_CTL_ADD, core->wait_fd(), &event) != 0) {
    const int error = errno;
    if (core != nullptr) core->Unref();
    ::close(epoll_fd);
    errno = error;
    return nullptr;
  }
  return std::unique_ptr<Loop>(new Loop(*core, epoll_fd));
}

Loop::~Loop() {
  core_.Close();
  ready_.DropAll();
  ::close(epoll_fd_);
  core_.Unref();
}

bool Loop::Run(Task& main) {
  if (running_.exchange(true, std::memory_order_acquire)) return false;
  {
    RunScope scope(this);
    main.Start();
    while (!main.done()) Turn();
  }
  running_.store(false, std::memory_order_release);
  return true;
}

void Loop::PushReady(Node& node) {
  node.Ref();
  ready_.PushBack(&node);
}

void Loop::Turn() {
  const bool sleeps = ready_.empty() && core_.Arm();
  epoll_event event;
  const int events = ::epoll_wait(epoll_fd_, &event, 1, sleeps ? -1 : 0);
  if (events < 0 && errno != EINTR) {
    // Only a descriptor that somebody else closed gets here; going on would spin for ever.
    fprintf(stderr, "epoll_wait: %s\n", strerror(errno));
    abort();
  }
  if (events > 0) core_.Drain();
  core_.TakeTo(ready_);
  core_.NotePolled();
  ready_.DispatchBatch();
}

}  // namespace benchfleet::wake_runtime
