#include "common/wire/time_wire.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

constexpr int32_t kMaxNanos = 999'999'999;
constexpr int64_t kMinTimestampSeconds = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr int64_t kMaxTimestampSeconds = 253'402'300'799;  // 9999-12-31T23:59:59Z

}  // namespace

google::protobuf::Duration ToProto(absl::Duration duration) {
  const absl::Duration limit = absl::Seconds(kMaxWireDurationSeconds);
  absl::Duration rest = std::clamp(duration, -limit, limit);
  google::protobuf::Duration proto;
  proto.set_seconds(absl::IDivDuration(rest, absl::Seconds(1), &rest));
  proto.set_nanos(static_cast<int32_t>(absl::IDivDuration(rest, absl::Nanoseconds(1), &rest)));
  return proto;
}

google::protobuf::Timestamp ToProto(absl::Time time) {
  const absl::Time clamped = std::clamp(time, absl::FromUnixSeconds(kMinTimestampSeconds),
                                        absl::FromUnixSeconds(kMaxTimestampSeconds) + absl::Nanoseconds(kMaxNanos));
  const int64_t seconds = absl::ToUnixSeconds(clamped);
  google::protobuf::Timestamp proto;
  proto.set_seconds(seconds);
  proto.set_nanos(static_cast<int32_t>((clamped - absl::FromUnixSeconds(seconds)) / absl::Nanoseconds(1)));
  return proto;
}

absl::StatusOr<absl::Duration> ParseDuration(const google::protobuf::Duration& duration) {
  const int64_t seconds = duration.seconds();
  const int32_t nanos = duration.nanos();
  if (seconds < -kMaxWireDurationSeconds || seconds > kMaxWireDurationSeconds) {
    return absl::InvalidArgumentError(absl::StrCat("duration of ", seconds, " s is out of range"));
  }
  if (nanos < -kMaxNanos || nanos > kMaxNanos) {
    return absl::InvalidArgumentError(absl::StrCat("nanoseconds of a duration are out of range: ", nanos));
  }
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("seconds and nanoseconds of a duration differ in sign: ", seconds, " and ", nanos));
  }
  return absl::Seconds(seconds) + absl::Nanoseconds(nanos);
}

absl::StatusOr<absl::Time> ParseTimestamp(const google::protobuf::Timestamp& time) {
  if (time.seconds() < kMinTimestampSeconds || time.seconds() > kMaxTimestampSeconds) {
    return absl::InvalidArgumentError(absl::StrCat("time ", time.seconds(), " s after 1970 is out of range"));
  }
  if (time.nanos() < 0 || time.nanos() > kMaxNanos) {
    return absl::InvalidArgumentError(absl::StrCat("nanoseconds of a time are out of range: ", time.nanos()));
  }
  return absl::FromUnixSeconds(time.seconds()) + absl::Nanoseconds(time.nanos());
}

}  // namespace benchfleet
