// Calls the coordinator's sweep about once a second.
#ifndef BENCHFLEET_SERVER_SWEEPER_H_
#define BENCHFLEET_SERVER_SWEEPER_H_

#include <thread>

#include "absl/time/time.h"
#include "common/base/mutex.h"
#include "server/core/coordinator.h"

namespace benchfleet {

class Sweeper {
 public:
  Sweeper(Coordinator& coordinator, absl::Duration period);
  // Stops at once, not at the end of the period.
  ~Sweeper();

 private:
  void Loop();

  Coordinator& coordinator_;
  const absl::Duration period_;
  Mutex mutex_;
  CondVar wake_;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_SWEEPER_H_
