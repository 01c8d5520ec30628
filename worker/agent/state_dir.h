// The worker's state directory: its identity, its lock, its spool.
#ifndef BENCHFLEET_WORKER_AGENT_STATE_DIR_H_
#define BENCHFLEET_WORKER_AGENT_STATE_DIR_H_

#include <string>

#include "absl/status/statusor.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

// An opened one.
struct StateDir {
  std::string path;
  std::string worker_id;  // made at first use, then the same for ever
  UniqueFd lock;          // one worker per state directory

  std::string spool() const { return path + "/spool"; }
};

// Makes the directory when it is missing. Errors name the path; kFailedPrecondition:
// another worker uses it, its pid is named.
absl::StatusOr<StateDir> OpenStateDir(const std::string& path);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_STATE_DIR_H_
