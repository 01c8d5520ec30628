// Rounds and samples on the wire.
#ifndef BENCHFLEET_COMMON_WIRE_SAMPLE_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_SAMPLE_WIRE_H_

#include "absl/status/statusor.h"
#include "benchfleet/v1/sample.pb.h"
#include "common/model/sample.h"
#include "common/wire/plan_wire.h"

namespace benchfleet {

inline constexpr int kMaxCounters = 64;  // of one sample
inline constexpr int kMaxMeasures = 64;  // of one sample, wall excluded
inline constexpr int kMaxSamplesPerRound = kMaxArms;
inline constexpr int kMaxRoundIndex = 1'000'000;

// kInvalidArgument INVALID_FIELD with every violation.
absl::StatusOr<Sample> ParseSample(const v1::Sample& sample);
absl::StatusOr<Round> ParseRound(const v1::Round& round);

// Text that is not UTF-8 or over its limit is made to fit, so that what is sent is never refused.
v1::Sample ToProto(const Sample& sample);
v1::HostState ToProto(const HostState& state);
v1::Round ToProto(const Round& round);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_SAMPLE_WIRE_H_
