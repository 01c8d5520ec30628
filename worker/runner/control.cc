#include "worker/runner/control.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/os/poll_timeout.h"

namespace benchfleet {
namespace {

UniqueFd OpenSignals() {
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  return UniqueFd(::signalfd(-1, &term, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

Control::Control(int commands_fd, FrameDecoder decoder, absl::Duration run_timeout)
    : commands_fd_(commands_fd),
      run_timeout_(run_timeout),
      deadline_(MonotonicNow() + run_timeout),
      decoder_(std::move(decoder)),
      signals_(OpenSignals()),
      ending_(::eventfd(0, EFD_CLOEXEC)),
      listener_([this] { Listen(); }) {}

Control::~Control() {
  const uint64_t one = 1;
  while (::write(ending_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
  listener_.join();
}

std::string Control::cause() const {
  MutexLock lock(mutex_);
  return cause_;
}

bool Control::timed_out() const {
  MutexLock lock(mutex_);
  return timed_out_;
}

absl::Status Control::WaitForPlanAccepted() {
  MutexLock lock(mutex_);
  while (!plan_accepted_ && cause_.empty()) changed_.Wait(mutex_);
  return cause_.empty() ? absl::OkStatus() : absl::CancelledError(cause_);
}

absl::Status Control::WaitForRoundAccepted() {
  MutexLock lock(mutex_);
  while (rounds_accepted_ == 0 && cause_.empty()) changed_.Wait(mutex_);
  if (!cause_.empty()) return absl::CancelledError(cause_);
  --rounds_accepted_;
  return absl::OkStatus();
}

void Control::Listen() {
  bool commands_open = TakeCommands();
  for (;;) {
    // After a cancellation only the end is of interest, but what is sent is still read.
    const absl::Duration left = cancelled_ ? absl::InfiniteDuration() : deadline_ - MonotonicNow();
    std::array<pollfd, 3> events = {{{ending_.get(), POLLIN, 0},
                                     {cancelled_ ? -1 : signals_.get(), POLLIN, 0},
                                     {commands_open ? commands_fd_ : -1, POLLIN, 0}}};
    const int ready = ::poll(events.data(), events.size(), PollTimeout(left));
    if (events[0].revents != 0) return;
    if (ready > 0 && events[1].revents != 0) TakeSignal();
    if (ready > 0 && events[2].revents != 0) commands_open = ReadCommands();
    if (MonotonicNow() >= deadline_) {
      Cancel(absl::StrCat("the run took longer than its ", absl::FormatDuration(run_timeout_)), /*timed_out=*/true);
    }
  }
}

void Control::TakeSignal() {
  signalfd_siginfo taken;
  if (::read(signals_.get(), &taken, sizeof taken) == static_cast<ssize_t>(sizeof taken)) Cancel("stopped by SIGTERM");
}

bool Control::ReadCommands() {
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(commands_fd_, buffer.data(), buffer.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) {
    Cancel("whoever started the runner has gone");
    return false;
  }
  decoder_.Append(absl::string_view(buffer.data(), static_cast<size_t>(got)));
  return TakeCommands();
}

bool Control::TakeCommands() {
  for (;;) {
    runner::v1::RunnerCommand command;
    const absl::StatusOr<bool> whole = decoder_.Next(command);
    if (!whole.ok()) {
      Cancel(absl::StrCat("unreadable command: ", whole.status().message()));
      return false;
    }
    if (!*whole) return true;
    Take(command);
  }
}

void Control::Take(const runner::v1::RunnerCommand& command) {
  switch (command.command_case()) {
    case runner::v1::RunnerCommand::kPlanAccepted: {
      MutexLock lock(mutex_);
      plan_accepted_ = true;
      changed_.SignalAll();
      return;
    }
    case runner::v1::RunnerCommand::kRoundAccepted: {
      MutexLock lock(mutex_);
      ++rounds_accepted_;
      changed_.SignalAll();
      return;
    }
    case runner::v1::RunnerCommand::kCancel:
      return Cancel("cancelled");
    case runner::v1::RunnerCommand::kStart:
      return Cancel("a second job was sent");
    case runner::v1::RunnerCommand::COMMAND_NOT_SET:
      return Cancel("a command of no known kind was sent");
  }
}

void Control::Cancel(std::string cause, bool timed_out) {
  MutexLock lock(mutex_);
  if (!cause_.empty()) return;
  cause_ = std::move(cause);
  timed_out_ = timed_out;
  cancelled_ = true;
  changed_.SignalAll();
}

}  // namespace benchfleet
