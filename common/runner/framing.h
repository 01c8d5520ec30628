// Protobuf messages over a pipe, each preceded by its length as a varint.
#ifndef BENCHFLEET_COMMON_RUNNER_FRAMING_H_
#define BENCHFLEET_COMMON_RUNNER_FRAMING_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/message_lite.h"

namespace benchfleet {

inline constexpr size_t kMaxFrameBytes = 16 << 20;  // of the message, its length excluded

// Turns bytes, however they were cut, back into messages.
//
// Thread-safety: none.
class FrameDecoder {
 public:
  void Append(absl::string_view bytes) { buffer_.append(bytes.data(), bytes.size()); }

  // True when a whole message was there and is now in `message`, false when more bytes
  // are needed. kDataLoss: the length is no varint or over kMaxFrameBytes, or the bytes
  // are not such a message; nothing after it can be trusted.
  absl::StatusOr<bool> Next(google::protobuf::MessageLite& message);

  // Whether a frame has begun and not ended.
  bool InsideFrame() const { return begin_ < buffer_.size(); }

 private:
  std::string buffer_;
  size_t begin_ = 0;  // what is before has been taken
};

// Writes all of it; a descriptor that does not block is waited for, `timeout` in all.
// kOutOfRange: over kMaxFrameBytes, nothing was written. kUnavailable: the other end is
// closed. kDeadlineExceeded. No SIGPIPE is raised.
absl::Status WriteFrame(int fd, const google::protobuf::MessageLite& message,
                        absl::Duration timeout = absl::InfiniteDuration());

// Blocks until a message is there; false at the end of the stream. kDataLoss as above,
// or when the stream ends inside a frame.
absl::StatusOr<bool> ReadFrame(int fd, FrameDecoder& decoder, google::protobuf::MessageLite& message);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_RUNNER_FRAMING_H_
