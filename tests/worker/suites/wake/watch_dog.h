// Ends a test program that hangs, where a test waits for what another thread does.
#ifndef BENCHFLEET_TESTS_WORKER_SUITES_WAKE_WATCH_DOG_H_
#define BENCHFLEET_TESTS_WORKER_SUITES_WAKE_WATCH_DOG_H_

#include <unistd.h>

namespace benchfleet {

// A lost wake shows as a process killed by SIGALRM.
class WatchDog {
 public:
  WatchDog() { ::alarm(40); }
  WatchDog(const WatchDog&) = delete;
  WatchDog& operator=(const WatchDog&) = delete;
  ~WatchDog() { ::alarm(0); }
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_WORKER_SUITES_WAKE_WATCH_DOG_H_
