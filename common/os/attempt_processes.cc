#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/base/clock.h"
#include "common/os/file.h"
#include "common/os/poll_timeout.h"
#include "common/os/process.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(10);
constexpr size_t kMaxEnvironmentBytes = 8 << 20;  // above what execve() accepts

struct Marked {
  pid_t pid;
  UniqueFd pidfd;
};

std::vector<pid_t> AllProcesses() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (folder == nullptr) return pids;
  while (const dirent* entry = ::readdir(folder.get())) {
    pid_t pid = 0;
    if (absl::SimpleAtoi(entry->d_name, &pid) && pid > 0) pids.push_back(pid);
  }
  return pids;
}

bool IsOurs(pid_t pid) {
  struct stat found;
  return ::stat(absl::StrCat("/proc/", pid).c_str(), &found) == 0 && found.st_uid == ::geteuid();
}

bool HasEntry(pid_t pid, const std::string& wanted) {
  // A process that ended meanwhile, or a zombie, has nothing to read.
  const absl::StatusOr<std::string> environment =
      ReadFile(absl::StrCat("/proc/", pid, "/environ"), kMaxEnvironmentBytes);
  if (!environment.ok()) return false;
  for (absl::string_view entry : absl::StrSplit(*environment, '\0')) {
    if (entry == wanted) return true;
  }
  return false;
}

// Opens the process first and reads its environment after, so that what is killed is
// what was read, and never another process that got its number.
std::vector<Marked> FindMarked(const std::string& wanted) {
  std::vector<Marked> marked;
  for (const pid_t pid : AllProcesses()) {
    if (pid == ::getpid() || !IsOurs(pid)) continue;
    UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (pidfd.valid() && HasEntry(pid, wanted)) marked.push_back({pid, std::move(pidfd)});
  }
  return marked;
}

}  // namespace

int KillProcessesOfAttempt(const std::string& token) {
  if (token.empty()) return 0;
  const std::string wanted = absl::StrCat(kAttemptVariable, "=", token);
  const absl::Duration deadline = MonotonicNow() + kPatience;
  std::set<pid_t> killed;
  // Again and again: a process may have started another while we looked.
  do {
    const std::vector<Marked> marked = FindMarked(wanted);
    if (marked.empty()) break;
    for (const Marked& process : marked) {
      if (::syscall(SYS_pidfd_send_signal, process.pidfd.get(), SIGKILL, nullptr, 0) == 0) killed.insert(process.pid);
    }
    for (const Marked& process : marked) {
      pollfd ended = {process.pidfd.get(), POLLIN, 0};
      ::poll(&ended, 1, PollTimeout(deadline - MonotonicNow()));
    }
  } while (MonotonicNow() < deadline);
  return static_cast<int>(killed.size());
}

}  // namespace benchfleet
