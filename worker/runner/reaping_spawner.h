// Runs programs, and ends what outlives them.
#ifndef BENCHFLEET_WORKER_RUNNER_REAPING_SPAWNER_H_
#define BENCHFLEET_WORKER_RUNNER_REAPING_SPAWNER_H_

#include "common/os/process.h"

namespace benchfleet {

// The runner is a subreaper: what a program left behind becomes its child, whatever group
// or session it is in, and would disturb whatever is measured next. After each program
// every child of this process is killed and reaped; the result's survivors and usage tell.
// What ends by itself because the program's pipes are closed is no survivor.
//
// Thread-safety: none: only one program at a time, or one would end the other's.
class ReapingSpawner final : public ProcessSpawner {
 public:
  absl::StatusOr<ProcessResult> Run(const Command& command, const RunOptions& options) override;

 private:
  PosixProcessSpawner spawner_;
};

struct EndedOrphans {
  int killed = 0;      // by SIGKILL, from here or with the group they were in
  ProcessUsage usage;  // of all that were reaped
};

// Kills (SIGKILL) and reaps every child of this process, and every one it becomes the
// parent of thereby, until none is left. Gives up on what the kernel has not ended after 10 s.
EndedOrphans EndOrphans();

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_RUNNER_REAPING_SPAWNER_H_
