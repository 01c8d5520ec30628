#include "common/wire/field_checks.h"

#include <limits>

#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {

bool FieldChecks::Ok(absl::string_view name, const absl::Status& status) const {
  if (status.ok()) return true;
  const auto violations = FieldViolationsOf(status);
  for (const FieldViolation& violation : violations) {
    errors_->Add(absl::StrCat(Path(name), ".", violation.field), violation.description);
  }
  if (violations.empty()) Add(name, status.message());
  return false;
}

bool FieldChecks::Text(absl::string_view name, absl::string_view value, size_t max_bytes) const {
  return Ok(name, CheckText(value, max_bytes));
}

bool FieldChecks::Name(absl::string_view name, absl::string_view value, size_t max_bytes) const {
  if (value.empty()) {
    Add(name, "must not be empty");
    return false;
  }
  return Text(name, value, max_bytes);
}

bool FieldChecks::Count(absl::string_view name, int count, int min, int max) const {
  if (count >= min && count <= max) return true;
  Add(name, count < min ? absl::StrCat("needs at least ", min, " entries, has ", count)
                        : absl::StrCat("has ", count, " entries, at most ", max, " are allowed"));
  return false;
}

bool FieldChecks::Range(absl::string_view name, int64_t value, int64_t min, int64_t max) const {
  if (value >= min && value <= max) return true;
  Add(name, value < min ? absl::StrCat("must be at least ", min, ", is ", value)
                        : absl::StrCat("must be at most ", max, ", is ", value));
  return false;
}

bool FieldChecks::NotNegative(absl::string_view name, int64_t value) const {
  return Range(name, value, 0, std::numeric_limits<int64_t>::max());
}

absl::Duration FieldChecks::Duration(absl::string_view name, const google::protobuf::Duration& value,
                                     absl::Duration min, absl::Duration max) const {
  const absl::StatusOr<absl::Duration> duration = ParseDuration(value);
  if (!Ok(name, duration.status())) return absl::ZeroDuration();
  if (*duration >= min && *duration <= max) return *duration;
  Add(name,
      *duration < min
          ? absl::StrCat("must be at least ", absl::FormatDuration(min), ", is ", absl::FormatDuration(*duration))
          : absl::StrCat("must be at most ", absl::FormatDuration(max), ", is ", absl::FormatDuration(*duration)));
  return absl::ZeroDuration();
}

}  // namespace benchfleet
