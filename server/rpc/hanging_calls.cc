#include "server/rpc/hanging_calls.h"

#include <utility>

namespace benchfleet {

void HangingCalls::Add(const std::shared_ptr<HangingCall>& call) {
  absl::Status ended;
  {
    MutexLock lock(mutex_);
    calls_.remove_if([](const std::weak_ptr<HangingCall>& c) { return c.expired(); });
    calls_.push_back(call);
    ended = ended_;
  }
  if (!ended.ok()) call->End(ended);
}

void HangingCalls::EndAll(const absl::Status& status) {
  std::list<std::weak_ptr<HangingCall>> calls;
  {
    MutexLock lock(mutex_);
    ended_ = status;
    calls.swap(calls_);
  }
  for (const std::weak_ptr<HangingCall>& weak : calls) {
    if (const std::shared_ptr<HangingCall> call = weak.lock()) call->End(status);
  }
}

}  // namespace benchfleet
