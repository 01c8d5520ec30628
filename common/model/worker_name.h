// What a worker may call itself, and which of its labels are not its own to set.
#ifndef BENCHFLEET_COMMON_MODEL_WORKER_NAME_H_
#define BENCHFLEET_COMMON_MODEL_WORKER_NAME_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace benchfleet {

inline constexpr size_t kMaxWorkerNameBytes = 63;

// 1 to kMaxWorkerNameBytes characters of [a-z0-9.-] that begin and end alphanumeric, so
// that it is a valid value of the label `host`, too.
bool IsWorkerName(absl::string_view name);

// "host", "arch" and "os": every worker has them by what it is.
bool IsBuiltInLabel(absl::string_view key);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_WORKER_NAME_H_
