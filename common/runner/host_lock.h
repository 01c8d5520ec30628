// One benchmark at a time per kernel: the lock that the agent and the client share.
#ifndef BENCHFLEET_COMMON_RUNNER_HOST_LOCK_H_
#define BENCHFLEET_COMMON_RUNNER_HOST_LOCK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

// Where the lock may be, best first: /run/lock/benchfleet.lock, then for users who may
// not write there $XDG_RUNTIME_DIR/benchfleet.lock or else /tmp/benchfleet-<uid>.lock.
std::vector<std::string> HostLockPaths();

// The lock at the first of `paths` that can be opened; held while the descriptor lives.
// kFailedPrecondition names the path and the holder's pid. kPermissionDenied: none can be opened.
absl::StatusOr<UniqueFd> LockHost(const std::vector<std::string>& paths = HostLockPaths());

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_RUNNER_HOST_LOCK_H_
