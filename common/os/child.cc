#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "common/base/clock.h"
#include "common/base/mutex.h"
#include "common/base/status_macros.h"
#include "common/os/poll_timeout.h"
#include "common/os/process.h"
#include "common/os/spawn.h"

namespace benchfleet {
namespace {

int64_t Nanoseconds(const timeval& time) { return int64_t{time.tv_sec} * 1'000'000'000 + int64_t{time.tv_usec} * 1000; }

ProcessEnd MakeEnd(int status, const rusage& usage) {
  ProcessEnd end;
  if (WIFEXITED(status)) {
    end.exit_code = WEXITSTATUS(status);
  } else {
    end.signal = WTERMSIG(status);
  }
  end.usage.user_ns = Nanoseconds(usage.ru_utime);
  end.usage.system_ns = Nanoseconds(usage.ru_stime);
  end.usage.voluntary_switches = usage.ru_nvcsw;
  end.usage.involuntary_switches = usage.ru_nivcsw;
  end.usage.max_rss_bytes = int64_t{usage.ru_maxrss} * 1024;
  return end;
}

}  // namespace

struct Child::Leader {
  explicit Leader(pid_t leader) : pid(leader) {}

  const pid_t pid;
  Mutex mutex;
  // Once reaped, the pid may belong to anybody.
  bool reaped ABSL_GUARDED_BY(mutex) = false;
};

Child::Child() = default;

absl::StatusOr<Child> Child::Spawn(const Command& command, bool capture_stderr) {
  BF_ASSIGN_OR_RETURN(SpawnedProcess process, SpawnProcess(command, capture_stderr));
  Child child;
  child.leader_ = std::make_unique<Leader>(process.pid);
  child.pidfd_ = std::move(process.pidfd);
  child.stdin_ = std::move(process.stdin_fd);
  child.stdout_ = std::move(process.stdout_fd);
  child.stderr_ = std::move(process.stderr_fd);
  return child;
}

Child::Child(Child&& other) noexcept = default;

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  Abandon();
  leader_ = std::move(other.leader_);
  end_ = std::move(other.end_);
  pidfd_ = std::move(other.pidfd_);
  stdin_ = std::move(other.stdin_);
  stdout_ = std::move(other.stdout_);
  stderr_ = std::move(other.stderr_);
  return *this;
}

Child::~Child() { Abandon(); }

pid_t Child::pid() const { return leader_->pid; }

void Child::Abandon() {
  if (leader_ == nullptr) return;
  Kill(SIGKILL);
  Wait();
  leader_.reset();
}

void Child::Kill(int signal) const {
  MutexLock lock(leader_->mutex);
  if (!leader_->reaped) ::kill(-leader_->pid, signal);
}

ProcessEnd Child::Wait() { return *WaitFor(absl::InfiniteDuration()); }

std::optional<ProcessEnd> Child::WaitFor(absl::Duration timeout) {
  if (end_.has_value()) return end_;
  const absl::Duration deadline = MonotonicNow() + timeout;
  for (;;) {
    pollfd ended = {pidfd_.get(), POLLIN, 0};
    const int ready = ::poll(&ended, 1, PollTimeout(deadline - MonotonicNow()));
    if (ready > 0) break;
    if (MonotonicNow() >= deadline) return std::nullopt;
  }
  end_ = Reap();
  return end_;
}

ProcessEnd Child::Reap() {
  MutexLock lock(leader_->mutex);
  // Before it is reaped: the unreaped leader keeps the group's number from being reused.
  ::kill(-leader_->pid, SIGKILL);
  int status = 0;
  rusage usage = {};
  while (::wait4(leader_->pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  leader_->reaped = true;
  return MakeEnd(status, usage);
}

}  // namespace benchfleet
