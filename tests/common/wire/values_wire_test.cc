// Times, texts, enums and statuses.
#include <limits>
#include <string>

#include "absl/strings/ascii.h"
#include "common/base/error.h"
#include "common/wire/states_wire.h"
#include "common/wire/status_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

std::string Upper(absl::string_view word) { return absl::AsciiStrToUpper(std::string(word)); }

google::protobuf::Duration WireDuration(int64_t seconds, int32_t nanos) {
  google::protobuf::Duration d;
  d.set_seconds(seconds);
  d.set_nanos(nanos);
  return d;
}

google::protobuf::Timestamp WireTime(int64_t seconds, int32_t nanos) {
  google::protobuf::Timestamp t;
  t.set_seconds(seconds);
  t.set_nanos(nanos);
  return t;
}

TEST(DurationWire, RoundTripsToTheNanosecond) {
  for (const absl::Duration d :
       {absl::ZeroDuration(), absl::Nanoseconds(1), -absl::Nanoseconds(1), absl::Seconds(-3) - absl::Nanoseconds(5),
        absl::Seconds(kMaxWireDurationSeconds), -absl::Seconds(kMaxWireDurationSeconds)}) {
    const auto parsed = ParseDuration(ToProto(d));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, d);
  }
}

TEST(DurationWire, WhatDoesNotFitBecomesTheEnd) {
  EXPECT_EQ(ToProto(absl::InfiniteDuration()).seconds(), kMaxWireDurationSeconds);
  EXPECT_EQ(ToProto(-absl::InfiniteDuration()).seconds(), -kMaxWireDurationSeconds);
  EXPECT_EQ(ToProto(absl::Nanoseconds(1) / 4).nanos(), 0);
}

