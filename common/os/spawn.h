// Starts a process without fork(); the inner part of Child.
#ifndef BENCHFLEET_COMMON_OS_SPAWN_H_
#define BENCHFLEET_COMMON_OS_SPAWN_H_

#include <sys/types.h>

#include "absl/status/statusor.h"
#include "common/os/process.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

struct SpawnedProcess {
  pid_t pid = -1;
  UniqueFd pidfd;
  UniqueFd stdin_fd, stdout_fd, stderr_fd;  // our ends; stderr_fd only when captured
};

// The caller must reap `pid`. Errors as Child::Spawn().
absl::StatusOr<SpawnedProcess> SpawnProcess(const Command& command, bool capture_stderr);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_SPAWN_H_
