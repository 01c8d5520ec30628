// The job that the flags of `run` and a job file describe.
#ifndef BENCHFLEET_CLI_JOB_OPTIONS_H_
#define BENCHFLEET_CLI_JOB_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchfleet/v1/job.pb.h"
#include "common/model/job_spec.h"

namespace benchfleet {

// As given; what is absent leaves the file's value or the default.
struct JobFlags {
  std::string target;  // "wake", "compile" or the path of a job file
  std::optional<std::string> hosts;
  bool all_hosts = false;
  std::optional<int> rounds;
  std::optional<std::string> budget;
  std::optional<std::string> margin;  // "2%" or "0.02"
  std::optional<uint64_t> seed;
  std::optional<std::string> project;
  std::vector<std::string> labels;  // "key=value"
  std::optional<std::string> commit;
  std::optional<std::string> branch;
  // Each list replaces the file's.
  std::vector<std::string> variants;      // either suite
  std::vector<std::string> interpreters;  // either suite
  std::vector<std::string> loops;         // wake
  std::vector<std::string> cases;         // wake
  std::vector<std::string> compilers;     // compile
  std::vector<std::string> modes;         // compile
  std::vector<int> limits;                // compile
};

struct RequestedJob {
  v1::JobSpec proto;
  JobSpec spec;
};

// kInvalidArgument with every violation: "FILE:LINE: field" of a file, the field's name
// or the flag's otherwise. kNotFound and the like: the file cannot be read.
absl::StatusOr<RequestedJob> RequestJob(const JobFlags& flags);

// "90s", "1h30m"; kInvalidArgument names the flag.
absl::StatusOr<absl::Duration> ParseDurationFlag(absl::string_view flag, const std::string& text);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_JOB_OPTIONS_H_
