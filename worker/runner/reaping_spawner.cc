#include "worker/runner/reaping_spawner.h"

#include <sys/wait.h>

namespace benchfleet {

absl::StatusOr<ProcessResult> ReapingSpawner::Run(const Command& command, const RunOptions& options) {
  absl::StatusOr<ProcessResult> result = spawner_.Run(command, options);
  ReapOrphans();
  return result;
}

void ReapOrphans() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

}  // namespace benchfleet
