// The real benchfleet-runner, measuring both suites.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "common/base/uuid.h"
#include "common/model/compile.h"
#include "common/os/host_probe.h"
#include "common/os/process.h"
#include "common/runner/framing.h"
#include "common/runner/runner_process.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/time_wire.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kRunner[] = BENCHFLEET_BIN_DIR "/benchfleet-runner";

class RecordingObserver final : public RunnerObserver {
 public:
  void Progress(const std::string& message) override { progress.push_back(message); }
  absl::Status Plan(const RunPlan& made) override {
    plan = made;
    return absl::OkStatus();
  }
  absl::Status RoundDone(const Round& round) override {
    rounds.push_back(round);
    if (on_round) on_round();
    return absl::OkStatus();
  }
  std::vector<std::string> progress;
  RunPlan plan;
  std::vector<Round> rounds;
  std::function<void()> on_round;
};

JobSpec EpollJob(int rounds) {
  v1::JobSpec message;
  message.mutable_wake()->add_loops("epoll");
  message.mutable_wake()->add_cases("handle_call.in_loop");
  message.mutable_wake()->add_variants("counted");
  message.mutable_method()->set_rounds(rounds);
  return ParseJobSpec(message).value();
}

// The compilers of the host, C only where one is named.
JobSpec CompileJob(const std::string& compiler) {
  v1::JobSpec message;
  v1::CompileSpec& compile = *message.mutable_compile();
  compile.add_compilers(compiler);
  compile.add_modes("compile");
  compile.add_limits(2);
  compile.add_variants("serial");
  compile.add_variants("threads");
  message.mutable_method()->set_rounds(1);
  return ParseJobSpec(message).value();
}

class RunnerTest : public testing::Test {
 protected:
  RunnerOutcome Go(const JobSpec& spec, absl::Duration run_timeout = absl::Hours(1)) {
    RunnerOptions options;
    options.runner_path = kRunner;
    options.stop_grace = absl::Seconds(30);
    return Measure(options, spec, run_timeout, UuidV4(), observer_, cancelled_);
  }

  RecordingObserver observer_;
  std::atomic<bool> cancelled_ = false;
};

TEST(Runner, DoesNotLinkGrpc) {
  PosixProcessSpawner spawner;
  Command command;
  command.argv = {"ldd", kRunner};
  const absl::StatusOr<ProcessResult> result = spawner.Run(command, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->out, HasSubstr("libprotobuf"));
  EXPECT_THAT(result->out, Not(HasSubstr("grpc")));
}

TEST_F(RunnerTest, MeasuresAJob) {
  const RunnerOutcome outcome = Go(EpollJob(2));
  ASSERT_EQ(outcome.end, AttemptEnd::kSucceeded) << outcome.detail;
  EXPECT_EQ(outcome.detail, "");
  EXPECT_THAT(observer_.progress, Contains("calibrating epoll/handle_call.in_loop"));
  EXPECT_EQ(observer_.plan.suite, "wake");
  EXPECT_EQ(observer_.plan.rounds, 2);
  EXPECT_EQ(observer_.plan.schedule, Schedule::kWilliams);
  EXPECT_EQ(observer_.plan.host_key, ReadHostFacts().host_key);
  EXPECT_GT(observer_.plan.cases.at(0).iterations, 1);
  EXPECT_GT(observer_.plan.clock.step_ns, 0);
  EXPECT_GT(observer_.plan.expected_round, absl::ZeroDuration());
  ASSERT_EQ(observer_.rounds.size(), 3u);
  for (const Round& round : observer_.rounds) {
    EXPECT_EQ(round.samples.size(), 2u);
    for (const Sample& sample : round.samples) {
      EXPECT_EQ(sample.outcome, SampleOutcome::kOk) << sample.failure << sample.output;
      EXPECT_EQ(sample.batch_ns.size(), 20u);
    }
  }
}

TEST_F(RunnerTest, ACancelledRunEndsBetweenTheRounds) {
  observer_.on_round = [&] { cancelled_ = true; };
  const RunnerOutcome outcome = Go(EpollJob(1000));
  EXPECT_EQ(outcome.end, AttemptEnd::kCancelled) << outcome.detail;
  EXPECT_EQ(outcome.detail, "cancelled");
  EXPECT_LT(observer_.rounds.size(), 1000u);
}

TEST_F(RunnerTest, ARunThatTakesTooLongFails) {
  const RunnerOutcome outcome = Go(EpollJob(1000), absl::Milliseconds(500));
  EXPECT_EQ(outcome.end, AttemptEnd::kFailed);
  EXPECT_EQ(outcome.detail, "the run took longer than its 500ms");
}

TEST_F(RunnerTest, AnInterpreterThatIsNotThereFailsTheRun) {
  JobSpec spec = EpollJob(2);
  std::get<WakeSpec>(spec.suite).loops = {"asyncio"};
  std::get<WakeSpec>(spec.suite).interpreters = {"3.999"};
  const RunnerOutcome outcome = Go(spec);
  EXPECT_EQ(outcome.end, AttemptEnd::kFailed);
  EXPECT_THAT(outcome.detail, HasSubstr("3.999"));
}

TEST_F(RunnerTest, MeasuresCompilers) {
  const RunnerOutcome outcome = Go(CompileJob("gcc"));
  ASSERT_EQ(outcome.end, AttemptEnd::kSucceeded) << outcome.detail;
  EXPECT_EQ(observer_.plan.suite, "compile");
  EXPECT_EQ(observer_.plan.suite_version, compile::kSuiteVersion);
  EXPECT_FALSE(observer_.plan.capabilities.empty());
  ASSERT_FALSE(observer_.plan.cases.empty());
  EXPECT_THAT(observer_.plan.cases[0].case_path, StartsWith("gcc@"));
  EXPECT_EQ(observer_.plan.cases[0].iterations, 1);
  EXPECT_TRUE(observer_.plan.cases[0].usable_cpus.has_value());
  ASSERT_EQ(observer_.rounds.size(), 2u);
  for (const Sample& sample : observer_.rounds[1].samples) {
    EXPECT_EQ(sample.outcome, SampleOutcome::kOk) << sample.failure << sample.output;
    EXPECT_EQ(sample.batch_ns.size(), 1u);
    EXPECT_GT(sample.measures_ns.at("cpu"), 0);
  }
}

