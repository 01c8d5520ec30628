#include "common/runner/runner_session.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/os/poll_timeout.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

// How late a cancellation may be noticed.
constexpr absl::Duration kCancelCheck = absl::Milliseconds(50);
constexpr size_t kReadBytes = 65536;

void MakeNonBlocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

// Bytes read into `buffer`; 0 when there is nothing now; `open` becomes false at the end.
size_t ReadSome(int fd, std::array<char, kReadBytes>& buffer, bool& open) {
  if (!open) return 0;
  ssize_t got;
  do {
    got = ::read(fd, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got > 0) return static_cast<size_t>(got);
  if (got == 0 || errno != EAGAIN) open = false;
  return 0;
}

std::string DescribeEnd(const ProcessEnd& end) {
  if (end.signal.has_value()) return absl::StrCat("was killed by signal ", *end.signal);
  return absl::StrCat("ended with exit code ", end.exit_code.value_or(-1));
}

}  // namespace

RunnerSession::RunnerSession(Child child, absl::Duration stop_grace, RunnerObserver& observer,
                             const std::atomic<bool>& cancelled)
    : child_(std::move(child)), stop_grace_(stop_grace), observer_(observer), cancelled_(cancelled) {
  MakeNonBlocking(child_.stdin_fd());
  MakeNonBlocking(child_.stdout_fd());
  MakeNonBlocking(child_.stderr_fd());
}

RunnerOutcome RunnerSession::Follow(const runner::v1::StartRun& start, absl::Duration run_timeout) {
  kill_at_ = MonotonicNow() + run_timeout + stop_grace_;
  runner::v1::RunnerCommand command;
  *command.mutable_start() = start;
  Send(command);
  for (;;) {
    ApplyTime();
    std::array<pollfd, 3> events = {{{child_.pidfd(), POLLIN, 0},
                                     {stdout_open_ ? child_.stdout_fd() : -1, POLLIN, 0},
                                     {stderr_open_ ? child_.stderr_fd() : -1, POLLIN, 0}}};
    if (::poll(events.data(), events.size(), PollTimeout(NextLook())) <= 0) continue;
    if (events[1].revents != 0) ReadStdout();
    if (events[2].revents != 0) ReadStderr();
    if (events[0].revents != 0) break;
  }
  const ProcessEnd end = child_.Wait();
  // What is in the pipes now is all that counts: somebody else may hold their other ends.
  for (size_t read = 0; stdout_open_ && read < kMaxFrameBytes; read += kReadBytes) {
    pollfd left = {child_.stdout_fd(), POLLIN, 0};
    if (::poll(&left, 1, 0) <= 0) break;
    ReadStdout();
  }
  ReadStderr();
  return Conclude(end);
}

void RunnerSession::Stop(RunnerOutcome outcome) {
  if (stopped_.has_value() || finished_.has_value() || abandoned_.has_value()) return;
  stopped_ = std::move(outcome);
  kill_at_ = std::min(kill_at_, MonotonicNow() + stop_grace_);
  runner::v1::RunnerCommand command;
  command.mutable_cancel();
  Send(command);
}

void RunnerSession::Abandon(std::string why) {
  if (abandoned_.has_value()) return;
  abandoned_ = RunnerOutcome{AttemptEnd::kCrashed, std::move(why)};
  child_.Kill(SIGKILL);
}

absl::Duration RunnerSession::NextLook() const {
  if (abandoned_.has_value()) return absl::InfiniteDuration();
  const absl::Duration left = kill_at_ - MonotonicNow();
  return stopped_.has_value() || finished_.has_value() ? left : std::min(left, kCancelCheck);
}

void RunnerSession::ApplyTime() {
  if (cancelled_) Stop({AttemptEnd::kCancelled, "cancelled"});
  if (MonotonicNow() < kill_at_ || abandoned_.has_value()) return;
  Abandon(stopped_.has_value() ? "the runner did not stop when asked to" : "the runner outlived its run timeout");
}

void RunnerSession::ReadStdout() {
  std::array<char, kReadBytes> buffer;
  const size_t got = ReadSome(child_.stdout_fd(), buffer, stdout_open_);
  if (got == 0) return;
  decoder_.Append(absl::string_view(buffer.data(), got));
  TakeMessages();
}

