// The two clocks of a pass.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_CLOCKS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_CLOCKS_H_

#include <time.h>

#include <cstdint>

namespace benchfleet::compile_pass {

inline int64_t ReadClockNs(clockid_t clock) {
  timespec now;
  ::clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline int64_t NowNs() { return ReadClockNs(CLOCK_MONOTONIC); }

// User and system time of this process with all its threads, without its children: that
// of RUSAGE_SELF, in ns where getrusage() cuts both to us.
inline int64_t OwnCpuNs() { return ReadClockNs(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_CLOCKS_H_
