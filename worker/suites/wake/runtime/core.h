// The part of a loop that outlives it: the queue of remote wakes, the socket pair and the
// count of what may wake.
//
// The queue's head is one word: empty, armed (the loop sleeps, or is about to), closed, or
// the latest node. A push publishes a node and learns in the same step whether a byte is
// due, so no flag beside the queue can be read too early.
//
// Ownership: counted references, held by the loop and by each node; the socket pair closes
// with the last, so a wake never writes to a descriptor number that became another file.
// Thread-safety: safe where nothing else is said.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_CORE_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_CORE_H_

#include <atomic>
#include <cstdint>

#include "worker/suites/wake/runtime/counters.h"
#include "worker/suites/wake/runtime/node.h"

namespace benchfleet::wake_runtime {

// How many parked reads and live wakers a loop has. Never what correctness rests on.
// Its memory is reused but never freed: a thread may look at the count of a loop that is
// gone, which costs it one look-up in vain.
struct alignas(64) LiveCount {
  std::atomic<int64_t> value{0};
  LiveCount* next_free = nullptr;
};

enum class Sleeper {
  kArms,     // our own loop, which says when it goes to sleep
  kForeign,  // a loop that sleeps unseen: the first push after each Take() is owed a byte
};

class Core {
 public:
  // With one reference. nullptr, and errno says why, when there is no descriptor left.
  static Core* Create(Sleeper sleeper);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void Ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Unref();

  void AddLive() { live_->value.fetch_add(1, std::memory_order_relaxed); }
  void RemoveLive() { live_->value.fetch_sub(1, std::memory_order_relaxed); }
  // Whether the loop sleeps, or is about to: the next push writes a byte.
  bool Armed() const;
  int64_t live() const { return live_->value.load(std::memory_order_relaxed); }

  // Links `node` (marked queued) and, when the loop sleeps or `always_write`, writes one
  // byte. Does nothing when the loop is closed. The caller holds a reference to the node.
  void Push(Node& node, bool always_write);

  // The loop's thread only, from here on.
  // The socket to wait for.
  int wait_fd() const { return wait_fd_; }
  // Reads what was written, at most 4096 bytes; the rest shows at the next wait.
  void Drain();
  // False: the queue is not empty, so take instead of sleeping.
  bool Arm();
  // Disarms, and moves what is queued to `list`.
  void TakeTo(NodeList& list);
  // From now on a push does nothing. Drops what is queued.
  void Close();
  // Notes that this loop has polled on the calling thread.
  void NotePolled();
  bool PolledHere() const;

 private:
  Core(Sleeper sleeper, int wait_fd, int write_fd);
  ~Core();
  void WriteByte();

  std::atomic<Node*> head_;
  std::atomic<uint32_t> references_{1};
  Node* const resting_head_;
  const int wait_fd_;
  const int write_fd_;
  LiveCount* const live_;
};

// No loop has polled on this thread.
extern const LiveCount kNothingLive;

// The count of the loop that last polled on this thread.
extern constinit thread_local const LiveCount* tl_polled BENCHFLEET_INITIAL_EXEC;

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_CORE_H_
