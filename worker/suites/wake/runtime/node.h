// What can be parked and woken: one state word, and the rules by which it changes.
//
// The word holds PARKED and WOKEN (neither: idle) and the sticky bits QUEUED (linked in a
// list) and CLOSED. Every change is a read-modify-write with acquire and release, also a
// wake of a node that is already woken: a plain look first would lose wakes, because the
// store of what the reader is woken for may pass it.
//
// Ownership: counted references. Its maker holds one, every waker one, and a list that
// links it one, so a wake that is under way survives Close().
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_NODE_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_NODE_H_

#include <atomic>
#include <cstdint>

namespace benchfleet::wake_runtime {

class Core;

enum class ParkResult {
  kParked,
  kWoken,   // a wake came since the poll began: poll again
  kClosed,  // no wake will ever come
};

class Node {
 public:
  // Takes a reference to `core`.
  explicit Node(Core& core);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Any thread.
  void Ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Unref();
  Core& core() { return core_; }

  // Any thread. True: the node was parked, and the caller must see that the loop resumes it.
  bool Wake();
  // Any thread, after Wake() returned true. False: still linked by an earlier wake, which
  // serves this one too.
  bool MarkQueued();

  // The loop's thread only, from here on.
  // Resets the word before the data is looked at, so that a wake in between is seen by Park().
  void BeginPoll();
  ParkResult Park();
  // A later wake queues nothing, and a link that is under way is dropped at its dispatch.
  void Close();
  // Takes the node off its list. True: it was woken and is open, so it shall be resumed.
  bool BeginDispatch();

  // Called by the loop after BeginDispatch() returned true.
  virtual void Resume() = 0;

 protected:
  virtual ~Node();

 private:
  friend class Core;
  friend class NodeList;

  std::atomic<uint32_t> state_{0};
  std::atomic<uint32_t> references_{1};
  Core& core_;
  Node* next_ = nullptr;  // of the list that links it; guarded by QUEUED
};

// A first-in first-out list that owns a reference to each node. One thread only.
class NodeList {
 public:
  NodeList() = default;
  NodeList(const NodeList&) = delete;
  NodeList& operator=(const NodeList&) = delete;
  ~NodeList() { DropAll(); }

  bool empty() const { return first_ == nullptr; }
  // Takes over the caller's reference.
  void PushBack(Node* node);
  // Takes over a chain in the order it was pushed, latest first.
  void AppendReversed(Node* latest);
  // Resumes what is listed now; what is pushed meanwhile waits for the next call.
  void DispatchBatch();
  void DropAll();

 private:
  Node* first_ = nullptr;
  Node* last_ = nullptr;
};

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_NODE_H_
