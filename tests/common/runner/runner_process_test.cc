#include "common/runner/runner_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/base/uuid.h"
#include "common/os/host_probe.h"
#include "common/os/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RecordingObserver final : public RunnerObserver {
 public:
  void Progress(const std::string& message) override {
    events.push_back(message);
    if (on_event) on_event();
  }
  absl::Status Plan(const RunPlan& plan) override {
    events.push_back(absl::StrCat("plan of ", plan.cases.size()));
    return plan_status;
  }
  absl::Status RoundDone(const Round& round) override {
    events.push_back(absl::StrCat("round ", round.index));
    return round_status;
  }

  std::vector<std::string> events;
  std::function<void()> on_event;
  absl::Status plan_status;
  absl::Status round_status;
};

class RunnerProcessTest : public testing::Test {
 protected:
  RunnerOptions Options(const std::string& mode) {
    RunnerOptions options;
    options.runner_path = BENCHFLEET_FAKE_RUNNER;
    options.interpreters = {mode};
    options.stop_grace = grace_;
    return options;
  }

  RunnerOutcome Go(const std::string& mode, absl::Duration run_timeout = absl::Hours(1)) {
    JobSpec spec;
    spec.suite = WakeSpec{{"epoll"}, {}, {"frame.ready"}, {"lookup"}, "lookup"};
    return Measure(Options(mode), spec, run_timeout, token_, observer_, cancelled_);
  }

  // What the fake runner was told, in order.
  std::vector<std::string> Told() const {
    std::ifstream log(log_);
    std::vector<std::string> told;
    for (std::string line; std::getline(log, line);) told.push_back(line);
    return told;
  }
  void SetUp() override { ::setenv("FAKE_RUNNER_LOG", log_.c_str(), 1); }
  void TearDown() override { ::unsetenv("FAKE_RUNNER_LOG"); }

  const TempFolder folder_;
  const std::string log_ = folder_ / "told";
  // Long enough for a busy host where the runner stops by itself; short where it never does.
  absl::Duration grace_ = absl::Seconds(30);
  std::string token_ = UuidV4();
  RecordingObserver observer_;
  std::atomic<bool> cancelled_ = false;
};

