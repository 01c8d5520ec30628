#include "common/base/error.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace benchfleet {
namespace {

constexpr char kReasonUrl[] = "benchfleet/reason";
constexpr char kViolationsUrl[] = "benchfleet/field_violations";
// Neither can stand in a field path or a description, which are checked UTF-8 text.
constexpr char kFieldEnd = '\x1f';
constexpr char kViolationEnd = '\x1e';

}  // namespace

absl::Status ErrorWithReason(absl::StatusCode code, absl::string_view reason, absl::string_view message) {
  absl::Status status(code, message);
  status.SetPayload(kReasonUrl, absl::Cord(reason));
  return status;
}

std::string ErrorReason(const absl::Status& status) {
  const auto payload = status.GetPayload(kReasonUrl);
  return payload.has_value() ? std::string(*payload) : std::string();
}

std::vector<FieldViolation> FieldViolationsOf(const absl::Status& status) {
  std::vector<FieldViolation> violations;
  const auto payload = status.GetPayload(kViolationsUrl);
  if (!payload.has_value()) return violations;
  const std::string text(*payload);
  for (absl::string_view entry : absl::StrSplit(text, kViolationEnd, absl::SkipEmpty())) {
    std::pair<std::string, std::string> parts = absl::StrSplit(entry, absl::MaxSplits(kFieldEnd, 1));
    violations.push_back({std::move(parts.first), std::move(parts.second)});
  }
  return violations;
}

void FieldErrors::Add(std::string field, std::string description) {
  violations_.push_back({std::move(field), std::move(description)});
}

absl::Status FieldErrors::ToStatus() const {
  if (violations_.empty()) return absl::OkStatus();
  const std::string message = absl::StrJoin(violations_, "; ", [](std::string* out, const FieldViolation& v) {
    absl::StrAppend(out, v.field, ": ", v.description);
  });
  std::string payload;
  for (const FieldViolation& v : violations_) {
    absl::StrAppend(&payload, v.field, std::string(1, kFieldEnd), v.description, std::string(1, kViolationEnd));
  }
  absl::Status status = ErrorWithReason(absl::StatusCode::kInvalidArgument, "INVALID_FIELD", message);
  status.SetPayload(kViolationsUrl, absl::Cord(payload));
  return status;
}

}  // namespace benchfleet
