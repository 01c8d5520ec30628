// RunPlan on the wire.
#ifndef BENCHFLEET_COMMON_WIRE_PLAN_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_PLAN_WIRE_H_

#include "absl/status/statusor.h"
#include "benchfleet/v1/sample.pb.h"
#include "common/model/plan.h"

namespace benchfleet {

inline constexpr int kMaxCases = 1024;
inline constexpr int kMaxVariants = 64;  // of one case
inline constexpr int kMaxArms = 4096;    // of a plan
inline constexpr int kMaxComparisons = 8192;
inline constexpr int kMaxBatches = 4096;  // of one measurement
inline constexpr int kMaxWarmupRounds = 100;
inline constexpr size_t kMaxNameBytes = 255;  // of a suite, case, variant, kind, measure, counter
inline constexpr int kMaxKeyParts = 64;
inline constexpr size_t kMaxKeyPartBytes = 1024;
inline constexpr int kMaxCapabilities = 16384;
inline constexpr double kMaxUsableCpus = 1 << 20;

// kInvalidArgument INVALID_FIELD with every violation, among them comparisons of arms
// that are not in the plan.
absl::StatusOr<RunPlan> ParseRunPlan(const v1::RunPlan& plan);
v1::RunPlan ToProto(const RunPlan& plan);

absl::StatusOr<Key> ParseHostKey(const v1::HostKey& key);
v1::HostKey ToHostKeyProto(const Key& key);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_PLAN_WIRE_H_
