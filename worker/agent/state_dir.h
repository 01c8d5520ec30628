// The worker's state directory: its identity, its lock, its spool.
#ifndef BENCHFLEET_WORKER_AGENT_STATE_DIR_H_
#define BENCHFLEET_WORKER_AGENT_STATE_DIR_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

// Reads one environment variable; nullopt when it is not set or empty.
using EnvironmentFunction = std::function<std::optional<std::string>(const char* name)>;

// --state-dir > $STATE_DIRECTORY (the first, systemd may give several) > /var/lib/benchfleet
// for root > $XDG_STATE_HOME/benchfleet > ~/.local/state/benchfleet.
// kInvalidArgument: none of them is known.
absl::StatusOr<std::string> ChooseStateDir(const std::string& flag, bool is_root, const EnvironmentFunction& get);

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
