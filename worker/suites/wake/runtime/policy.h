// The three ways a handle call learns which loop runs on its thread; the one thing in
// which the variants differ, beside the byte that `socket` writes for every wake.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_POLICY_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_POLICY_H_

#include <atomic>
#include <cstdint>

#include "worker/suites/wake/runtime/core.h"
#include "worker/suites/wake/runtime/counters.h"

namespace benchfleet::wake_runtime {

enum class Policy {
  kSocket,   // never looks: every wake is a remote one, and writes its byte
  kLookup,   // looks at every handle call
  kCounted,  // looks while something may wake on the loop that last polled here
};

inline constexpr bool AlwaysWrites(Policy policy) { return policy == Policy::kSocket; }

// To be called once at the start of each handle call; `look_up` returns a pointer to the
// loop running on this thread, or null. A wake made by this call is direct iff the result
// is the woken node's loop.
template <Policy P, typename LookUp>
inline auto NoteLoop(LookUp look_up) -> decltype(look_up()) {
  decltype(look_up()) loop = nullptr;
  uint64_t looked_up = 0;
  if constexpr (P == Policy::kLookup) {
    loop = look_up();
    looked_up = 1;
  } else if constexpr (P == Policy::kCounted) {
    if (tl_polled->value.load(std::memory_order_relaxed) != 0) {
      loop = look_up();
      looked_up = 1;
      // What is parked belongs to a loop that does not run here: look no more for it.
      if (loop == nullptr) tl_polled = &kNothingLive;
    }
  }
  // Opaque to the compiler, so that every variant pays for the addition.
  asm("" : "+r"(looked_up));
  tl_counters.lookups += looked_up;
  return loop;
}

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_POLICY_H_
