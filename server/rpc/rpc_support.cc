#include "server/rpc/rpc_support.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/wire/status_wire.h"
#include "common/wire/text_wire.h"
#include "google/rpc/error_details.pb.h"

namespace benchfleet {
namespace {

// Takes field violations off the end of the details until these are small enough.
void FitDetails(google::rpc::Status& status) {
  if (status.ByteSizeLong() <= kMaxErrorDetailsBytes) return;
  google::protobuf::Any& last = *status.mutable_details()->rbegin();
  google::rpc::BadRequest fields;
  if (!last.UnpackTo(&fields)) return;
  while (status.ByteSizeLong() > kMaxErrorDetailsBytes && fields.field_violations_size() > 0) {
    fields.mutable_field_violations()->RemoveLast();
    last.PackFrom(fields);
  }
}

}  // namespace

absl::Status FieldError(absl::string_view field, absl::string_view description) {
  FieldErrors errors;
  errors.Add(std::string(field), std::string(description));
  return errors.ToStatus();
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  google::rpc::Status details =
      ToRpcStatus(ErrorReason(status).empty()
                      ? ErrorWithReason(status.code(), absl::StatusCodeToString(status.code()), status.message())
                      : status);
  if (details.message().size() > kMaxErrorMessageBytes) {
    constexpr absl::string_view kCut = "...";
    const absl::string_view head(details.message().data(), kMaxErrorMessageBytes - kCut.size());
    details.set_message(absl::StrCat(ToUtf8(head), kCut));
  }
  FitDetails(details);
  return grpc::Status(static_cast<grpc::StatusCode>(details.code()), details.message(), details.SerializeAsString());
}

absl::Status Overloaded() {
  return ErrorWithReason(absl::StatusCode::kUnavailable, "OVERLOADED",
                         absl::StrCat("more than ", kMaxQueuedTasks, " calls wait; try again later"));
}

}  // namespace benchfleet
