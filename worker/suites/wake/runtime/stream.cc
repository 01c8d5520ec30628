#include "worker/suites/wake/runtime/stream.h"

#include "worker/suites/wake/runtime/core.h"
#include "worker/suites/wake/runtime/counters.h"

namespace benchfleet::wake_runtime {

namespace {

template <Policy P>
Loop* NoteRunningLoop() {
  return NoteLoop<P>([] { return LookUpRunningLoop(); });
}

template <Policy P>
void WakeNode(Node& node, Loop* noted) {
  if (!node.Wake()) return;
  const bool direct = noted != nullptr && &noted->core() == &node.core();
  tl_counters.direct_wakes += direct;
  tl_counters.socket_wakes += !direct;
  if (!node.MarkQueued()) return;
  if (direct) {
    noted->PushReady(node);
  } else {
    node.core().Push(node, AlwaysWrites(P));
  }
}

}  // namespace

template <Policy P>
[[gnu::noinline]] uint64_t HandleCall(Handle* handle) {
  Loop* const noted = NoteRunningLoop<P>();
  asm volatile("" : : "r"(noted));  // kept, as for the wake that this call might make
  return ++handle->value;
}

bool StreamNode::Poll(uint64_t* frame) {
  core().NotePolled();
  BeginPoll();
  return frames_.Take(frame);
}

bool StreamNode::Suspend(std::coroutine_handle<> waiter, uint64_t* frame) {
  while (Park() == ParkResult::kWoken) {
    if (Poll(frame)) return false;
  }
  waiter_ = waiter;
  frame_ = frame;
  return true;
}

void StreamNode::Abandon() {
  waiter_ = nullptr;
  BeginPoll();
}

void StreamNode::Resume() {
  if (!waiter_) return;
  const std::coroutine_handle<> waiter = std::exchange(waiter_, nullptr);
  // A waker may have woken without a frame; the coroutine never notices.
  if (!Poll(frame_) && Suspend(waiter, frame_)) return;
  ++tl_counters.resumes;
  waiter.resume();
}

template <Policy P>
Waker<P>::Waker(Node& node) : node_(node) {
  node_.Ref();
  node_.core().AddLive();
}

template <Policy P>
Waker<P>::~Waker() {
  node_.core().RemoveLive();
  node_.Unref();
}

template <Policy P>
void Waker<P>::Wake() const {
  WakeNode<P>(node_, NoteRunningLoop<P>());
}

template <Policy P>
Stream<P>::Stream(Loop& loop) : node_(*new StreamNode(loop.core())) {}

template <Policy P>
Stream<P>::~Stream() {
  node_.Close();
  node_.Unref();
}

template <Policy P>
bool Stream<P>::Write(uint64_t frame) {
  Loop* const noted = NoteRunningLoop<P>();
  if (!node_.frames().Put(frame)) return false;
  WakeNode<P>(node_, noted);
  return true;
}

template <Policy P>
bool Stream<P>::Poll(uint64_t* frame) {
  Loop* const noted = NoteRunningLoop<P>();
  asm volatile("" : : "r"(noted));
  return node_.Poll(frame);
}

template <Policy P>
void Stream<P>::Close() {
  node_.Close();
}

#define BENCHFLEET_WAKE_INSTANTIATE(policy)      \
  template uint64_t HandleCall<policy>(Handle*); \
  template class Waker<policy>;                  \
  template class Stream<policy>
BENCHFLEET_WAKE_INSTANTIATE(Policy::kSocket);
BENCHFLEET_WAKE_INSTANTIATE(Policy::kLookup);
BENCHFLEET_WAKE_INSTANTIATE(Policy::kCounted);
#undef BENCHFLEET_WAKE_INSTANTIATE

}  // namespace benchfleet::wake_runtime
