#include "worker/runner/control.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace benchfleet {
namespace {

class ControlTest : public testing::Test {
 protected:
  ControlTest() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    read_end_ = UniqueFd(ends[0]);
    write_end_ = UniqueFd(ends[1]);
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &term, &previous_);
  }
  ~ControlTest() override { ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

  void Send(const runner::v1::RunnerCommand& command) { ASSERT_TRUE(WriteFrame(write_end_.get(), command).ok()); }

  UniqueFd read_end_, write_end_;
  sigset_t previous_;
};

TEST_F(ControlTest, ThePlanIsAccepted) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  runner::v1::RunnerCommand command;
  command.mutable_plan_accepted();
  Send(command);
  EXPECT_TRUE(control.WaitForPlanAccepted().ok());
  EXPECT_FALSE(control.cancelled());
  EXPECT_EQ(control.cause(), "");
}

TEST_F(ControlTest, EachRoundIsAcceptedByItself) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  runner::v1::RunnerCommand command;
  command.mutable_round_accepted();
  Send(command);
  Send(command);
  EXPECT_TRUE(control.WaitForRoundAccepted().ok());
  EXPECT_TRUE(control.WaitForRoundAccepted().ok());
  write_end_.reset();
  EXPECT_EQ(control.WaitForRoundAccepted().code(), absl::StatusCode::kCancelled);
}

// Waiting for the plan ends with the cancellation, whatever its cause.
TEST_F(ControlTest, ACancelCommand) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  runner::v1::RunnerCommand command;
  command.mutable_cancel();
  Send(command);
  EXPECT_EQ(control.WaitForPlanAccepted().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(control.cancelled());
  EXPECT_EQ(control.cause(), "cancelled");
  EXPECT_FALSE(control.timed_out());
}

TEST_F(ControlTest, TheEndOfTheStream) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  write_end_.reset();
  EXPECT_EQ(control.WaitForPlanAccepted().message(), "whoever started the runner has gone");
}

TEST_F(ControlTest, Sigterm) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  ::kill(::getpid(), SIGTERM);
  EXPECT_EQ(control.WaitForPlanAccepted().message(), "stopped by SIGTERM");
}

TEST_F(ControlTest, TheEndOfTheRunsTime) {
  Control control(read_end_.get(), FrameDecoder(), absl::Milliseconds(10));
  EXPECT_EQ(control.WaitForPlanAccepted().message(), "the run took longer than its 10ms");
  EXPECT_TRUE(control.timed_out());
}

TEST_F(ControlTest, WhatCannotBeUnderstood) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  ASSERT_EQ(::write(write_end_.get(), "\xff\xff\xff\xff", 4), 4);
  EXPECT_EQ(control.WaitForPlanAccepted().code(), absl::StatusCode::kCancelled);
}

TEST_F(ControlTest, TheFirstCauseStays) {
  Control control(read_end_.get(), FrameDecoder(), absl::Hours(1));
  runner::v1::RunnerCommand command;
  command.mutable_start();
  Send(command);
  EXPECT_EQ(control.WaitForPlanAccepted().message(), "a second job was sent");
  command.mutable_cancel();
  Send(command);
  write_end_.reset();
  EXPECT_EQ(control.cause(), "a second job was sent");
}

TEST_F(ControlTest, WhatWasReadWithTheFirstCommandIsNotLost) {
  runner::v1::RunnerCommand command;
  command.mutable_plan_accepted();
  FrameDecoder decoder;
  const std::string body = command.SerializeAsString();
  decoder.Append(std::string(1, static_cast<char>(body.size())) + body);
  Control control(read_end_.get(), std::move(decoder), absl::Hours(1));
  EXPECT_TRUE(control.WaitForPlanAccepted().ok());
}

}  // namespace
}  // namespace benchfleet