TEST_F(RunnerProcessTest, FollowsARunToItsEnd) {
  const RunnerOutcome outcome = Go("well");
  EXPECT_EQ(outcome.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(outcome.detail, "all well");
  EXPECT_THAT(observer_.events, ElementsAre("token " + token_, "plan of 1", "round 0", "round 1"));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST_F(RunnerProcessTest, PlanAndEachRoundAreAcceptedOnce) {
  Go("well");
  EXPECT_THAT(Told(), ElementsAre("start", "plan_accepted", "round_accepted", "round_accepted"));
}

TEST_F(RunnerProcessTest, AnotherTokenInOurOwnEnvironmentIsReplaced) {
  ::setenv("BENCHFLEET_ATTEMPT", "outer", 1);
  Go("well");
  ::unsetenv("BENCHFLEET_ATTEMPT");
  EXPECT_EQ(observer_.events.at(0), "token " + token_);
}

TEST_F(RunnerProcessTest, AFailedBenchmarkIsNoCrash) {
  const RunnerOutcome outcome = Go("fail");
  EXPECT_EQ(outcome.end, AttemptEnd::kFailed);
  EXPECT_EQ(outcome.detail, "it is broken");
}

TEST_F(RunnerProcessTest, ACrashGivesTheLastWordsAtMostFourKiB) {
  const RunnerOutcome outcome = Go("abort");
  EXPECT_EQ(outcome.end, AttemptEnd::kCrashed);
  EXPECT_THAT(outcome.detail, HasSubstr(absl::StrCat("was killed by signal ", SIGABRT)));
  EXPECT_THAT(outcome.detail, EndsWith("? the very end"));  // made UTF-8
  EXPECT_GT(outcome.detail.size(), 4000u);
  EXPECT_LT(outcome.detail.size(), kMaxLastWordsBytes + 100);
}

struct CrashCase {
  const char* mode;
  const char* detail;  // part of it
};

class RunnerCrashTest : public RunnerProcessTest, public testing::WithParamInterface<CrashCase> {};

TEST_P(RunnerCrashTest, IsACrashWithItsCause) {
  const RunnerOutcome outcome = Go(GetParam().mode);
  EXPECT_EQ(outcome.end, AttemptEnd::kCrashed);
  EXPECT_THAT(outcome.detail, HasSubstr(GetParam().detail));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

INSTANTIATE_TEST_SUITE_P(All, RunnerCrashTest,
                         testing::ValuesIn<CrashCase>({
                             {"exit", "ended with exit code 3 before it was done; its last words: no luck today"},
                             {"exit_unread", "ended with exit code 4"},
                             {"garbage", "sent nonsense: frame of 84 bytes"},
                             {"oversize", "sent nonsense: frame of 16777217 bytes, at most 16777216"},
                             {"half_a_frame", "ended with exit code 0 before it was done"},
                             {"second_plan", "sent a second plan"},
                             {"bad_plan", "sent a bad plan: "},
                             {"round_first", "sent a round before its plan"},
                             {"bad_end", "an end that is not its to say: heartbeat"},
                             {"empty_event", "an event of no known kind"},
                         }),
                         [](const auto& test) { return std::string(test.param.mode); });

TEST_F(RunnerProcessTest, AProgramThatIsNotThereIsACrash) {
  RunnerOptions options = Options("well");
  options.runner_path = "/nonexistent/benchfleet-runner";
  JobSpec spec;
  const RunnerOutcome outcome = Measure(options, spec, absl::Hours(1), token_, observer_, cancelled_);
  EXPECT_EQ(outcome.end, AttemptEnd::kCrashed);
  EXPECT_THAT(outcome.detail, HasSubstr("/nonexistent/benchfleet-runner"));
}

TEST_F(RunnerProcessTest, CancelAsksTheRunnerToStop) {
  observer_.on_event = [&] { cancelled_ = true; };
  const RunnerOutcome outcome = Go("obey");
  EXPECT_EQ(outcome.end, AttemptEnd::kCancelled);
  EXPECT_EQ(outcome.detail, "as told");
}

TEST_F(RunnerProcessTest, CancelledBeforeItBeganStartsNothing) {
  cancelled_ = true;
  EXPECT_EQ(Go("well").end, AttemptEnd::kCancelled);
  EXPECT_THAT(observer_.events, IsEmpty());
}

TEST_F(RunnerProcessTest, ARunnerThatDoesNotStopIsKilled) {
  grace_ = absl::Milliseconds(100);
  observer_.on_event = [&] { cancelled_ = true; };
  EXPECT_EQ(Go("hang").end, AttemptEnd::kCancelled);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST_F(RunnerProcessTest, ARunnerThatDiesWhenCancelledIsCancelled) {
  observer_.on_event = [&] { cancelled_ = true; };
  EXPECT_EQ(Go("die_when_cancelled").end, AttemptEnd::kCancelled);
}

TEST_F(RunnerProcessTest, ARunnerThatOutlivesItsTimeIsKilled) {
  grace_ = absl::Milliseconds(100);
  const RunnerOutcome outcome = Go("hang", /*run_timeout=*/absl::Milliseconds(100));
  EXPECT_EQ(outcome.end, AttemptEnd::kCrashed);
  EXPECT_THAT(outcome.detail, HasSubstr("outlived its run timeout"));
}

TEST_F(RunnerProcessTest, OnceItHasReportedItsEndNothingChangesThat) {
  const RunnerOutcome died = Go("abort_after_end");
  EXPECT_EQ(died.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(died.detail, "done");
  grace_ = absl::Milliseconds(100);
  const RunnerOutcome hung = Go("hang_after_end");
  EXPECT_EQ(hung.end, AttemptEnd::kSucceeded);
  EXPECT_EQ(hung.detail, "done");
}

TEST_F(RunnerProcessTest, APlanThatCannotBeStoredEndsTheRun) {
  observer_.plan_status = absl::UnavailableError("disk full");
  const RunnerOutcome outcome = Go("plan_then_obey");
  EXPECT_EQ(outcome.end, AttemptEnd::kFailed);
  EXPECT_EQ(outcome.detail, "disk full");
  EXPECT_THAT(Told(), ElementsAre("start", "cancel"));
}

TEST_F(RunnerProcessTest, ARoundThatCannotBeStoredEndsTheRunAndTheTelling) {
  observer_.round_status = absl::UnavailableError("disk full");
  const RunnerOutcome outcome = Go("round_then_obey");
  EXPECT_EQ(outcome.end, AttemptEnd::kFailed);
  EXPECT_EQ(outcome.detail, "disk full");
  EXPECT_THAT(observer_.events, ElementsAre("plan of 1", "round 0"));
  // Nothing was accepted before the observer had answered.
  EXPECT_THAT(Told(), ElementsAre("start", "plan_accepted", "cancel"));
}

TEST_F(RunnerProcessTest, WhoeverLeftTheGroupHoldsNothingUpAndIsKilled) {
  UniqueFd left_behind;
  observer_.on_event = [&] {
    int pid = 0;
    ASSERT_TRUE(absl::SimpleAtoi(observer_.events.at(0), &pid));
    left_behind = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  };
  EXPECT_EQ(Go("leave_behind").end, AttemptEnd::kSucceeded);
  ASSERT_TRUE(left_behind.valid());
  pollfd ended = {left_behind.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ended, 1, 0), 1);
}

TEST_F(RunnerProcessTest, DescribesTheHost) {
  const absl::StatusOr<HostFacts> facts = DescribeHost(Options("well"));
  ASSERT_TRUE(facts.ok()) << facts.status();
  EXPECT_EQ(*facts, ReadHostFacts());
}

TEST_F(RunnerProcessTest, ADescriptionThatFailsSaysWhy) {
  const absl::Status failed = DescribeHost(Options("fail")).status();
  EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(failed.message()), HasSubstr("cannot look"));
  for (const char* mode : {"garbage", "twice"}) {
    const absl::Status unreadable = DescribeHost(Options(mode)).status();
    EXPECT_EQ(unreadable.code(), absl::StatusCode::kUnavailable) << mode;
    EXPECT_THAT(std::string(unreadable.message()), HasSubstr("unreadable answer"));
  }
  RunnerOptions missing;
  missing.runner_path = "/nonexistent/benchfleet-runner";
  EXPECT_EQ(DescribeHost(missing).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(RunnerProcessTest, PathsOfTheOperatorAreGivenOn) {
  RunnerOptions options;
  options.runner_path = folder_.WriteProgram("tells-its-arguments", "#!/bin/sh\necho \"$@\" >&2\nexit 1\n");
  options.interpreters = {"/p"};
  options.compilers = {"/c1", "/c2"};
  EXPECT_THAT(std::string(DescribeHost(options).status().message()),
              HasSubstr("describe --python /p --compiler /c1 --compiler /c2"));
}

TEST(FindRunner, LooksBesideAndInLibexec) {
  const TempFolder root;
  std::filesystem::create_directories(root / "bin");
  const absl::Status missing = FindRunnerFrom(root / "bin").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr(root / "bin/benchfleet-runner"));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("libexec/benchfleet/benchfleet-runner"));
  root.WriteProgram("libexec/benchfleet/benchfleet-runner", "");
  EXPECT_THAT(FindRunnerFrom(root / "bin").value(), EndsWith("libexec/benchfleet/benchfleet-runner"));
  root.WriteProgram("bin/benchfleet-runner", "");
  EXPECT_EQ(FindRunnerFrom(root / "bin").value(), root / "bin/benchfleet-runner");
}

}  // namespace
}  // namespace benchfleet
