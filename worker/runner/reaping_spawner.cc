#include "worker/runner/reaping_spawner.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/base/clock.h"
#include "common/os/file.h"
#include "common/os/poll_timeout.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(10);
constexpr size_t kMaxStatBytes = 4096;

int64_t Nanoseconds(const timeval& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + int64_t{time.tv_usec} * 1'000;
}

void Add(const rusage& usage, ProcessUsage* sum) {
  sum->user_ns += Nanoseconds(usage.ru_utime);
  sum->system_ns += Nanoseconds(usage.ru_stime);
  sum->voluntary_switches += usage.ru_nvcsw;
  sum->involuntary_switches += usage.ru_nivcsw;
  sum->max_rss_bytes = std::max(sum->max_rss_bytes, int64_t{usage.ru_maxrss} * 1024);
}

void Add(const ProcessUsage& usage, ProcessUsage* sum) {
  sum->user_ns += usage.user_ns;
  sum->system_ns += usage.system_ns;
  sum->voluntary_switches += usage.voluntary_switches;
  sum->involuntary_switches += usage.involuntary_switches;
  sum->max_rss_bytes = std::max(sum->max_rss_bytes, usage.max_rss_bytes);
}

// 0 when it is gone.
pid_t ParentOf(pid_t pid) {
  const absl::StatusOr<std::string> stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"), kMaxStatBytes);
  if (!stat.ok()) return 0;
  // "pid (name) state ppid ..."; a name may hold anything, also ") ".
  const std::vector<std::string> fields = absl::StrSplit(stat->substr(stat->rfind(')') + 1), ' ', absl::SkipEmpty());
  pid_t parent = 0;
  return fields.size() > 1 && absl::SimpleAtoi(fields[1], &parent) ? parent : 0;
}

std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (folder == nullptr) return children;
  while (const dirent* entry = ::readdir(folder.get())) {
    pid_t pid = 0;
    if (absl::SimpleAtoi(entry->d_name, &pid) && pid > 0 && ParentOf(pid) == ::getpid()) children.push_back(pid);
  }
  return children;
}

// Nobody else reaps our children, so a child's number stays its own until we do.
void KillAll(const std::vector<pid_t>& children, absl::Duration deadline) {
  for (const pid_t child : children) ::kill(child, SIGKILL);
  for (const pid_t child : children) {
    const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    pollfd ended = {pidfd.get(), POLLIN, 0};
    // Without a descriptor left we ask again, in a while.
    ::poll(&ended, 1, pidfd.valid() ? PollTimeout(deadline - MonotonicNow()) : 1);
  }
}

// Reaps every child that has ended. False when no child is left.
bool ReapEnded(EndedOrphans* ended) {
  for (;;) {
    int status = 0;
    rusage usage = {};
    const pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
    if (pid < 0) return false;
    if (pid == 0) return true;
    Add(usage, &ended->usage);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++ended->killed;
  }
}

}  // namespace

EndedOrphans EndOrphans() {
  EndedOrphans ended;
  const absl::Duration deadline = MonotonicNow() + kPatience;
  while (ReapEnded(&ended) && MonotonicNow() < deadline) KillAll(Children(), deadline);
  return ended;
}

absl::StatusOr<ProcessResult> ReapingSpawner::Run(const Command& command, const RunOptions& options) {
  absl::StatusOr<ProcessResult> result = spawner_.Run(command, options);
  const EndedOrphans ended = EndOrphans();
  if (result.ok()) {
    result->survivors = ended.killed;
    Add(ended.usage, &result->end.usage);
  }
  return result;
}

}  // namespace benchfleet
