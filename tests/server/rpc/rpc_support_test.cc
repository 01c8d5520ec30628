#include "server/rpc/rpc_support.h"

#include <gmock/gmock.h>

#include "common/wire/text_wire.h"
#include "tests/server/rpc/rpc_fixture.h"

namespace benchfleet {
namespace {

using ::testing::EndsWith;
using ::testing::SizeIs;

TEST(ToGrpc, EveryErrorHasAReason) {
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_EQ(ErrorReason(FromGrpc(ToGrpc(absl::UnavailableError("no disk")))), "UNAVAILABLE");
  const absl::Status known = ErrorWithReason(absl::StatusCode::kNotFound, "JOB_NOT_FOUND", "id: no job");
  EXPECT_EQ(FromGrpc(ToGrpc(known)), known);
}

TEST(ToGrpc, ALongMessageIsCut) {
  const std::string longest(kMaxErrorMessageBytes, 'x');
  EXPECT_EQ(ToGrpc(absl::InternalError(longest)).error_message(), longest);
  const grpc::Status cut = ToGrpc(absl::InternalError(longest + "x"));
  EXPECT_THAT(cut.error_message(), SizeIs(kMaxErrorMessageBytes));
  EXPECT_THAT(cut.error_message(), EndsWith("x..."));
  std::string umlauts;
  while (umlauts.size() <= kMaxErrorMessageBytes) umlauts += "\xc3\xbc";
  EXPECT_TRUE(IsUtf8(ToGrpc(absl::InternalError(umlauts)).error_message()));
}

TEST(ToGrpc, OfManyFieldsTheFirstAreNamed) {
  FieldErrors errors;
  for (int i = 0; i < 1000; ++i) errors.Add(absl::StrCat("field[", i, "]"), std::string(100, 'x'));
  const grpc::Status status = ToGrpc(errors.ToStatus());
  EXPECT_LE(status.error_details().size(), kMaxErrorDetailsBytes);
  const absl::Status read = FromGrpc(status);
  EXPECT_EQ(ErrorReason(read), "INVALID_FIELD");
  const auto violations = FieldViolationsOf(read);
  ASSERT_GT(violations.size(), 10u);
  EXPECT_EQ(violations[0].field, "field[0]");
}

TEST_F(RpcTest, WhateverAClientSendsItCanReadTheError) {
  std::string id;
  while (id.size() < 100'000) id += "\xc3\xbc";
  v1::GetJobRequest request;
  request.set_id(id);
  grpc::ClientContext context;
  SetWatchDog(context);
  v1::Job response;
  const absl::Status status = FromGrpc(users->GetJob(&context, request, &response));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_EQ(ErrorReason(status), "JOB_NOT_FOUND");
}

}  // namespace
}  // namespace benchfleet
