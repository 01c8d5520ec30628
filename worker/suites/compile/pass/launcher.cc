#include "worker/suites/compile/pass/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "worker/suites/compile/pass/clocks.h"

namespace benchfleet::compile_pass {

namespace {

constexpr int kLogFlags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
constexpr mode_t kLogMode = 0644;

// The standard streams of a compile.
class Streams {
 public:
  explicit Streams(const char* log) {
    Note(posix_spawn_file_actions_init(&actions_));
    Note(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    Note(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log, kLogFlags, kLogMode));
    Note(posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO));
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  int error() const { return error_; }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void Note(int error) {
    if (error_ == 0) error_ = error;
  }
  posix_spawn_file_actions_t actions_;
  int error_ = 0;
};

// Where the texts after the log begin, ended by null.
class Argv {
 public:
  explicit Argv(const char* texts) {
    size_t count = 0;
    for (const char* text = texts + strlen(texts) + 1; *text != '\0'; text += strlen(text) + 1) {
      pointers_[count++] = const_cast<char*>(text);
    }
    pointers_[count] = nullptr;
  }
  const char* program() const { return pointers_[0]; }
  char* const* get() const { return pointers_; }

 private:
  char* pointers_[kMaxCompileArguments + 1];
};

int64_t Nanoseconds(const timeval& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + int64_t{time.tv_usec} * 1'000;
}

}  // namespace

Launcher::Launcher() {
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_init(&attributes_);
  posix_spawnattr_setsigdefault(&attributes_, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes_, &signals);
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

Launcher::~Launcher() { posix_spawnattr_destroy(&attributes_); }

pid_t Launcher::Launch(const char* texts, PassRecord* record) const {
  const Argv argv(texts);
  const Streams streams(texts);
  pid_t pid = 0;
  int error = streams.error();
  record->launch_ns = NowNs();
  // posix_spawn() shares this process's memory until the program runs: as quick from a large
  // process as from a small one, and whatever fails on the way is told here.
  if (error == 0) error = ::posix_spawn(&pid, argv.program(), streams.get(), &attributes_, argv.get(), environ);
  record->launched_ns = NowNs();
  if (error == 0) return pid;
  record->end_ns = record->launched_ns;
  record->cpu_ns = 0;
  record->launch_errno = error;
  return 0;
}

int Launcher::Reap(pid_t pid, PassRecord* record) const {
  int status = 0;
  rusage usage;
  while (::wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) return errno;
  }
  record->end_ns = NowNs();
  record->cpu_ns = Nanoseconds(usage.ru_utime) + Nanoseconds(usage.ru_stime);
  record->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  return 0;
}

int Launcher::Run(const char* texts, PassRecord* record) const {
  const pid_t pid = Launch(texts, record);
  return pid == 0 ? 0 : Reap(pid, record);
}

}  // namespace benchfleet::compile_pass
