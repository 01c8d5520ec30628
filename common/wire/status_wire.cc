#include "common/wire/status_wire.h"

#include <string>

#include "common/base/error.h"
#include "common/wire/text_wire.h"
#include "google/rpc/error_details.pb.h"

namespace benchfleet {
namespace {

constexpr int kMaxCode = static_cast<int>(absl::StatusCode::kUnauthenticated);

absl::StatusCode CodeOf(int code) {
  return code >= 0 && code <= kMaxCode ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kUnknown;
}

}  // namespace

google::rpc::Status ToRpcStatus(const absl::Status& status) {
  google::rpc::Status proto;
  proto.set_code(static_cast<int>(CodeOf(static_cast<int>(status.code()))));
  proto.set_message(ToUtf8(status.message()));
  if (const std::string reason = ErrorReason(status); !reason.empty()) {
    google::rpc::ErrorInfo info;
    info.set_reason(reason);
    info.set_domain(kErrorDomain);
    proto.add_details()->PackFrom(info);
  }
  if (const auto violations = FieldViolationsOf(status); !violations.empty()) {
    google::rpc::BadRequest bad_request;
    for (const FieldViolation& violation : violations) {
      auto* field = bad_request.add_field_violations();
      field->set_field(ToUtf8(violation.field));
      field->set_description(ToUtf8(violation.description));
    }
    proto.add_details()->PackFrom(bad_request);
  }
  return proto;
}

absl::Status FromRpcStatus(const google::rpc::Status& proto) {
  const absl::StatusCode code = CodeOf(proto.code());
  if (code == absl::StatusCode::kOk) return absl::OkStatus();
  std::string reason;
  FieldErrors errors;
  for (const auto& detail : proto.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    if (detail.UnpackTo(&info) && info.domain() == kErrorDomain) {
      reason = info.reason();
    } else if (detail.UnpackTo(&bad_request)) {
      for (const auto& field : bad_request.field_violations()) errors.Add(field.field(), field.description());
    }
  }
  absl::Status status =
      reason.empty() ? absl::Status(code, proto.message()) : ErrorWithReason(code, reason, proto.message());
  if (!errors.empty()) {
    // The violations live in a payload of a status of their own; it is moved over.
    errors.ToStatus().ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
      if (!status.GetPayload(url).has_value()) status.SetPayload(url, payload);
    });
  }
  return status;
}

}  // namespace benchfleet
