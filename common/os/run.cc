#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/os/poll_timeout.h"
#include "common/os/process.h"

namespace benchfleet {
namespace {

// How late a cancellation may be noticed.
constexpr absl::Duration kCancelCheck = absl::Milliseconds(50);
constexpr size_t kReadBytes = 65536;

// The end of what a stream said.
class Tail {
 public:
  explicit Tail(size_t max_bytes) : max_bytes_(max_bytes) {}

  void Append(const char* data, size_t size) {
    text_.append(data, size);
    // Trimmed at twice the limit, so that a flood costs a copy per byte and not per read.
    if (text_.size() > 2 * max_bytes_ + kReadBytes) Trim();
  }
  std::string Take() {
    Trim();
    return std::move(text_);
  }
  bool dropped() const { return dropped_; }

 private:
  void Trim() {
    if (text_.size() <= max_bytes_) return;
    text_.erase(0, text_.size() - max_bytes_);
    dropped_ = true;
  }

  const size_t max_bytes_;
  std::string text_;
  bool dropped_ = false;
};

// One captured stream.
class Capture {
 public:
  Capture(int fd, size_t max_bytes) : fd_(fd), tail_(max_bytes) {
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
  }

  // -1 once the stream has ended: poll() then ignores it.
  int fd() const { return open_ ? fd_ : -1; }
  Tail& tail() { return tail_; }

  // Reads once; returns the bytes read, 0 when there is nothing now or at all.
  size_t ReadSome() {
    if (!open_) return 0;
    std::array<char, kReadBytes> buffer;
    ssize_t got;
    do {
      got = ::read(fd_, buffer.data(), buffer.size());
    } while (got < 0 && errno == EINTR);
    if (got > 0) {
      tail_.Append(buffer.data(), static_cast<size_t>(got));
      return static_cast<size_t>(got);
    }
    if (got == 0 || errno != EAGAIN) open_ = false;
    return 0;
  }

  // Reads what was in the pipe when the program ended. Whoever still holds the other end
  // may write for ever, so no more is read than a pipe can hold.
  void Drain() {
    const int capacity = open_ ? ::fcntl(fd_, F_GETPIPE_SZ) : 0;
    size_t left = capacity > 0 ? static_cast<size_t>(capacity) : kReadBytes;
    while (left > 0) {
      const size_t got = ReadSome();
      if (got == 0) return;
      left -= std::min(left, got);
    }
  }

 private:
  const int fd_;
  bool open_ = true;
  Tail tail_;
};

// Follows the program until its leader has ended; kills it when it must end sooner.
void Follow(Child& child, const RunOptions& options, absl::Duration deadline, Capture& out, Capture& err,
            ProcessResult& result) {
  bool killed = false;
  for (;;) {
    if (!killed) {
      result.cancelled = options.cancelled != nullptr && options.cancelled->load();
      result.timed_out = !result.cancelled && MonotonicNow() >= deadline;
      if (result.cancelled || result.timed_out) {
        child.Kill(SIGKILL);
        killed = true;
      }
    }
    absl::Duration wait = killed ? absl::InfiniteDuration() : deadline - MonotonicNow();
    if (options.cancelled != nullptr) wait = std::min(wait, kCancelCheck);
    std::array<pollfd, 3> events = {{{child.pidfd(), POLLIN, 0}, {out.fd(), POLLIN, 0}, {err.fd(), POLLIN, 0}}};
    if (::poll(events.data(), events.size(), PollTimeout(wait)) <= 0) continue;
    if (events[1].revents != 0) out.ReadSome();
    if (events[2].revents != 0) err.ReadSome();
    if (events[0].revents != 0) return;
  }
}

}  // namespace

absl::StatusOr<ProcessResult> PosixProcessSpawner::Run(const Command& command, const RunOptions& options) {
  const absl::Duration start = MonotonicNow();
  BF_ASSIGN_OR_RETURN(Child child, Child::Spawn(command, /*capture_stderr=*/true));
  child.CloseStdin();
  Capture out(child.stdout_fd(), options.max_output_bytes);
  Capture err(child.stderr_fd(), options.max_output_bytes);
  ProcessResult result;
  Follow(child, options, start + options.timeout, out, err, result);
  result.elapsed = MonotonicNow() - start;
  result.end = child.Wait();
  out.Drain();
  err.Drain();
  result.out = out.tail().Take();
  result.err = err.tail().Take();
  result.output_dropped = out.tail().dropped() || err.tail().dropped();
  return result;
}

}  // namespace benchfleet
