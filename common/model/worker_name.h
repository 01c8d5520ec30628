// What a worker may call itself, and which of its labels are not its own to set.
#ifndef BENCHFLEET_COMMON_MODEL_WORKER_NAME_H_
#define BENCHFLEET_COMMON_MODEL_WORKER_NAME_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace benchfleet {

inline constexpr size_t kMaxWorkerNameBytes = 63;

// 1 to kMaxWorkerNameBytes characters of [a-z0-9.-] that begin and end alphanumeric, so
// that it is a valid value of the label `host`, too.
bool IsWorkerName(absl::string_view name);

// "host", "arch", "os", "suite/..." and "compiler/...": a worker has them by what it is.
bool IsBuiltInLabel(absl::string_view key);

// Of a host that can run the suite: "suite/wake".
std::string SuiteLabel(absl::string_view suite);
// Of a host with the compiler; the value is its newest version: "compiler/gcc".
std::string CompilerLabel(absl::string_view compiler);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_WORKER_NAME_H_
