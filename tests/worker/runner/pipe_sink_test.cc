#include "worker/runner/pipe_sink.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "benchfleet/runner/v1/runner.pb.h"
#include "common/os/unique_fd.h"
#include "common/runner/framing.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    read_end = UniqueFd(ends[0]);
    write_end = UniqueFd(ends[1]);
  }
  UniqueFd read_end, write_end;
};

// Plays the one who started the runner: what it says is in the pipe before the sink waits
// for it, so that no test depends on who is faster.
class PipeSinkTest : public testing::Test {
 protected:
  PipeSinkTest() {
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &term, &previous_);
  }
  ~PipeSinkTest() override { ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

  void AcceptRound() {
    runner::v1::RunnerCommand command;
    command.mutable_round_accepted();
    ASSERT_TRUE(WriteFrame(commands_.write_end.get(), command).ok());
  }
  void Cancel() {
    runner::v1::RunnerCommand command;
    command.mutable_cancel();
    ASSERT_TRUE(WriteFrame(commands_.write_end.get(), command).ok());
  }
  runner::v1::RunnerEvent NextEvent() {
    runner::v1::RunnerEvent event;
    EXPECT_TRUE(ReadFrame(events_.read_end.get(), decoder_, event).value_or(false));
    return event;
  }

  Pipe commands_, events_;
  FrameDecoder decoder_;
  sigset_t previous_;
};

Round MakeRound(int index) {
  Round round;
  round.index = index;
  return round;
}

TEST_F(PipeSinkTest, ARoundIsDoneOnceItIsAccepted) {
  Control control(commands_.read_end.get(), FrameDecoder(), absl::Hours(1));
  PipeSink sink(events_.write_end.get(), control);
  for (int index = 0; index < 2; ++index) {
    AcceptRound();
    EXPECT_TRUE(sink.RoundDone(MakeRound(index)).ok());
    EXPECT_EQ(NextEvent().round().index(), index);
  }
}

// Would the sink not wait for each of them, the second round were done.
TEST_F(PipeSinkTest, ARoundThatIsNotAcceptedIsNotDone) {
  for (const bool end_of_input : {false, true}) {
    commands_ = Pipe();
    Control control(commands_.read_end.get(), FrameDecoder(), absl::Hours(1));
    PipeSink sink(events_.write_end.get(), control);
    AcceptRound();
    EXPECT_TRUE(sink.RoundDone(MakeRound(0)).ok());
    end_of_input ? commands_.write_end.reset() : Cancel();
    EXPECT_EQ(sink.RoundDone(MakeRound(1)).code(), absl::StatusCode::kCancelled);
  }
}

}  // namespace
}  // namespace benchfleet
