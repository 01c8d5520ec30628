// `benchfleet run --local`: a runner on this machine and no server at all.
#ifndef BENCHFLEET_CLI_COMMANDS_RUN_LOCAL_H_
#define BENCHFLEET_CLI_COMMANDS_RUN_LOCAL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "common/model/job_spec.h"

namespace benchfleet {

// Paths of what shall be measured besides what is found.
struct LocalPrograms {
  std::vector<std::string> interpreters;
  std::vector<std::string> compilers;
};

// The exit code; kExitNoWorker when something else measures on this machine. Errors: a
// report cannot be written.
absl::StatusOr<int> RunLocal(const JobSpec& spec, const LocalPrograms& programs, OutputFormat format,
                             const std::vector<ReportFile>& files, Interrupts& interrupts);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_COMMANDS_RUN_LOCAL_H_
