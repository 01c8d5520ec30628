#include "common/os/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"

namespace benchfleet {
namespace {

struct Pipe {
  UniqueFd read_end, write_end;
};

// Above 2, so that placing one end on a standard stream never overwrites another.
absl::StatusOr<UniqueFd> AboveStandardStreams(UniqueFd fd) {
  if (fd.get() > 2) return fd;
  UniqueFd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  if (!moved.valid()) return ErrnoStatus(errno, "duplicate a pipe");
  return moved;
}

absl::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus(errno, "make a pipe");
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  Pipe pipe;
  BF_ASSIGN_OR_RETURN(pipe.read_end, AboveStandardStreams(std::move(read_end)));
  BF_ASSIGN_OR_RETURN(pipe.write_end, AboveStandardStreams(std::move(write_end)));
  return pipe;
}

// The attributes of posix_spawn(): own process group, default signals, none blocked.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

  void Place(int fd, int target) { Note(posix_spawn_file_actions_adddup2(&actions_, fd, target)); }
  void ChangeFolder(const std::string& path) { Note(posix_spawn_file_actions_addchdir_np(&actions_, path.c_str())); }
  // What a library opened without O_CLOEXEC must not reach the child either.
  void CloseFrom(int fd) { Note(posix_spawn_file_actions_addclosefrom_np(&actions_, fd)); }
  absl::Status status() const { return error_ == 0 ? absl::OkStatus() : ErrnoStatus(error_, "prepare a process"); }

 private:
  void Note(int error) {
    if (error_ == 0) error_ = error;
  }
  posix_spawn_file_actions_t actions_;
  int error_ = 0;
};

// Pins the calling thread while it lives: a child inherits the affinity of the thread
// that starts it.
class ScopedAffinity {
 public:
  ScopedAffinity() = default;
  ~ScopedAffinity() {
    if (pinned_) ::sched_setaffinity(0, sizeof previous_, &previous_);
  }
  ScopedAffinity(const ScopedAffinity&) = delete;
  ScopedAffinity& operator=(const ScopedAffinity&) = delete;

  absl::Status Pin(int cpu) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return absl::InvalidArgumentError(absl::StrCat("cpu: ", cpu, " does not exist"));
    if (::sched_getaffinity(0, sizeof previous_, &previous_) != 0) return ErrnoStatus(errno, "read the CPU affinity");
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    if (::sched_setaffinity(0, sizeof only, &only) != 0) {
      return absl::InvalidArgumentError(absl::StrCat("cpu: ", cpu, " may not be used by this process"));
    }
    pinned_ = true;
    return absl::OkStatus();
  }

 private:
  cpu_set_t previous_;
  bool pinned_ = false;
};

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

absl::StatusOr<pid_t> Start(const Command& command, const FileActions& actions) {
  ScopedAffinity affinity;
  if (command.cpu.has_value()) BF_RETURN_IF_ERROR(affinity.Pin(*command.cpu));
  const Attributes attributes;
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, command.argv[0].c_str(), actions.get(), attributes.get(),
                                   Pointers(command.argv).data(), Pointers(command.environment).data());
  if (error != 0) return ErrnoStatus(error, absl::StrCat("start ", command.argv[0]));
  return pid;
}

void KillAndReap(pid_t pid) {
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

absl::StatusOr<SpawnedProcess> SpawnProcess(const Command& command, bool capture_stderr) {
  if (command.argv.empty() || command.argv[0].empty()) return absl::InvalidArgumentError("argv: must name a program");
  BF_ASSIGN_OR_RETURN(Pipe in, MakePipe());
  BF_ASSIGN_OR_RETURN(Pipe out, MakePipe());
  Pipe err;
  FileActions actions;
  actions.Place(in.read_end.get(), STDIN_FILENO);
  actions.Place(out.write_end.get(), STDOUT_FILENO);
  if (capture_stderr) {
    BF_ASSIGN_OR_RETURN(err, MakePipe());
    actions.Place(err.write_end.get(), STDERR_FILENO);
  }
  actions.CloseFrom(STDERR_FILENO + 1);
  if (!command.working_directory.empty()) actions.ChangeFolder(command.working_directory);
  BF_RETURN_IF_ERROR(actions.status());

  SpawnedProcess process;
  BF_ASSIGN_OR_RETURN(process.pid, Start(command, actions));
  // The pid cannot have been reused: only we reap it.
  process.pidfd = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  if (!process.pidfd.valid()) {
    const int error = errno;
    KillAndReap(process.pid);
    return ErrnoStatus(error, absl::StrCat("open a pidfd of ", command.argv[0]));
  }
  process.stdin_fd = std::move(in.write_end);
  process.stdout_fd = std::move(out.read_end);
  process.stderr_fd = std::move(err.read_end);
  return process;
}

}  // namespace benchfleet
