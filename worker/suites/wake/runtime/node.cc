#include "worker/suites/wake/runtime/node.h"

#include "worker/suites/wake/runtime/core.h"
#include "worker/suites/wake/runtime/counters.h"

namespace benchfleet::wake_runtime {

namespace {

constexpr uint32_t kParked = 1;
constexpr uint32_t kWoken = 2;  // beside kParked: was parked when it was woken
constexpr uint32_t kQueued = 4;
constexpr uint32_t kClosed = 8;

bool IsParked(uint32_t state) { return (state & (kParked | kWoken)) == kParked; }

}  // namespace

Node::Node(Core& core) : core_(core) { core_.Ref(); }

Node::~Node() { core_.Unref(); }

void Node::Unref() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

bool Node::Wake() {
  if (!IsParked(state_.fetch_or(kWoken, std::memory_order_acq_rel))) return false;
  core_.RemoveLive();
  return true;
}

bool Node::MarkQueued() { return (state_.fetch_or(kQueued, std::memory_order_acq_rel) & kQueued) == 0; }

void Node::BeginPoll() {
  if (IsParked(state_.fetch_and(~(kParked | kWoken), std::memory_order_acq_rel))) core_.RemoveLive();
}

ParkResult Node::Park() {
  // Counted before it can be woken: a waker that then counts it down never finds zero.
  core_.AddLive();
  uint32_t state = state_.load(std::memory_order_relaxed);
  while ((state & (kWoken | kClosed)) == 0) {
    if (state_.compare_exchange_weak(state, state | kParked, std::memory_order_acq_rel, std::memory_order_acquire)) {
      ++tl_counters.parks;
      return ParkResult::kParked;
    }
  }
  core_.RemoveLive();
  return (state & kClosed) != 0 ? ParkResult::kClosed : ParkResult::kWoken;
}

void Node::Close() {
  if (IsParked(state_.fetch_or(kClosed | kWoken, std::memory_order_acq_rel))) core_.RemoveLive();
}

bool Node::BeginDispatch() {
  const uint32_t state = state_.fetch_and(~kQueued, std::memory_order_acq_rel);
  return (state & (kWoken | kClosed)) == kWoken;
}

void NodeList::PushBack(Node* node) {
  node->next_ = nullptr;
  if (last_ == nullptr) {
    first_ = node;
  } else {
    last_->next_ = node;
  }
  last_ = node;
}

void NodeList::AppendReversed(Node* latest) {
  if (latest == nullptr) return;
  Node* const new_last = latest;
  Node* chain = nullptr;
  while (latest != nullptr) {
    Node* const earlier = latest->next_;
    latest->next_ = chain;
    chain = latest;
    latest = earlier;
  }
  if (last_ == nullptr) {
    first_ = chain;
  } else {
    last_->next_ = chain;
  }
  last_ = new_last;
}

void NodeList::DispatchBatch() {
  Node* node = first_;
  first_ = last_ = nullptr;
  while (node != nullptr) {
    // Read first: once QUEUED is cleared another thread may link the node anew.
    Node* const next = node->next_;
    if (node->BeginDispatch()) node->Resume();
    node->Unref();
    node = next;
  }
}

void NodeList::DropAll() {
  Node* node = first_;
  first_ = last_ = nullptr;
  while (node != nullptr) {
    Node* const next = node->next_;
    node->Unref();
    node = next;
  }
}

}  // namespace benchfleet::wake_runtime
