// Job files: a JobSpec as YAML or JSON.
//
//   project: event-loop
//   host_selector: pool=lab
//   method: {rounds: 9, budget: 3m}
//   wake:
//     loops: [epoll]
//     variants: [socket, counted]
#ifndef BENCHFLEET_COMMON_JOBFILE_JOB_FILE_H_
#define BENCHFLEET_COMMON_JOBFILE_JOB_FILE_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchfleet/v1/job.pb.h"
#include "common/jobfile/yaml_tree.h"

namespace benchfleet {

inline constexpr size_t kMaxJobFileBytes = kMaxYamlBytes;
inline constexpr int kMaxJobFileDepth = kMaxYamlDepth;
inline constexpr size_t kMaxJobFileErrors = 100;  // reported at once

struct JobFile {
  std::string name;
  v1::JobSpec spec;                  // well-formed; ParseJobSpec() still has to accept it
  std::map<std::string, int> lines;  // of every field that is set, by path ("wake.cases[1]")
};

// kInvalidArgument INVALID_FIELD with every violation found, each as "FILE:LINE: path";
// what is no YAML at all is one message "FILE:LINE: what".
absl::StatusOr<JobFile> ParseJobFile(absl::string_view text, absl::string_view file_name);

// A status of ParseJobSpec(file.spec, "") with "FILE:LINE: " before each field that
// stands in the file, or whose parent does; others are left as they are.
absl::Status LocateInFile(const absl::Status& status, const JobFile& file);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_JOBFILE_JOB_FILE_H_
