#include "common/jobfile/job_file.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/jobfile/proto_walker.h"

namespace benchfleet {
namespace {

std::string FieldAt(absl::string_view file_name, int line, absl::string_view path) {
  return path.empty() ? absl::StrCat(file_name, ":", line) : absl::StrCat(file_name, ":", line, ": ", path);
}

// "wake.cases[1]" -> "wake.cases" -> "wake" -> "".
absl::string_view Parent(absl::string_view path) {
  const size_t end = path.find_last_of(".[");
  return end == absl::string_view::npos ? absl::string_view() : path.substr(0, end);
}

}  // namespace

absl::StatusOr<JobFile> ParseJobFile(absl::string_view text, absl::string_view file_name) {
  BF_ASSIGN_OR_RETURN(const YamlNode root, ParseYaml(text, file_name));
  JobFile file;
  file.name = std::string(file_name);
  WalkResult result = FillMessage(root, file.spec);
  FieldErrors errors;
  for (size_t i = 0; i < result.errors.size() && i < kMaxJobFileErrors; ++i) {
    const LineError& error = result.errors[i];
    errors.Add(FieldAt(file_name, error.line, error.path), error.what);
  }
  BF_RETURN_IF_ERROR(errors.ToStatus());
  file.lines = std::move(result.lines);
  return file;
}

absl::Status LocateInFile(const absl::Status& status, const JobFile& file) {
  const auto violations = FieldViolationsOf(status);
  if (violations.empty()) return status;
  FieldErrors errors;
  for (const FieldViolation& violation : violations) {
    auto line = file.lines.find(violation.field);
    for (absl::string_view path = violation.field; line == file.lines.end() && !path.empty();) {
      path = Parent(path);
      line = file.lines.find(std::string(path));
    }
    errors.Add(line == file.lines.end() ? violation.field : FieldAt(file.name, line->second, violation.field),
               violation.description);
  }
  return errors.ToStatus();
}

}  // namespace benchfleet
