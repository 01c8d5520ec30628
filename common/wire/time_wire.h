// Durations and times on the wire.
#ifndef BENCHFLEET_COMMON_WIRE_TIME_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_TIME_WIRE_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace benchfleet {

// The range of the protobuf types: +-10,000 years, and the years 1 to 9999.
inline constexpr int64_t kMaxWireDurationSeconds = 315'576'000'000;

// Rounds towards zero to the nanosecond; what is out of range becomes its nearest end.
google::protobuf::Duration ToProto(absl::Duration duration);
google::protobuf::Timestamp ToProto(absl::Time time);

// kInvalidArgument: out of range, nanoseconds out of range or of another sign than the seconds.
absl::StatusOr<absl::Duration> ParseDuration(const google::protobuf::Duration& duration);
absl::StatusOr<absl::Time> ParseTimestamp(const google::protobuf::Timestamp& time);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_TIME_WIRE_H_
