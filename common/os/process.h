// Starts programs and owns them: no path leaves a zombie, a stray process or a leaked
// descriptor behind.
#ifndef BENCHFLEET_COMMON_OS_PROCESS_H_
#define BENCHFLEET_COMMON_OS_PROCESS_H_

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/model/sample.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

// What to start. Nothing is ever given to a shell.
struct Command {
  std::vector<std::string> argv;         // argv[0] is a path, or a name looked up in our PATH
  std::vector<std::string> environment;  // "NAME=value", the whole of it
  std::string working_directory;         // empty: the caller's; a relative argv[0] is found from here
  std::optional<int> cpu;                // pin to this CPU
};

// A program's end, which is not an error of ours.
struct ProcessEnd {
  std::optional<int> exit_code;  // exactly one of these two
  std::optional<int> signal;
  ProcessUsage usage;  // of the process and its waited-for children (wait4)
};

// A running program in its own process group, with pipes to its standard input and
// output; its standard error is the caller's, or a pipe when `capture_stderr`. It
// inherits nothing else: no descriptor, no blocked signal, no ignored signal.
//
// Ownership: unless Wait() returned, the destructor kills the group (SIGKILL) and reaps.
// Thread-safety: none, but Kill() may be called beside Wait().
class Child {
 public:
  // Never forks: the caller may run gRPC's threads. kNotFound: no such program.
  // kPermissionDenied: not executable. kResourceExhausted: no process or descriptor left.
  // kInvalidArgument: empty argv, or a CPU this process may not use.
  static absl::StatusOr<Child> Spawn(const Command& command, bool capture_stderr);

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  pid_t pid() const;
  // Readable once the leader has ended, for poll().
  int pidfd() const { return pidfd_.get(); }
  int stdin_fd() const { return stdin_.get(); }
  int stdout_fd() const { return stdout_.get(); }
  int stderr_fd() const { return stderr_.get(); }  // -1 unless captured
  void CloseStdin() { stdin_.reset(); }

  // Sends `signal` to the whole process group.
  void Kill(int signal) const;
  // Waits for the leader to end, then kills what is left of its group. May be asked again.
  ProcessEnd Wait();
  // As Wait(), for at most `timeout`; nullopt when it still runs.
  std::optional<ProcessEnd> WaitFor(absl::Duration timeout);

 private:
  struct Leader;  // the pid, and whether it may still be signalled
  Child();
  void Abandon();
  ProcessEnd Reap();

  std::unique_ptr<Leader> leader_;  // null when moved from
  std::optional<ProcessEnd> end_;   // once reaped
  UniqueFd pidfd_;
  UniqueFd stdin_, stdout_, stderr_;
};

// A program run to its end.
struct RunOptions {
  absl::Duration timeout = absl::InfiniteDuration();
  size_t max_output_bytes = 1 << 20;  // of each stream; what is over is dropped, the end is kept
  // Becomes true when the program shall be killed. May be null.
  const std::atomic<bool>* cancelled = nullptr;
};

struct ProcessResult {
  ProcessEnd end;
  bool timed_out = false;  // killed by us because of the timeout
  bool cancelled = false;  // killed by us because of `cancelled`
  std::string out;
  std::string err;
  bool output_dropped = false;
  absl::Duration elapsed;  // from before the start until the program had ended
  // Processes that outlived the program and were killed, with their CPU time in `end`; 0
  // where nobody looks for them.
  int survivors = 0;
};

// The port through which suites run programs; tests/fakes has the fake.
// Thread-safety: safe.
class ProcessSpawner {
 public:
  virtual ~ProcessSpawner() = default;
  // Runs the program with an empty standard input until it has ended, then kills what
  // is left of its process group. Status only when it could not be started.
  virtual absl::StatusOr<ProcessResult> Run(const Command& command, const RunOptions& options) = 0;
};

class PosixProcessSpawner final : public ProcessSpawner {
 public:
  absl::StatusOr<ProcessResult> Run(const Command& command, const RunOptions& options) override;
};

// The environment variable by which an attempt's processes are known.
inline constexpr char kAttemptVariable[] = "BENCHFLEET_ATTEMPT";

// Kills (SIGKILL) every process of this user but the caller whose environment holds
// BENCHFLEET_ATTEMPT=`token`, until none is left; returns how many were killed. Catches
// what left its process group. Gives up on what the kernel has not ended after 10 s.
// An empty token kills nothing.
int KillProcessesOfAttempt(const std::string& token);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_PROCESS_H_
