#include "server/rpc/rpc_support.h"

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/wire/status_wire.h"

namespace benchfleet {

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const google::rpc::Status details = ToRpcStatus(status);
  return grpc::Status(static_cast<grpc::StatusCode>(details.code()), details.message(), details.SerializeAsString());
}

absl::Status Overloaded() {
  return ErrorWithReason(absl::StatusCode::kUnavailable, "OVERLOADED",
                         absl::StrCat("more than ", kMaxQueuedTasks, " calls wait; try again later"));
}

}  // namespace benchfleet
