// HostFacts on the wire.
#ifndef BENCHFLEET_COMMON_WIRE_HOST_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_HOST_WIRE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchfleet/v1/worker.pb.h"
#include "common/model/host.h"

namespace benchfleet {

inline constexpr int kMaxHostInterpreters = 64;
inline constexpr int kMaxHostCompilers = 64;
inline constexpr int kMaxCompilerStages = 16;
inline constexpr int kMaxHostSuites = 32;
inline constexpr size_t kMaxPathBytes = 4096;
inline constexpr int kMaxCpus = 1 << 20;

// kInvalidArgument INVALID_FIELD with every violation; paths begin with `prefix`.
absl::StatusOr<HostFacts> ParseHostFacts(const v1::HostFacts& facts, absl::string_view prefix = "facts");
v1::HostFacts ToProto(const HostFacts& facts);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_HOST_WIRE_H_
