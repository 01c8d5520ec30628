// The command line of benchfleet-runner.
#ifndef BENCHFLEET_WORKER_RUNNER_ARGUMENTS_H_
#define BENCHFLEET_WORKER_RUNNER_ARGUMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace benchfleet {

inline constexpr char kRunnerUsage[] =
    "usage: benchfleet-runner [describe] [--python PATH]... [--compiler PATH]...\n"
    "Measures one job for the program that starts it, over its standard input and output;\n"
    "with `describe` writes what this host is.\n";

struct RunnerArguments {
  bool describe = false;
  // Paths the operator named, besides those that are found.
  std::vector<std::string> interpreters;
  std::vector<std::string> compilers;
};

// `arguments` without the program's name. kInvalidArgument names the wrong one.
absl::StatusOr<RunnerArguments> ParseRunnerArguments(const std::vector<std::string>& arguments);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_RUNNER_ARGUMENTS_H_
