#include "common/runner/framing.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "benchfleet/runner/v1/runner.pb.h"
#include "common/os/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    read_end = UniqueFd(ends[0]);
    write_end = UniqueFd(ends[1]);
  }
  UniqueFd read_end, write_end;
};

runner::v1::RunnerEvent Progress(const std::string& message) {
  runner::v1::RunnerEvent event;
  event.mutable_progress()->set_message(message);
  return event;
}

std::string Frame(const runner::v1::RunnerEvent& event) {
  const std::string body = event.SerializeAsString();
  std::string frame;
  size_t size = body.size();
  for (; size >= 128; size /= 128) frame.push_back(static_cast<char>(size % 128 + 128));
  frame.push_back(static_cast<char>(size));
  return frame + body;
}

// The event of which the frame's body has exactly this many bytes.
runner::v1::RunnerEvent EventOfSize(size_t bytes) {
  std::string text(bytes, 'x');
  while (Progress(text).ByteSizeLong() > bytes) text.pop_back();
  return Progress(text);
}

TEST(FrameDecoder, TakesBytesHoweverTheyAreCut) {
  const std::string bytes = Frame(Progress("one")) + Frame(Progress("")) + Frame(Progress(std::string(300, 'x')));
  for (const size_t step : {size_t{1}, size_t{2}, size_t{7}, bytes.size()}) {
    FrameDecoder decoder;
    std::vector<size_t> sizes;
    for (size_t at = 0; at < bytes.size(); at += step) {
      decoder.Append(bytes.substr(at, step));
      runner::v1::RunnerEvent event;
      while (decoder.Next(event).value()) sizes.push_back(event.progress().message().size());
    }
    EXPECT_THAT(sizes, ElementsAre(3, 0, 300)) << step;
    EXPECT_FALSE(decoder.InsideFrame()) << step;
  }
}

TEST(FrameDecoder, AcceptsTheLimitAndRefusesOneByteMore) {
  runner::v1::RunnerEvent event;
  FrameDecoder decoder;
  decoder.Append(Frame(EventOfSize(kMaxFrameBytes)));
  EXPECT_TRUE(decoder.Next(event).value());
  // The length alone is enough to refuse.
  decoder.Append(std::string("\x81\x80\x80\x08", 4));
  const auto refused = decoder.Next(event);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("16777217"));
}

TEST(FrameDecoder, RefusesWhatIsNoFrame) {
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff"), std::string("\x80\x80\x80\x80\x01"), std::string("\x02\xff\xff")}) {
    FrameDecoder decoder;
    decoder.Append(bytes);
    runner::v1::RunnerEvent event;
    EXPECT_EQ(decoder.Next(event).status().code(), absl::StatusCode::kDataLoss);
  }
}

TEST(Frames, GoThroughAPipe) {
  Pipe pipe;
  const runner::v1::RunnerEvent large = EventOfSize(1 << 20);  // many times what a pipe holds
  std::thread writer([&] {
    EXPECT_TRUE(WriteFrame(pipe.write_end.get(), Progress("small")).ok());
    EXPECT_TRUE(WriteFrame(pipe.write_end.get(), large).ok());
    pipe.write_end.reset();
  });
  FrameDecoder decoder;
  runner::v1::RunnerEvent event;
  EXPECT_TRUE(ReadFrame(pipe.read_end.get(), decoder, event).value());
  EXPECT_EQ(event.progress().message(), "small");
  EXPECT_TRUE(ReadFrame(pipe.read_end.get(), decoder, event).value());
  EXPECT_EQ(event.progress().message(), large.progress().message());
  EXPECT_FALSE(ReadFrame(pipe.read_end.get(), decoder, event).value());
  writer.join();
}

TEST(Frames, AStreamThatEndsInsideAFrameIsAnError) {
  const std::string frame = Frame(Progress("text"));
  for (size_t cut = 1; cut < frame.size(); ++cut) {
    Pipe pipe;
    ASSERT_EQ(::write(pipe.write_end.get(), frame.data(), cut), static_cast<ssize_t>(cut));
    pipe.write_end.reset();
    FrameDecoder decoder;
    runner::v1::RunnerEvent event;
    EXPECT_EQ(ReadFrame(pipe.read_end.get(), decoder, event).status().code(), absl::StatusCode::kDataLoss) << cut;
  }
}

TEST(WriteFrame, RefusesWhatIsTooLarge) {
  Pipe pipe;
  const absl::Status status = WriteFrame(pipe.write_end.get(), EventOfSize(kMaxFrameBytes + 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()), HasSubstr("16777217"));
}

TEST(WriteFrame, AClosedEndIsAnErrorAndNoSignal) {
  Pipe pipe;
  pipe.read_end.reset();
  EXPECT_EQ(WriteFrame(pipe.write_end.get(), Progress("x")).code(), absl::StatusCode::kUnavailable);
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(WriteFrame, AnEndThatDoesNotReadIsGivenUp) {
  Pipe pipe;
  ::fcntl(pipe.write_end.get(), F_SETFL, O_NONBLOCK);
  const absl::Status status = WriteFrame(pipe.write_end.get(), EventOfSize(1 << 20), absl::Milliseconds(20));
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace benchfleet
