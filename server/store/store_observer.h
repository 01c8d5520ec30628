// What the store tells about its work, for metrics.
#ifndef BENCHFLEET_SERVER_STORE_STORE_OBSERVER_H_
#define BENCHFLEET_SERVER_STORE_STORE_OBSERVER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace benchfleet {

// Thread-safety: called from several threads at once. Calls must be short: OnCommit holds
// up the writer.
class StoreObserver {
 public:
  virtual ~StoreObserver() = default;
  // One transaction of `works` units of work ended; `duration` is that of the whole
  // transaction, with the works in it and the sync to disk.
  virtual void OnCommit(int works, const absl::Status& status, absl::Duration duration) = 0;
  // One unit of work, as its caller saw it: waiting included.
  virtual void OnOperation(absl::string_view operation, const absl::Status& status, absl::Duration duration) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_STORE_OBSERVER_H_
