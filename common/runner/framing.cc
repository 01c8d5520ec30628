#include "common/runner/framing.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"
#include "common/os/poll_timeout.h"

namespace benchfleet {
namespace {

// The longest varint of a length up to 2^28; kMaxFrameBytes is below.
constexpr size_t kMaxLengthBytes = 4;
constexpr size_t kReadBytes = 65536;

struct Length {
  size_t value = 0;
  size_t bytes = 0;  // that it took
};

// nullopt: needs more bytes.
absl::StatusOr<std::optional<Length>> ParseLength(absl::string_view bytes) {
  Length length;
  for (const char c : bytes) {
    const uint8_t byte = static_cast<uint8_t>(c);
    length.value |= static_cast<size_t>(byte & 0x7f) << (7 * length.bytes);
    ++length.bytes;
    if ((byte & 0x80) == 0) {
      if (length.value <= kMaxFrameBytes) return length;
      return absl::DataLossError(absl::StrCat("frame of ", length.value, " bytes, at most ", kMaxFrameBytes));
    }
    if (length.bytes == kMaxLengthBytes) return absl::DataLossError("frame whose length is no varint within the limit");
  }
  return std::nullopt;
}

void AppendLength(size_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Holds SIGPIPE off the calling thread, and takes back the one that a write raised.
class ScopedNoSigpipe {
 public:
  ScopedNoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &previous_);
  }
  ~ScopedNoSigpipe() {
    const timespec now = {};
    if (!was_pending_) ::sigtimedwait(&pipe_, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }
  ScopedNoSigpipe(const ScopedNoSigpipe&) = delete;
  ScopedNoSigpipe& operator=(const ScopedNoSigpipe&) = delete;

 private:
  sigset_t pipe_;
  sigset_t previous_;
  bool was_pending_ = false;
};

absl::Status WriteAll(int fd, absl::string_view bytes, absl::Duration timeout) {
  const ScopedNoSigpipe no_sigpipe;
  const absl::Duration deadline = MonotonicNow() + timeout;
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EPIPE) return absl::UnavailableError("write a frame: the other end is closed");
    if (errno != EAGAIN) return ErrnoStatus(errno, "write a frame");
    if (MonotonicNow() >= deadline) return absl::DeadlineExceededError("write a frame: the other end does not read");
    pollfd writable = {fd, POLLOUT, 0};
    ::poll(&writable, 1, PollTimeout(deadline - MonotonicNow()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> FrameDecoder::Next(google::protobuf::MessageLite& message) {
  const absl::string_view bytes = absl::string_view(buffer_).substr(begin_);
  BF_ASSIGN_OR_RETURN(const std::optional<Length> length, ParseLength(bytes));
  if (!length.has_value() || bytes.size() - length->bytes < length->value) return false;
  const absl::string_view body = bytes.substr(length->bytes, length->value);
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return absl::DataLossError(absl::StrCat("frame of ", body.size(), " bytes that is no ", message.GetTypeName()));
  }
  begin_ += length->bytes + length->value;
  if (begin_ == buffer_.size() || begin_ > kReadBytes) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return true;
}

absl::Status WriteFrame(int fd, const google::protobuf::MessageLite& message, absl::Duration timeout) {
  const size_t size = message.ByteSizeLong();
  if (size > kMaxFrameBytes) {
    return absl::OutOfRangeError(
        absl::StrCat(message.GetTypeName(), " of ", size, " bytes does not fit a frame of ", kMaxFrameBytes));
  }
  std::string frame;
  frame.reserve(size + kMaxLengthBytes);
  AppendLength(size, frame);
  if (!message.AppendToString(&frame)) {
    return absl::InvalidArgumentError(absl::StrCat("serialize ", message.GetTypeName(), ": failed"));
  }
  return WriteAll(fd, frame, timeout);
}

absl::StatusOr<bool> ReadFrame(int fd, FrameDecoder& decoder, google::protobuf::MessageLite& message) {
  std::array<char, kReadBytes> buffer;
  for (;;) {
    BF_ASSIGN_OR_RETURN(const bool whole, decoder.Next(message));
    if (whole) return true;
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, "read a frame");
    if (got == 0 && decoder.InsideFrame()) return absl::DataLossError("the stream ended inside a frame");
    if (got == 0) return false;
    decoder.Append(absl::string_view(buffer.data(), static_cast<size_t>(got)));
  }
}

}  // namespace benchfleet
