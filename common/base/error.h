// Errors that a program can act on: an absl::Status with a reason and, for bad input,
// the path of every wrong field. server/rpc and the client turn them into google.rpc
// error details and back.
#ifndef BENCHFLEET_COMMON_BASE_ERROR_H_
#define BENCHFLEET_COMMON_BASE_ERROR_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

// One wrong field of some input.
struct FieldViolation {
  std::string field;        // path, for example "spec.wake.cases[1]"
  std::string description;  // what is wrong, naming the value
  friend bool operator==(const FieldViolation&, const FieldViolation&) = default;
};

// A status with a machine-readable reason: UPPER_SNAKE_CASE, at most 63 characters.
absl::Status ErrorWithReason(absl::StatusCode code, absl::string_view reason, absl::string_view message);
// The reason of a status; empty when it has none.
std::string ErrorReason(const absl::Status& status);

// The field violations a status carries; empty when it has none.
std::vector<FieldViolation> FieldViolationsOf(const absl::Status& status);

// Collects everything that is wrong with an input, then becomes one status.
//
//   FieldErrors errors;
//   if (rounds < 1) errors.Add("method.rounds", StrCat("must be at least 1, is ", rounds));
//   BF_RETURN_IF_ERROR(errors.ToStatus());
class FieldErrors {
 public:
  void Add(std::string field, std::string description);
  bool empty() const { return violations_.empty(); }
  // OK when nothing was added, else kInvalidArgument INVALID_FIELD naming every field.
  absl::Status ToStatus() const;

 private:
  std::vector<FieldViolation> violations_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_BASE_ERROR_H_
