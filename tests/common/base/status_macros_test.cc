#include "common/base/status_macros.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace benchfleet {
namespace {

TEST(StatusMacrosTest, ReturnIfErrorPassesErrorsOnAndGoesOnOtherwise) {
  const auto check = [](absl::Status status) -> absl::Status {
    BF_RETURN_IF_ERROR(status);
    return absl::AlreadyExistsError("went on");
  };
  EXPECT_EQ(check(absl::NotFoundError("no host")), absl::NotFoundError("no host"));
  EXPECT_EQ(check(absl::OkStatus()).code(), absl::StatusCode::kAlreadyExists);
}

TEST(StatusMacrosTest, AssignOrReturnMovesTheValueOut) {
  using Box = std::unique_ptr<int>;
  const auto sum = [](absl::StatusOr<Box> a, absl::StatusOr<Box> b) -> absl::StatusOr<int> {
    BF_ASSIGN_OR_RETURN(const Box left, std::move(a));
    BF_ASSIGN_OR_RETURN(const Box right, std::move(b));
    return *left + *right;
  };
  EXPECT_EQ(*sum(std::make_unique<int>(2), std::make_unique<int>(3)), 5);
  EXPECT_EQ(sum(std::make_unique<int>(2), absl::AbortedError("b")).status(), absl::AbortedError("b"));
  EXPECT_EQ(sum(absl::AbortedError("a"), absl::AbortedError("b")).status(), absl::AbortedError("a"));
}

}  // namespace
}  // namespace benchfleet
