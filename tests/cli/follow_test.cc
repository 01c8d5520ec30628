// Connection, Follow() and Progress against the fake server.
#include "cli/follow.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "cli/connection.h"
#include "cli/exit_codes.h"
#include "cli/interrupts.h"
#include "cli/progress.h"
#include "common/base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/scripts.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// A FILE that is a string.
class MemoryFile {
 public:
  MemoryFile() : file_(open_memstream(&data_, &size_)) {}
  ~MemoryFile() {
    std::fclose(file_);
    std::free(data_);
  }
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return std::string(data_, size_);
  }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
  std::FILE* file_;
};

struct FollowResult {
  absl::StatusOr<v1::Job> job;
  std::string talk;
};

FollowResult FollowOn(FakeServer& server, const FollowOptions& options = {}) {
  MemoryFile talk;
  Interrupts interrupts;
  Connection connection(server.address);
  Progress progress(talk.file(), /*is_terminal=*/false, 100);
  auto job = Follow(QueuedJob(), options, connection, interrupts, progress);
  return {std::move(job), talk.text()};
}

TEST(Follow, TellsWhatHappensUntilTheEnd) {
  FakeServer server(SucceedingScript());
  const FollowResult result = FollowOn(server);
  ASSERT_TRUE(result.job.ok()) << result.job.status();
  EXPECT_EQ(result.job->state(), v1::JOB_STATE_SUCCEEDED);
  EXPECT_EQ(result.talk,
            "lab-1: accepted\n"
            "lab-1: plan: 1 case x 2 variants, 3 rounds after 1 for warm-up, schedule williams, seed 42, about 8s\n"
            "  epoll/frame.ready: socket, lookup\n"
            "lab-1: round 1 of 4, about 6s left\n"
            "lab-1: round 2 of 4, about 4s left\n"
            "lab-1: succeeded\n");
}

TEST(Follow, ResumesALostStreamWhereItBroke) {
  FakeBenchmarkService::Script script = SucceedingScript();
  script.drop_after_event = 3;
  FakeServer server(script);
  const FollowResult result = FollowOn(server);
  ASSERT_TRUE(result.job.ok()) << result.job.status();
  EXPECT_THAT(server.service.seen().watched_from, ElementsAre(1, 4));
  EXPECT_THAT(result.talk, HasSubstr("round 2 of 4"));
}

TEST(Follow, RenewsAStreamThatSaysNothing) {
  FakeBenchmarkService::Script script;
  script.job = QueuedJob();
  FakeServer server(script);
  FollowOptions options;
  options.watch_slice = absl::Milliseconds(20);
  options.wait_for_worker = absl::Milliseconds(1500);
  const FollowResult result = FollowOn(server, options);
  EXPECT_GT(server.service.seen().watched_from.size(), 1u);
}

TEST(Follow, GivesUpWhenNoWorkerTakesTheJob) {
  FakeBenchmarkService::Script script;
  script.job = QueuedJob();
  script.job.set_state_reason("no worker matches pool=lab");
  FakeServer server(script);
  FollowOptions options;
  options.wait_for_worker = absl::Milliseconds(50);
  const FollowResult result = FollowOn(server, options);
  ASSERT_TRUE(result.job.ok()) << result.job.status();
  EXPECT_TRUE(IsWaiting(*result.job));
  EXPECT_EQ(result.talk, "waiting: no worker matches pool=lab\n");
}

TEST(Follow, WaitsForAServerOnlySoLong) {
  FakeServer server(SucceedingScript());
  server.Stop();
  FollowOptions options;
  options.max_unreachable = absl::ZeroDuration();
  const FollowResult result = FollowOn(server, options);
  EXPECT_EQ(ExitCodeOf(result.job.status()), kExitUnreachable) << result.job.status();
}

TEST(Follow, AJobThatIsGoneIsAnError) {
  FakeServer server(SucceedingScript());
  MemoryFile talk;
  Interrupts interrupts;
  Connection connection(server.address);
  Progress progress(talk.file(), false, 100);
  v1::Job other = QueuedJob();
  other.set_id("other");
  // The fake streams for any job but knows only its own.
  const auto job = Follow(other, {}, connection, interrupts, progress);
  EXPECT_EQ(job.status().code(), absl::StatusCode::kNotFound);
}

TEST(Connection, ErrorsKeepTheirDetails) {
  FieldErrors errors;
  errors.Add("spec.project", "is wrong");
  FakeBenchmarkService::Script script;
  script.create_error = errors.ToStatus();
  FakeServer server(script);
  Connection connection(server.address);
  const auto job = connection.CreateJob({});
  EXPECT_EQ(ErrorReason(job.status()), "INVALID_FIELD");
  EXPECT_THAT(FieldViolationsOf(job.status()), ElementsAre(FieldViolation{"spec.project", "is wrong"}));
}

