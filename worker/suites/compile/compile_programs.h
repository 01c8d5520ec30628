// Where the programs that run a pass, and the probes, are.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_COMPILE_PROGRAMS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_COMPILE_PROGRAMS_H_

#include <string>

#include "absl/status/statusor.h"

namespace benchfleet {

// Absolute paths.
struct CompilePrograms {
  std::string pass_program;  // benchfleet-compile-pass
  std::string python_driver;
  std::string probes_folder;  // with a folder for each language
};

// All in one folder: the one of the running program, or ../libexec/benchfleet seen from
// there. kNotFound names a file that is missing in each.
absl::StatusOr<CompilePrograms> FindCompilePrograms();

// The same, as seen from a program in `folder`.
absl::StatusOr<CompilePrograms> FindCompileProgramsFrom(const std::string& folder);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_COMPILE_PROGRAMS_H_
