// Checks the fields of one message and adds what is wrong, each with its path.
#ifndef BENCHFLEET_COMMON_WIRE_FIELD_CHECKS_H_
#define BENCHFLEET_COMMON_WIRE_FIELD_CHECKS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/base/error.h"
#include "google/protobuf/duration.pb.h"

namespace benchfleet {

// Ownership: refers to `errors`, which must live longer.
class FieldChecks {
 public:
  FieldChecks(FieldErrors& errors, absl::string_view prefix) : errors_(&errors), prefix_(prefix) {}

  // The checks of a message inside this one.
  FieldChecks In(absl::string_view name) const { return FieldChecks(*errors_, Path(name)); }
  FieldChecks In(absl::string_view name, int index) const { return FieldChecks(*errors_, Path(name, index)); }

  std::string Path(absl::string_view name) const {
    return prefix_.empty() ? std::string(name) : absl::StrCat(prefix_, ".", name);
  }
  std::string Path(absl::string_view name, int index) const { return absl::StrCat(Path(name), "[", index, "]"); }

  FieldErrors& errors() const { return *errors_; }
  void Add(absl::string_view name, absl::string_view description) const {
    errors_->Add(Path(name), std::string(description));
  }
  // Adds the status's field violations, or its message for `name`; false when there was an error.
  bool Ok(absl::string_view name, const absl::Status& status) const;

  // Each returns whether the value is right.
  bool Text(absl::string_view name, absl::string_view value, size_t max_bytes) const;
  // Text that is not empty.
  bool Name(absl::string_view name, absl::string_view value, size_t max_bytes) const;
  bool Count(absl::string_view name, int count, int min, int max) const;
  bool Range(absl::string_view name, int64_t value, int64_t min, int64_t max) const;
  bool NotNegative(absl::string_view name, int64_t value) const;

  // The duration, or zero after an error.
  absl::Duration Duration(absl::string_view name, const google::protobuf::Duration& value, absl::Duration min,
                          absl::Duration max) const;

 private:
  FieldErrors* errors_;
  std::string prefix_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_FIELD_CHECKS_H_