TEST_F(RunnerTest, ACompilerThatIsNotThereFailsTheRun) {
  const RunnerOutcome outcome = Go(CompileJob("gcc@99"));
  EXPECT_EQ(outcome.end, AttemptEnd::kFailed);
  EXPECT_THAT(outcome.detail, HasSubstr("this host has no gcc 99, it has"));
}

TEST_F(RunnerTest, DescribesTheHost) {
  RunnerOptions options;
  options.runner_path = kRunner;
  const absl::StatusOr<HostFacts> facts = DescribeHost(options);
  ASSERT_TRUE(facts.ok()) << facts.status();
  EXPECT_EQ(facts->boot_id, ReadHostFacts().boot_id);
  EXPECT_EQ(facts->host_key, ReadHostFacts().host_key);
  EXPECT_THAT(facts->suites, Contains("wake"));
  // Whoever built this has a compiler, but not surely one we know.
  EXPECT_EQ(facts->suites.size(), facts->compilers.empty() ? 1u : 2u);
}

// Below, the runner is spoken to directly.
class RunnerPipeTest : public testing::Test {
 protected:
  void SetUp() override {
    Command command;
    command.argv = {kRunner};
    command.environment = {"PATH=/usr/bin:/bin"};
    absl::StatusOr<Child> child = Child::Spawn(command, /*capture_stderr=*/true);
    ASSERT_TRUE(child.ok()) << child.status();
    child_.emplace(*std::move(child));
  }

  void Send(const runner::v1::RunnerCommand& command) { ASSERT_TRUE(WriteFrame(child_->stdin_fd(), command).ok()); }

  void SendStart(const v1::JobSpec& spec) {
    runner::v1::RunnerCommand command;
    *command.mutable_start()->mutable_spec() = spec;
    *command.mutable_start()->mutable_run_timeout() = ToProto(absl::Hours(1));
    Send(command);
  }

  // Skips to the first event that `wanted` likes; a default event at the end of the stream.
  runner::v1::RunnerEvent NextEvent(const std::function<bool(const runner::v1::RunnerEvent&)>& wanted) {
    runner::v1::RunnerEvent event;
    for (;;) {
      const absl::StatusOr<bool> got = ReadFrame(child_->stdout_fd(), decoder_, event);
      EXPECT_TRUE(got.ok()) << got.status();
      if (!got.value_or(false)) return runner::v1::RunnerEvent();
      if (wanted(event)) return event;
    }
  }

  static bool IsFinished(const runner::v1::RunnerEvent& event) { return event.has_finished(); }
  static bool IsPlan(const runner::v1::RunnerEvent& event) { return event.has_plan(); }

  std::optional<Child> child_;
  FrameDecoder decoder_;
};

TEST_F(RunnerPipeTest, SigtermEndsTheRunCancelled) {
  SendStart(ToProto(EpollJob(1000)));
  ASSERT_TRUE(NextEvent(IsPlan).has_plan());
  ::kill(child_->pid(), SIGTERM);
  const runner::v1::RunnerEvent end = NextEvent(IsFinished);
  EXPECT_EQ(end.finished().end(), v1::ATTEMPT_END_CANCELLED);
  EXPECT_EQ(end.finished().detail(), "stopped by SIGTERM");
  EXPECT_EQ(child_->Wait().exit_code, 0);
}

TEST_F(RunnerPipeTest, NoRoundBeginsUntilThePlanIsAccepted) {
  SendStart(ToProto(EpollJob(2)));
  ASSERT_TRUE(NextEvent(IsPlan).has_plan());
  // Not accepted: cancelled, the very next event is the end.
  runner::v1::RunnerCommand command;
  command.mutable_cancel();
  Send(command);
  EXPECT_TRUE(NextEvent([](const auto&) { return true; }).has_finished());
}

TEST_F(RunnerPipeTest, TheEndOfItsInputEndsIt) {
  SendStart(ToProto(EpollJob(1000)));
  ASSERT_TRUE(NextEvent(IsPlan).has_plan());
  runner::v1::RunnerCommand command;
  command.mutable_plan_accepted();
  Send(command);
  child_->CloseStdin();
  EXPECT_EQ(NextEvent(IsFinished).finished().end(), v1::ATTEMPT_END_CANCELLED);
  EXPECT_EQ(child_->Wait().exit_code, 0);
}

TEST_F(RunnerPipeTest, AJobThatIsNotValidFails) {
  SendStart(v1::JobSpec());
  const runner::v1::RunnerEvent end = NextEvent(IsFinished);
  EXPECT_EQ(end.finished().end(), v1::ATTEMPT_END_FAILED);
  EXPECT_THAT(end.finished().detail(), StartsWith("spec"));
}

TEST_F(RunnerPipeTest, WithoutAStartItGivesUp) {
  child_->CloseStdin();
  EXPECT_EQ(child_->Wait().exit_code, 1);
}

TEST_F(RunnerPipeTest, AnotherFirstCommandIsRefused) {
  runner::v1::RunnerCommand command;
  command.mutable_cancel();
  Send(command);
  EXPECT_EQ(child_->Wait().exit_code, 1);
}

}  // namespace
}  // namespace benchfleet
