#include "common/base/error.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace benchfleet {
namespace {

constexpr char kReasonUrl[] = "benchfleet/reason";
constexpr char kViolationsUrl[] = "benchfleet/field_violations";

// A payload holds each text behind its length, so that any byte may stand in it.
void AppendText(absl::string_view text, std::string* payload) { absl::StrAppend(payload, text.size(), ":", text); }

// Takes one text off the front; false at the end or when the payload is not ours.
bool TakeText(absl::string_view& payload, std::string& text) {
  const size_t colon = payload.find(':');
  size_t size = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(payload.substr(0, colon), &size) ||
      size > payload.size() - colon - 1) {
    return false;
  }
  text = std::string(payload.substr(colon + 1, size));
  payload.remove_prefix(colon + 1 + size);
  return true;
}

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
  absl::string_view rest = text;
  for (FieldViolation v; TakeText(rest, v.field) && TakeText(rest, v.description);) violations.push_back(v);
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
    AppendText(v.field, &payload);
    AppendText(v.description, &payload);
  }
  absl::Status status = ErrorWithReason(absl::StatusCode::kInvalidArgument, "INVALID_FIELD", message);
  status.SetPayload(kViolationsUrl, absl::Cord(payload));
  return status;
}

}  // namespace benchfleet
