// Buries the orphans of the programs that were run.
#ifndef BENCHFLEET_WORKER_RUNNER_REAPING_SPAWNER_H_
#define BENCHFLEET_WORKER_RUNNER_REAPING_SPAWNER_H_

#include "common/os/process.h"

namespace benchfleet {

// The runner is a subreaper: what a program left behind becomes its child, and would stay
// a zombie. After each program every child that has ended is reaped.
//
// Thread-safety: none: only one program at a time, or one would reap the other's.
class ReapingSpawner final : public ProcessSpawner {
 public:
  absl::StatusOr<ProcessResult> Run(const Command& command, const RunOptions& options) override;

 private:
  PosixProcessSpawner spawner_;
};

// Reaps every child of this process that has ended.
void ReapOrphans();

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_RUNNER_REAPING_SPAWNER_H_
