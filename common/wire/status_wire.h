// Errors on the wire: absl::Status and its details as google.rpc.Status. No gRPC here.
#ifndef BENCHFLEET_COMMON_WIRE_STATUS_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_STATUS_WIRE_H_

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"

namespace benchfleet {

inline constexpr char kErrorDomain[] = "benchfleet";

// The reason becomes an ErrorInfo, field violations a BadRequest.
google::rpc::Status ToRpcStatus(const absl::Status& status);

// The way back. A code that is not one becomes kUnknown; details of other kinds and
// reasons of other domains are dropped.
absl::Status FromRpcStatus(const google::rpc::Status& status);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_STATUS_WIRE_H_
