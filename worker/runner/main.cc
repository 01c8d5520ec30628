// benchfleet-runner: measures, in a process of its own that holds nothing but what
// measuring needs. Standard output carries the protocol and nothing else.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "worker/runner/arguments.h"
#include "worker/runner/runner.h"

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto arguments = benchfleet::ParseRunnerArguments(std::vector<std::string>(argv + 1, argv + argc));
  if (!arguments.ok()) {
    std::fprintf(stderr, "benchfleet-runner: %s\n%s", std::string(arguments.status().message()).c_str(),
                 benchfleet::kRunnerUsage);
    return 2;
  }
  const absl::Status done = arguments->describe ? benchfleet::DescribeThisHost(STDOUT_FILENO, *arguments)
                                                : benchfleet::ServeRun(STDIN_FILENO, STDOUT_FILENO, *arguments);
  if (done.ok()) return 0;
  std::fprintf(stderr, "benchfleet-runner: %s\n", done.ToString().c_str());
  return 1;
}
