// How every strategy starts a compile and takes it back: the same code for all, so that
// what differs between them is the strategy.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_LAUNCHER_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_LAUNCHER_H_

#include <spawn.h>
#include <sys/types.h>

#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet::compile_pass {

// A compile gets /dev/null as its input, its log as output and error, this process's
// environment, working directory and process group, default signals, none blocked, and no
// other descriptor as long as this process opens all of its own with O_CLOEXEC. Neither a
// shell nor PATH is asked.
//
// Thread-safety: safe, and as good in a forked process.
class Launcher {
 public:
  Launcher();
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // Starts the compile with these texts (Commands::texts) and stamps its record. Its pid,
  // or 0 when it could not be started, which the record tells.
  pid_t Launch(const char* texts, PassRecord* record) const;

  // Waits for the end of what Launch() started, and completes its record. 0, or the errno of
  // a wait that failed.
  int Reap(pid_t pid, PassRecord* record) const;

  // Both. 0, or the errno of a wait that failed.
  int Run(const char* texts, PassRecord* record) const;

 private:
  posix_spawnattr_t attributes_;
};

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_LAUNCHER_H_
