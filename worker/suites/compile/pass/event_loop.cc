#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "common/os/unique_fd.h"
#include "worker/suites/compile/pass/strategy.h"

namespace benchfleet::compile_pass {

namespace {

std::string Errno(const std::string& what) { return what + ": " + strerror(errno); }

class EventLoop final : public Strategy {
 public:
  EventLoop(const Workshop& workshop, int limit)
      : workshop_(workshop), slots_(static_cast<size_t>(limit)), events_(slots_.size()) {
    for (size_t slot = slots_.size(); slot > 0; --slot) free_.push_back(slot - 1);
  }

  std::string Prepare() override {
    epoll_ = UniqueFd(::epoll_create1(EPOLL_CLOEXEC));
    return epoll_.valid() ? "" : Errno("cannot make an epoll");
  }

  std::string Run(size_t first, size_t end) override {
    size_t next = first;
    while (true) {
      while (next < end && !free_.empty()) {
        if (std::string error = Launch(next++); !error.empty()) return error;
      }
      const bool all_reaped = free_.size() == slots_.size();
      if (all_reaped) return "";
      if (std::string error = ReapEnded(); !error.empty()) return error;
    }
  }

 private:
  // Room for one running compile.
  struct Slot {
    size_t compile = 0;
    pid_t pid = 0;
    UniqueFd pidfd;
    uint32_t generation = 0;  // counts its occupants
  };

  std::string Launch(size_t compile) {
    const auto& [commands, records, launcher] = workshop_;
    const pid_t pid = launcher.Launch(commands.texts(commands.offset(compile)), &records.record(compile));
    if (pid == 0) return "";
    // Only we reap it, so the pid is still its own, even if it has ended.
    UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd.valid()) return Errno("cannot watch compile " + std::to_string(compile));
    Slot& slot = slots_[free_.back()];
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = uint64_t{++slot.generation} << 32 | free_.back();
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, pidfd.get(), &event) != 0) {
      return Errno("cannot watch compile " + std::to_string(compile));
    }
    free_.pop_back();
    slot.compile = compile;
    slot.pid = pid;
    slot.pidfd = std::move(pidfd);
    return "";
  }

  // Waits until some have ended.
  std::string ReapEnded() {
    const int count = ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()), -1);
    if (count < 0) return errno == EINTR ? "" : Errno("cannot wait for the compiles");
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      if (std::string error = Reap(events_[i].data.u64); !error.empty()) return error;
    }
    return "";
  }

  std::string Reap(uint64_t tag) {
    const size_t index = static_cast<uint32_t>(tag);
    Slot& slot = slots_[index];
    // To reap at the call of a former occupant would block the loop for as long as the
    // present one runs.
    if (!slot.pidfd.valid() || slot.generation != tag >> 32) {
      return "was told again of a compile that has been reaped, in slot " + std::to_string(index);
    }
    const int error = workshop_.launcher.Reap(slot.pid, &workshop_.records.record(slot.compile));
    if (error != 0) return WaitFailure(slot.compile, error);
    // Closing is not enough: posix_spawn() returns when the compile has left our memory, a
    // little before its exec closes its copies of our descriptors, and as long as there is
    // one the epoll would go on telling of it.
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, slot.pidfd.get(), nullptr) != 0) {
      return Errno("cannot forget compile " + std::to_string(slot.compile));
    }
    slot.pidfd.reset();
    free_.push_back(index);
    return "";
  }

  const Workshop& workshop_;
  UniqueFd epoll_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_;  // of the slots; the next one to take is the last
  std::vector<epoll_event> events_;
};

}  // namespace

std::unique_ptr<Strategy> MakeEventLoop(const Workshop& workshop, int limit) {
  return std::make_unique<EventLoop>(workshop, limit);
}

}  // namespace benchfleet::compile_pass