void RunnerSession::ReadStderr() {
  std::array<char, kReadBytes> buffer;
  last_words_.append(buffer.data(), ReadSome(child_.stderr_fd(), buffer, stderr_open_));
  if (last_words_.size() > kMaxLastWordsBytes) last_words_.erase(0, last_words_.size() - kMaxLastWordsBytes);
}

void RunnerSession::TakeMessages() {
  while (!abandoned_.has_value()) {
    runner::v1::RunnerEvent event;
    const absl::StatusOr<bool> whole = decoder_.Next(event);
    if (!whole.ok()) return Abandon(absl::StrCat("the runner sent nonsense: ", whole.status().message()));
    if (!*whole) return;
    Take(event);
  }
}

void RunnerSession::Take(const runner::v1::RunnerEvent& event) {
  if (finished_.has_value()) return Abandon("the runner sent more after its end");
  switch (event.event_case()) {
    case runner::v1::RunnerEvent::kProgress:
      if (!stopped_.has_value()) observer_.Progress(event.progress().message());
      return;
    case runner::v1::RunnerEvent::kPlan:
      return TakePlan(event.plan());
    case runner::v1::RunnerEvent::kRound:
      return TakeRound(event.round());
    case runner::v1::RunnerEvent::kFinished:
      return TakeFinished(event.finished());
    case runner::v1::RunnerEvent::EVENT_NOT_SET:
      return Abandon("the runner sent an event of no known kind");
  }
}

void RunnerSession::TakePlan(const v1::RunPlan& message) {
  if (has_plan_) return Abandon("the runner sent a second plan");
  const absl::StatusOr<RunPlan> plan = ParseRunPlan(message);
  if (!plan.ok()) return Abandon(absl::StrCat("the runner sent a bad plan: ", plan.status().message()));
  has_plan_ = true;
  if (stopped_.has_value()) return;
  runner::v1::RunnerCommand accepted;
  accepted.mutable_plan_accepted();
  Answer(observer_.Plan(*plan), accepted);
}

void RunnerSession::TakeRound(const v1::Round& message) {
  if (!has_plan_) return Abandon("the runner sent a round before its plan");
  const absl::StatusOr<Round> round = ParseRound(message);
  if (!round.ok()) return Abandon(absl::StrCat("the runner sent a bad round: ", round.status().message()));
  if (stopped_.has_value()) return;
  runner::v1::RunnerCommand accepted;
  accepted.mutable_round_accepted();
  Answer(observer_.RoundDone(*round), accepted);
}

void RunnerSession::Answer(const absl::Status& taken, const runner::v1::RunnerCommand& accepted) {
  if (!taken.ok()) return Stop({AttemptEnd::kFailed, std::string(taken.message())});
  Send(accepted);
}

void RunnerSession::TakeFinished(const runner::v1::RunFinished& message) {
  const absl::StatusOr<AttemptEnd> end = ParseAttemptEnd(message.end());
  if (!end.ok()) return Abandon(absl::StrCat("the runner sent a bad end: ", end.status().message()));
  if (*end != AttemptEnd::kSucceeded && *end != AttemptEnd::kFailed && *end != AttemptEnd::kCancelled) {
    return Abandon(absl::StrCat("the runner sent an end that is not its to say: ", Word(*end)));
  }
  finished_ = RunnerOutcome{*end, message.detail()};
  kill_at_ = std::min(kill_at_, MonotonicNow() + stop_grace_);
  child_.CloseStdin();
}

void RunnerSession::Send(const runner::v1::RunnerCommand& command) {
  // A runner that cannot be told has ended, or will not read; both are found out by other
  // means, and what it said before it ended is worth more than this error.
  WriteFrame(child_.stdin_fd(), command, stop_grace_).IgnoreError();
}

RunnerOutcome RunnerSession::Conclude(const ProcessEnd& end) const {
  // What we could not store, or a stop we asked for, is the cause of what came after.
  if (stopped_.has_value() && stopped_->end == AttemptEnd::kFailed) return *stopped_;
  // It has reported everything; how its process then ended changes nothing.
  if (finished_.has_value()) return *finished_;
  if (stopped_.has_value()) return *stopped_;
  std::string detail = abandoned_.has_value() ? abandoned_->detail
                                              : absl::StrCat("the runner ", DescribeEnd(end), " before it was done");
  const absl::string_view words = absl::StripAsciiWhitespace(last_words_);
  if (!words.empty()) absl::StrAppend(&detail, "; its last words: ", ToUtf8(words));
  return {AttemptEnd::kCrashed, detail};
}

}  // namespace benchfleet
