// Calls that stay open for long, so that a stopping server can end them with a word.
#ifndef BENCHFLEET_SERVER_RPC_HANGING_CALLS_H_
#define BENCHFLEET_SERVER_RPC_HANGING_CALLS_H_

#include <list>
#include <memory>

#include "absl/status/status.h"
#include "common/base/mutex.h"

namespace benchfleet {

class HangingCall {
 public:
  virtual ~HangingCall() = default;
  // Finishes the call with `status` unless it is finished already.
  virtual void End(const absl::Status& status) = 0;
};

// Thread-safety: safe.
class HangingCalls {
 public:
  // Calls added after EndAll() are ended at once.
  void Add(const std::shared_ptr<HangingCall>& call);
  void EndAll(const absl::Status& status);

 private:
  Mutex mutex_;
  std::list<std::weak_ptr<HangingCall>> calls_ ABSL_GUARDED_BY(mutex_);
  absl::Status ended_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_HANGING_CALLS_H_