TEST(Connection, RepeatsTheSameRequestWhileTheServerIsUnavailable) {
  FakeBenchmarkService::Script script = SucceedingScript();
  script.unavailable_creates = kMaxCallTries - 1;
  FakeServer server(script);
  Connection connection(server.address);
  v1::CreateJobRequest request;
  request.set_request_id("r");
  EXPECT_TRUE(connection.CreateJob(request).ok());
  const auto creates = server.service.seen().creates;
  ASSERT_THAT(creates, SizeIs(kMaxCallTries));
  for (const auto& create : creates) EXPECT_EQ(create.request_id(), "r");
}

TEST(Connection, GivesUpAfterSoManyTries) {
  FakeBenchmarkService::Script script = SucceedingScript();
  script.unavailable_creates = kMaxCallTries;
  FakeServer server(script);
  Connection connection(server.address);
  EXPECT_EQ(connection.CreateJob({}).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(server.service.seen().creates, SizeIs(kMaxCallTries));
}

TEST(Connection, InterruptEndsAWatchFromAnotherThread) {
  FakeBenchmarkService::Script script;
  script.job = QueuedJob();
  FakeServer server(script);
  Connection connection(server.address);
  std::thread interrupter([&] {
    server.service.AwaitWatch();
    connection.Interrupt();
  });
  v1::WatchJobRequest request;
  request.set_id(kJobId);
  const absl::Status status = connection.WatchJob(request, absl::Minutes(10), [](const auto&) {});
  interrupter.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(connection.WatchJob(request, absl::Minutes(10), [](const auto&) {}).code(), absl::StatusCode::kCancelled);
}

TEST(Progress, DrawsABarOnATerminal) {
  MemoryFile out;
  {
    Progress progress(out.file(), /*is_terminal=*/true, 100);
    v1::RunPlan plan = SucceedingScript().events[1].plan();
    progress.Plan("lab-1", plan);
    progress.Rounds("lab-1", 1, 4);
    progress.Say("hello\x1b[2J");
  }
  EXPECT_THAT(out.text(), HasSubstr("[######..................] 1/4 rounds, about 6s left\r\x1b[Khello [2J\n["));
  EXPECT_THAT(out.text(), ::testing::EndsWith("\r\x1b[K"));
}

TEST(Progress, SaysEveryTenthOfTheRoundsElsewhere) {
  MemoryFile out;
  Progress progress(out.file(), /*is_terminal=*/false, 100);
  for (int done = 1; done <= 100; ++done) progress.Rounds("h", done, 100);
  const std::string text = out.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_THAT(text, HasSubstr("h: round 10 of 100"));
  EXPECT_THAT(text, Not(HasSubstr("round 11 of")));
  EXPECT_THAT(text, HasSubstr("h: round 100 of 100"));
}

struct ExitCase {
  absl::Status status;
  int code;
};

TEST(ExitCodeOf, StatusesHaveTheirCodes) {
  for (const ExitCase& c :
       std::vector<ExitCase>{{absl::OkStatus(), 0},
                             {absl::InvalidArgumentError(""), 2},
                             {absl::NotFoundError(""), 2},
                             {ErrorWithReason(absl::StatusCode::kFailedPrecondition, "NO_MATCHING_WORKER", ""), 5},
                             {absl::FailedPreconditionError(""), 7},
                             {absl::UnavailableError(""), 6},
                             {absl::DeadlineExceededError(""), 6},
                             {absl::UnauthenticatedError(""), 6},
                             {absl::PermissionDeniedError(""), 6},
                             {absl::InternalError(""), 7},
                             {absl::UnimplementedError(""), 7}}) {
    EXPECT_EQ(ExitCodeOf(c.status), c.code) << c.status;
  }
}

TEST(ExitCodeOf, AFailureCountsBeforeARunWithoutAWorker) {
  EXPECT_EQ(ExitCodeOf(EndedJob(v1::JOB_STATE_SUCCEEDED, v1::RUN_STATE_SUCCEEDED)), 0);
  EXPECT_EQ(ExitCodeOf(EndedJob(v1::JOB_STATE_EXPIRED, v1::RUN_STATE_EXPIRED)), 5);
  for (const v1::RunState state : {v1::RUN_STATE_FAILED, v1::RUN_STATE_CANCELLED, v1::RUN_STATE_QUARANTINED}) {
    EXPECT_EQ(ExitCodeOf(EndedJob(v1::JOB_STATE_PARTIAL, state)), 4);
  }
  v1::Job mixed = EndedJob(v1::JOB_STATE_PARTIAL, v1::RUN_STATE_EXPIRED);
  mixed.add_runs()->set_state(v1::RUN_STATE_SUCCEEDED);
  EXPECT_EQ(ExitCodeOf(mixed), 5);
  mixed.add_runs()->set_state(v1::RUN_STATE_FAILED);
  EXPECT_EQ(ExitCodeOf(mixed), 4);
}

}  // namespace
}  // namespace benchfleet
