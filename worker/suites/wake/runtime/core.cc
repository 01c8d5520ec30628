#include "worker/suites/wake/runtime/core.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <utility>

namespace benchfleet::wake_runtime {

const LiveCount kNothingLive;
constinit thread_local const LiveCount* tl_polled = &kNothingLive;
constinit thread_local Counters tl_counters;

namespace {

// Tags of the queue's head; no node has such an address.
Node* ArmedTag() { return reinterpret_cast<Node*>(1); }
Node* ClosedTag() { return reinterpret_cast<Node*>(2); }
bool IsTag(Node* head) { return head == nullptr || head == ArmedTag() || head == ClosedTag(); }

class LiveCountPool {
 public:
  LiveCount* Get() {
    std::lock_guard lock(mutex_);
    if (free_ == nullptr) return new LiveCount;
    return std::exchange(free_, free_->next_free);
  }
  void Put(LiveCount* count) {
    std::lock_guard lock(mutex_);
    count->next_free = std::exchange(free_, count);
  }

 private:
  std::mutex mutex_;
  LiveCount* free_ = nullptr;
};

LiveCountPool& Pool() {
  // Never destroyed: a loop may be closed while the program's statics go.
  static LiveCountPool& pool = *new LiveCountPool;
  return pool;
}

}  // namespace

Core* Core::Create(Sleeper sleeper) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0) return nullptr;
  return new Core(sleeper, fds[0], fds[1]);
}

Core::Core(Sleeper sleeper, int wait_fd, int write_fd)
    : head_(sleeper == Sleeper::kForeign ? ArmedTag() : nullptr),
      resting_head_(sleeper == Sleeper::kForeign ? ArmedTag() : nullptr),
      wait_fd_(wait_fd),
      write_fd_(write_fd),
      live_(Pool().Get()) {}

Core::~Core() {
  Pool().Put(live_);
  ::close(wait_fd_);
  ::close(write_fd_);
}

void Core::Unref() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Core::Push(Node& node, bool always_write) {
  node.Ref();
  Node* head = head_.load(std::memory_order_relaxed);
  do {
    if (head == ClosedTag()) {
      node.Unref();
      return;
    }
    node.next_ = head == ArmedTag() ? nullptr : head;
  } while (!head_.compare_exchange_weak(head, &node, std::memory_order_acq_rel, std::memory_order_relaxed));
  if (always_write || head == ArmedTag()) WriteByte();
}

void Core::WriteByte() {
  ssize_t written;
  do {
    written = ::send(write_fd_, "", 1, MSG_NOSIGNAL);
  } while (written < 0 && errno == EINTR);
  // A full socket (EAGAIN) holds bytes enough to wake the loop.
  if (written > 0) ++tl_counters.socket_bytes_written;
}

void Core::Drain() {
  char bytes[4096];
  ssize_t read;
  do {
    read = ::recv(wait_fd_, bytes, sizeof bytes, 0);
  } while (read < 0 && errno == EINTR);
  if (read > 0) tl_counters.socket_bytes_read += static_cast<uint64_t>(read);
}

bool Core::Armed() const { return head_.load(std::memory_order_acquire) == ArmedTag(); }

bool Core::Arm() {
  Node* empty = nullptr;
  return head_.compare_exchange_strong(empty, ArmedTag(), std::memory_order_acq_rel, std::memory_order_relaxed);
}

void Core::TakeTo(NodeList& list) {
  Node* const latest = head_.exchange(resting_head_, std::memory_order_acq_rel);
  if (!IsTag(latest)) list.AppendReversed(latest);
}

void Core::Close() {
  Node* const latest = head_.exchange(ClosedTag(), std::memory_order_acq_rel);
  NodeList dropped;
  if (!IsTag(latest)) dropped.AppendReversed(latest);
}

void Core::NotePolled() { tl_polled = live_; }

bool Core::PolledHere() const { return tl_polled == live_; }

}  // namespace benchfleet::wake_runtime
