// The handles of the runtime: a plain one, and a stream of frames that can be awaited.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_STREAM_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_STREAM_H_

#include <coroutine>
#include <cstdint>
#include <utility>

#include "worker/suites/wake/runtime/frame_ring.h"
#include "worker/suites/wake/runtime/loop.h"
#include "worker/suites/wake/runtime/node.h"
#include "worker/suites/wake/runtime/policy.h"

namespace benchfleet::wake_runtime {

struct Handle {
  uint64_t value = 0;
};

// The smallest handle call: notes the running loop as every handle call must, because it
// might wake, then adds one to the value and returns it. Defined in the shared library, so
// each call is a real one.
template <Policy P>
uint64_t HandleCall(Handle* handle);

// A stream's node: the frames, and the coroutine that waits for the next.
class StreamNode final : public Node {
 public:
  explicit StreamNode(Core& core) : Node(core) {}

  FrameRing& frames() { return frames_; }
  // The loop's thread. False: no frame yet.
  bool Poll(uint64_t* frame);
  // Parks `waiter`, to be resumed once `*frame` is set. False: a frame came meanwhile.
  bool Suspend(std::coroutine_handle<> waiter, uint64_t* frame);
  // The waiter is gone.
  void Abandon();
  void Resume() override;

 private:
  FrameRing frames_;
  std::coroutine_handle<> waiter_;
  uint64_t* frame_ = nullptr;
};

// Wakes a stream's reader from any thread, also after the stream or the loop has gone;
// the reader then looks for a frame. Counts as what may wake while it lives.
template <Policy P>
class Waker {
 public:
  explicit Waker(Node& node);
  Waker(const Waker& other) : Waker(other.node_) {}
  Waker& operator=(const Waker&) = delete;
  ~Waker();
  // A handle call.
  void Wake() const;

 private:
  Node& node_;
};

// Ownership: owned by who reads. Closed at the end of its life.
// Thread-safety: one thread writes at a time; reading, closing and destroying belong to the
// loop's thread.
template <Policy P>
class Stream {
 public:
  class [[nodiscard]] ReadAwaiter;

  explicit Stream(Loop& loop);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  // A handle call. Wakes the reader; never resumes it from inside. False: full, not written.
  bool Write(uint64_t frame);
  // A handle call: uint64_t frame = co_await stream.Read(). At most one read waits.
  ReadAwaiter Read() { return ReadAwaiter(*this); }
  // Later wakes do nothing. A read that waits is never resumed: destroy its task.
  void Close();
  Waker<P> MakeWaker() { return Waker<P>(node_); }

 private:
  bool Poll(uint64_t* frame);

  StreamNode& node_;
};

template <Policy P>
class Stream<P>::ReadAwaiter {
 public:
  explicit ReadAwaiter(Stream& stream) : stream_(stream) {}
  ReadAwaiter(const ReadAwaiter&) = delete;
  ReadAwaiter& operator=(const ReadAwaiter&) = delete;
  ~ReadAwaiter() {
    if (waits_) stream_.node_.Abandon();
  }

  bool await_ready() { return stream_.Poll(&frame_); }
  bool await_suspend(std::coroutine_handle<> waiter) {
    waits_ = stream_.node_.Suspend(waiter, &frame_);
    return waits_;
  }
  uint64_t await_resume() {
    waits_ = false;
    return frame_;
  }

 private:
  Stream& stream_;
  uint64_t frame_ = 0;
  bool waits_ = false;
};

#define BENCHFLEET_WAKE_EXTERN(policy)                  \
  extern template uint64_t HandleCall<policy>(Handle*); \
  extern template class Waker<policy>;                  \
  extern template class Stream<policy>
BENCHFLEET_WAKE_EXTERN(Policy::kSocket);
BENCHFLEET_WAKE_EXTERN(Policy::kLookup);
BENCHFLEET_WAKE_EXTERN(Policy::kCounted);
#undef BENCHFLEET_WAKE_EXTERN

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_STREAM_H_