TEST(DurationWire, RefusesWhatIsOutOfRange) {
  EXPECT_FALSE(ParseDuration(WireDuration(kMaxWireDurationSeconds + 1, 0)).ok());
  EXPECT_FALSE(ParseDuration(WireDuration(-kMaxWireDurationSeconds - 1, 0)).ok());
  EXPECT_FALSE(ParseDuration(WireDuration(0, 1'000'000'000)).ok());
  EXPECT_FALSE(ParseDuration(WireDuration(0, -1'000'000'000)).ok());
  EXPECT_FALSE(ParseDuration(WireDuration(1, -1)).ok());
  EXPECT_FALSE(ParseDuration(WireDuration(-1, 1)).ok());
}

TEST(TimestampWire, RoundTripsToTheNanosecond) {
  for (const int64_t ns : {int64_t{0}, int64_t{-1}, int64_t{1'700'000'000'123'456'789}}) {
    const auto parsed = ParseTimestamp(ToProto(absl::FromUnixNanos(ns)));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, absl::FromUnixNanos(ns));
  }
}

TEST(TimestampWire, RangeIsTheYears1To9999) {
  const auto first = ParseTimestamp(ToProto(absl::InfinitePast()));
  const auto last = ParseTimestamp(ToProto(absl::InfiniteFuture()));
  ASSERT_TRUE(first.ok() && last.ok());
  EXPECT_EQ(absl::ToCivilYear(*first, absl::UTCTimeZone()).year(), 1);
  EXPECT_EQ(absl::ToCivilYear(*last, absl::UTCTimeZone()).year(), 9999);
  EXPECT_FALSE(ParseTimestamp(WireTime(-62'135'596'801, 0)).ok());
  EXPECT_FALSE(ParseTimestamp(WireTime(253'402'300'800, 0)).ok());
  EXPECT_FALSE(ParseTimestamp(WireTime(0, -1)).ok());
  EXPECT_FALSE(ParseTimestamp(WireTime(0, 1'000'000'000)).ok());
}

struct Utf8Case {
  std::string name;
  std::string text;
  std::string repaired;  // equal to the text when it is valid
};

class Utf8Test : public ::testing::TestWithParam<Utf8Case> {};

TEST_P(Utf8Test, IsCheckedAndRepaired) {
  EXPECT_EQ(IsUtf8(GetParam().text), GetParam().text == GetParam().repaired);
  EXPECT_EQ(ToUtf8(GetParam().text), GetParam().repaired);
}

INSTANTIATE_TEST_SUITE_P(All, Utf8Test,
                         ::testing::ValuesIn(std::vector<Utf8Case>{
                             {"Empty", "", ""},
                             {"Ascii", "a\n", "a\n"},
                             {"TwoBytes", "\xC2\x80\xDF\xBF", "\xC2\x80\xDF\xBF"},
                             {"ThreeBytes", "\xE0\xA0\x80\xEF\xBF\xBF", "\xE0\xA0\x80\xEF\xBF\xBF"},
                             {"FourBytes", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
                             {"OverlongTwo", "\xC0\x80", "??"},
                             {"OverlongThree", "\xE0\x9F\xBF", "???"},
                             {"OverlongFour", "\xF0\x8F\xBF\xBF", "????"},
                             {"Surrogate", "\xED\xA0\x80", "???"},
                             {"BeforeSurrogates", "\xED\x9F\xBF", "\xED\x9F\xBF"},
                             {"TooHigh", "\xF4\x90\x80\x80", "????"},
                             {"Cut", "a\xE2\x82", "a??"},
                             {"Continuation", "\x80z", "?z"},
                             {"BadThird", "\xE2\x82z", "??z"},
                         }),
                         [](const auto& c) { return c.param.name; });

TEST(Quoted, EscapesAndCuts) {
  EXPECT_EQ(Quoted("a\x1b'\xFF"), "'a\\033\\'?'");
  EXPECT_EQ(Quoted(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(Quoted(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
}

// Every value of an enum but 0 is a value of the model and comes back as itself.
template <typename Parse>
void ExpectRoundTrip(const google::protobuf::EnumDescriptor* descriptor, Parse parse) {
  for (int i = 1; i < descriptor->value_count(); ++i) {
    const int number = descriptor->value(i)->number();
    const auto parsed = parse(number);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(static_cast<int>(ToProto(*parsed)), number) << descriptor->value(i)->name();
  }
  EXPECT_FALSE(parse(descriptor->value_count()).ok());
}

TEST(StatesWire, RoundTrip) {
  ExpectRoundTrip(v1::JobState_descriptor(), [](int n) { return ParseJobState(static_cast<v1::JobState>(n)); });
  ExpectRoundTrip(v1::RunState_descriptor(), [](int n) { return ParseRunState(static_cast<v1::RunState>(n)); });
  ExpectRoundTrip(v1::AttemptEnd_descriptor(), [](int n) { return ParseAttemptEnd(static_cast<v1::AttemptEnd>(n)); });
  ExpectRoundTrip(v1::SampleOutcome_descriptor(),
                  [](int n) { return ParseSampleOutcome(static_cast<v1::SampleOutcome>(n)); });
  ExpectRoundTrip(v1::Schedule_descriptor(), [](int n) { return ParseSchedule(static_cast<v1::Schedule>(n)); });
  ExpectRoundTrip(v1::FanOut_descriptor(), [](int n) { return ParseFanOut(static_cast<v1::FanOut>(n)); });
}

TEST(StatesWire, UnspecifiedIsRefusedButForFanOut) {
  EXPECT_FALSE(ParseJobState(v1::JOB_STATE_UNSPECIFIED).ok());
  EXPECT_FALSE(ParseRunState(v1::RUN_STATE_UNSPECIFIED).ok());
  EXPECT_FALSE(ParseAttemptEnd(v1::ATTEMPT_END_UNSPECIFIED).ok());
  EXPECT_EQ(*ParseFanOut(v1::FAN_OUT_UNSPECIFIED), FanOut::kAny);
}

// The numbers are the contract with other languages; a name must stand for the same word.
TEST(StatesWire, NamesAreTheModelsWords) {
  EXPECT_EQ(ToProto(RunState::kQuarantined), v1::RUN_STATE_QUARANTINED);
  for (int i = 1; i < v1::RunState_descriptor()->value_count(); ++i) {
    const auto state = ParseRunState(static_cast<v1::RunState>(i));
    EXPECT_EQ("RUN_STATE_" + Upper(Word(*state)), v1::RunState_Name(static_cast<v1::RunState>(i)));
  }
  for (int i = 1; i < v1::JobState_descriptor()->value_count(); ++i) {
    const auto state = ParseJobState(static_cast<v1::JobState>(i));
    EXPECT_EQ("JOB_STATE_" + Upper(Word(*state)), v1::JobState_Name(static_cast<v1::JobState>(i)));
  }
  for (int i = 1; i < v1::AttemptEnd_descriptor()->value_count(); ++i) {
    const auto end = ParseAttemptEnd(static_cast<v1::AttemptEnd>(i));
    EXPECT_EQ("ATTEMPT_END_" + Upper(Word(*end)), v1::AttemptEnd_Name(static_cast<v1::AttemptEnd>(i)));
  }
  for (int i = 1; i < v1::SampleOutcome_descriptor()->value_count(); ++i) {
    const auto outcome = ParseSampleOutcome(static_cast<v1::SampleOutcome>(i));
    EXPECT_EQ("SAMPLE_OUTCOME_" + Upper(Word(*outcome)), v1::SampleOutcome_Name(static_cast<v1::SampleOutcome>(i)));
  }
}

TEST(StatusWire, ReasonAndViolationsRoundTrip) {
  FieldErrors errors;
  errors.Add("spec.project", "'A' is wrong");
  errors.Add("spec.wake.cases[1]", "unknown");
  for (const absl::Status& status :
       {absl::OkStatus(), absl::UnavailableError("later"), errors.ToStatus(),
        ErrorWithReason(absl::StatusCode::kFailedPrecondition, "STALE_LEASE", "lease 3 has passed on")}) {
    const absl::Status back = FromRpcStatus(ToRpcStatus(status));
    EXPECT_EQ(back.code(), status.code());
    EXPECT_EQ(back.message(), status.message());
    EXPECT_EQ(ErrorReason(back), ErrorReason(status));
    EXPECT_EQ(FieldViolationsOf(back), FieldViolationsOf(status));
  }
}

TEST(StatusWire, DetailsAreTheOnesEverybodyKnows) {
  FieldErrors errors;
  errors.Add("spec.project", "wrong");
  const google::rpc::Status proto = ToRpcStatus(errors.ToStatus());
  EXPECT_EQ(proto.code(), 3);
  ASSERT_EQ(proto.details_size(), 2);
  EXPECT_EQ(proto.details(0).type_url(), "type.googleapis.com/google.rpc.ErrorInfo");
  EXPECT_EQ(proto.details(1).type_url(), "type.googleapis.com/google.rpc.BadRequest");
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(proto.details(0).UnpackTo(&info));
  EXPECT_EQ(info.reason(), "INVALID_FIELD");
  EXPECT_EQ(info.domain(), "benchfleet");
}

TEST(StatusWire, ForeignStatusesAreUnderstood) {
  google::rpc::Status proto;
  proto.set_code(7);
  proto.set_message("no");
  google::rpc::ErrorInfo info;
  info.set_reason("OTHER");
  info.set_domain("example.com");
  proto.add_details()->PackFrom(info);
  const absl::Status status = FromRpcStatus(proto);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(ErrorReason(status), "");

  google::rpc::BadRequest bad_request;
  bad_request.add_field_violations()->set_field("x");
  proto.set_code(3);
  proto.add_details()->PackFrom(bad_request);
  EXPECT_EQ(FieldViolationsOf(FromRpcStatus(proto)), (std::vector<FieldViolation>{{"x", ""}}));

  for (const int code : {-1, 17, 4711}) {
    proto.set_code(code);
    EXPECT_EQ(FromRpcStatus(proto).code(), absl::StatusCode::kUnknown) << code;
  }
}

TEST(StatusWire, AMessageThatIsNotUtf8IsRepaired) {
  EXPECT_EQ(ToRpcStatus(absl::InternalError("a\xFF")).message(), "a?");
}

}  // namespace
}  // namespace benchfleet
