// benchfleet-compile-pass: runs one pass of the compile suite by one native strategy, in
// this fresh and small process. Links nothing but the standard library, so that a launch
// costs what the strategy makes of it.
//
// Prints nothing on success. Exit codes: 0 all launched and reaped, 1 the pass could not be
// carried out, 2 wrong arguments.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "worker/suites/compile/pass/arguments.h"
#include "worker/suites/compile/pass/pass.h"
#include "worker/suites/compile/pass/pass_files.h"

namespace {

// For this process and all it starts. False with errno set.
bool LimitFileSize() {
  rlimit limit;
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
  limit.rlim_max = std::min(limit.rlim_max, rlim_t{benchfleet::kMaxCompileFileBytes});
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

int Fail(int exit_code, const std::string& error) {
  fprintf(stderr, "benchfleet-compile-pass: %s\n", error.c_str());
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace benchfleet::compile_pass;  // NOLINT: a program of one function
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Where it is ignored, the kernel reaps the children and tells us nothing.
  ::signal(SIGCHLD, SIG_DFL);
  // What was left open for us is none of the compiles' business.
  ::closefrom(STDERR_FILENO + 1);
  Arguments arguments;
  if (const std::string error = ParseArguments({argv + 1, argv + argc}, &arguments); !error.empty()) {
    return Fail(2, error);
  }
  if (!LimitFileSize()) return Fail(1, std::string("cannot limit the size of files: ") + strerror(errno));
  if (const std::string error = RunPass(arguments); !error.empty()) return Fail(1, error);
  return 0;
}
