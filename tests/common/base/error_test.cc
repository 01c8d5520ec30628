#include "common/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ErrorWithReasonTest, CarriesCodeReasonAndMessage) {
  const absl::Status status =
      ErrorWithReason(absl::StatusCode::kFailedPrecondition, "STALE_LEASE", "run r/0: lease epoch 3 is not 4");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "run r/0: lease epoch 3 is not 4");
  EXPECT_EQ(ErrorReason(status), "STALE_LEASE");
  EXPECT_THAT(FieldViolationsOf(status), IsEmpty());
}

TEST(ErrorWithReasonTest, OtherStatusesHaveNoReason) {
  EXPECT_EQ(ErrorReason(absl::OkStatus()), "");
  EXPECT_EQ(ErrorReason(absl::InternalError("disk")), "");
  EXPECT_THAT(FieldViolationsOf(absl::InternalError("disk")), IsEmpty());
}

TEST(FieldErrorsTest, NothingAddedIsOk) {
  FieldErrors errors;
  EXPECT_TRUE(errors.empty());
  EXPECT_TRUE(errors.ToStatus().ok());
}

TEST(FieldErrorsTest, EveryFieldIsNamedInOrder) {
  FieldErrors errors;
  errors.Add("spec.method.rounds", "must be at least 1, is 0");
  errors.Add("spec.wake.cases[1]", "'fast; faster: é' is not a case");
  EXPECT_FALSE(errors.empty());
  const absl::Status status = errors.ToStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ErrorReason(status), "INVALID_FIELD");
  EXPECT_EQ(status.message(),
            "spec.method.rounds: must be at least 1, is 0; spec.wake.cases[1]: 'fast; faster: é' is not a case");
  EXPECT_THAT(FieldViolationsOf(status),
              ElementsAre(FieldViolation{"spec.method.rounds", "must be at least 1, is 0"},
                          FieldViolation{"spec.wake.cases[1]", "'fast; faster: é' is not a case"}));
}

TEST(FieldErrorsTest, AnyByteMayStandInADescription) {
  FieldErrors errors;
  errors.Add("a", std::string("x\x1ey\x1f\0 3:z", 9));
  errors.Add("12:b", ":");
  EXPECT_THAT(FieldViolationsOf(errors.ToStatus()),
              ElementsAre(FieldViolation{"a", std::string("x\x1ey\x1f\0 3:z", 9)}, FieldViolation{"12:b", ":"}));
}

TEST(FieldErrorsTest, EmptyPartsStayApart) {
  FieldErrors errors;
  errors.Add("", "the request is empty");
  errors.Add("spec", "");
  EXPECT_THAT(FieldViolationsOf(errors.ToStatus()),
              ElementsAre(FieldViolation{"", "the request is empty"}, FieldViolation{"spec", ""}));
}

}  // namespace
}  // namespace benchfleet
