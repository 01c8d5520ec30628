// What the runtime did on the calling thread.
//
// Plain numbers in a thread-local, so that counting costs no atomic and the same in every
// variant. Thread-safety: each thread has its own.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_COUNTERS_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_COUNTERS_H_

#include <cstdint>

// An extension module or library reaches such a variable in one instruction; the default
// model calls __tls_get_addr, which costs more than the handle call that is measured.
#define BENCHFLEET_INITIAL_EXEC __attribute__((tls_model("initial-exec")))

namespace benchfleet::wake_runtime {

struct Counters {
  uint64_t lookups = 0;               // of the loop running on this thread
  uint64_t direct_wakes = 0;          // put straight on the ready list
  uint64_t socket_wakes = 0;          // handed over through the queue and the socket pair
  uint64_t socket_bytes_written = 0;  // fewer than socket_wakes when the loop was awake
  uint64_t socket_bytes_read = 0;
  uint64_t parks = 0;    // reads that had to wait
  uint64_t resumes = 0;  // of those
  friend bool operator==(const Counters&, const Counters&) = default;
};

extern constinit thread_local Counters tl_counters BENCHFLEET_INITIAL_EXEC;

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_COUNTERS_H_
