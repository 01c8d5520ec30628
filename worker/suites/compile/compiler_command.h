// How a compiler is called.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_COMPILER_COMMAND_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_COMPILER_COMMAND_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/model/host.h"
#include "worker/suites/compile/probes.h"

namespace benchfleet {

// What a compile of that mode writes in its folder.
std::string OutputPath(absl::string_view mode, const std::string& output_folder);

// Whatever the compiler writes for the probe, module files too, goes to `output_folder`:
// compiles that share a folder overwrite each other's files, in silence.
std::vector<std::string> CompilerArgv(const Compiler& compiler, absl::string_view mode, const Probe& probe,
                                      const std::string& probes_folder, const std::string& output_folder);

struct CompileEnvironment {
  std::string home;  // private folders
  std::string temporary_folder;
  std::string attempt_token;
  int padding_bytes = 0;
};

// The whole environment of a pass and its compiles: what the caller's holds (CPATH,
// GCC_EXEC_PREFIX, MAKEFLAGS, a cache in PATH, a language) must not matter.
std::vector<std::string> MakeEnvironment(const CompileEnvironment& environment);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_COMPILER_COMMAND_H_
