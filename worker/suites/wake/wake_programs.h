// Where the programs that measure are, and the CPU they measure on.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_WAKE_PROGRAMS_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_WAKE_PROGRAMS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace benchfleet {

// Absolute paths.
struct WakePrograms {
  std::string epoll_program;    // benchfleet-wake-epoll
  std::string runtime_library;  // which it loads
  std::string python_module;
  std::string python_driver;
  std::optional<int> cpu;  // every measured process is pinned to it
};

// All four in one folder: the one of the running program, or ../libexec/benchfleet seen
// from there. The CPU is the last this process may use: interrupts and daemons tend to the
// first. kNotFound names the folders and a file that is missing.
absl::StatusOr<WakePrograms> FindWakePrograms();

// The same, as seen from a program in `folder`; without a CPU.
absl::StatusOr<WakePrograms> FindWakeProgramsFrom(const std::string& folder);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_WAKE_PROGRAMS_H_
