// The session the worker has now, shared between the thread that keeps it and those that
// send results.
#ifndef BENCHFLEET_WORKER_AGENT_SESSION_BOX_H_
#define BENCHFLEET_WORKER_AGENT_SESSION_BOX_H_

#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "common/base/mutex.h"
#include "worker/agent/coordinator_link.h"

namespace benchfleet {

// Thread-safety: safe.
class SessionBox {
 public:
  void Set(SessionTerms terms) {
    MutexLock lock(mutex_);
    terms_ = std::move(terms);
  }
  void Clear() {
    MutexLock lock(mutex_);
    terms_.reset();
  }
  // nullopt: there is none now.
  std::optional<SessionTerms> Get() const {
    MutexLock lock(mutex_);
    return terms_;
  }

 private:
  mutable Mutex mutex_;
  std::optional<SessionTerms> terms_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_SESSION_BOX_H_
