// benchfleet-wake-epoll: measures one case of the wake suite on the native loop, in this
// fresh process. Links nothing but the runtime, so that nothing else disturbs it.
//
// Prints one line of JSON. Exit codes: 0 measured, 1 a check failed, 2 wrong arguments.
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "worker/suites/wake/epoll/arguments.h"
#include "worker/suites/wake/epoll/cases.h"

int main(int argc, char** argv) {
  using namespace benchfleet::wake_epoll;  // NOLINT: a program of one function
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Arguments arguments;
  if (const std::string error = ParseArguments({argv + 1, argv + argc}, &arguments); !error.empty()) {
    fprintf(stderr, "benchfleet-wake-epoll: %s\n", error.c_str());
    return 2;
  }
  std::string json;
  if (const std::string error = MeasureCase(arguments, &json); !error.empty()) {
    fprintf(stderr, "benchfleet-wake-epoll: %s\n", error.c_str());
    return 1;
  }
  return puts(json.c_str()) < 0 || fflush(stdout) != 0 ? 1 : 0;
}
