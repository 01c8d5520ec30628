// benchfleet-worker as a program: usage errors, its state directory, its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/os/process.h"
#include "tests/worker/agent/fake_worker_service.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Workers that measure wait their turn when something else on this machine measures.
constexpr absl::Duration kHostPatience = absl::Minutes(4);

class WorkerBinaryTest : public ::testing::Test {
 protected:
  // The real worker beside a fake runner.
  void SetUp() override {
    worker_ = folder_.path() + "/benchfleet-worker";
    fs::copy_file(absl::StrCat(BENCHFLEET_BIN_DIR, "/benchfleet-worker"), worker_);
    fs::copy_file(FAKE_RUNNER, folder_.path() + "/benchfleet-runner");
  }

  Command Worker(std::vector<std::string> flags) const {
    Command command;
    command.argv = std::move(flags);
    command.argv.insert(command.argv.begin(), worker_);
    command.environment = {"PATH=/usr/bin:/bin", absl::StrCat("HOME=", folder_.path())};
    return command;
  }
  std::vector<std::string> Flags(std::vector<std::string> more = {}) const {
    std::vector<std::string> flags = {"--server", "127.0.0.1:1", "--state-dir", State()};
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
  }
  std::string State() const { return folder_.path() + "/state"; }

  ProcessResult Run(std::vector<std::string> flags, absl::Duration timeout = kWatchDog) const {
    PosixProcessSpawner spawner;
    RunOptions options;
    options.timeout = timeout;
    auto result = spawner.Run(Worker(std::move(flags)), options);
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  }
  // Exit 2 and one line on stderr that says `what`.
  void ExpectRefusal(const ProcessResult& result, const std::string& what) const {
    EXPECT_EQ(result.end.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_THAT(std::vector<std::string>(absl::StrSplit(result.err, '\n', absl::SkipEmpty())), SizeIs(1)) << result.err;
    EXPECT_EQ(result.out, "");
  }
  static Child Start(const Command& command) {
    auto child = Child::Spawn(command, /*capture_stderr=*/true);
    EXPECT_TRUE(child.ok()) << child.status();
    return *std::move(child);
  }
  // Reads its log up to `what`; the test's time limit is the watch-dog.
  static void ReadUntil(const Child& worker, const std::string& what) {
    std::string said;
    char byte = 0;
    while (said.find(what) == std::string::npos && ::read(worker.stderr_fd(), &byte, 1) == 1) said.push_back(byte);
    EXPECT_THAT(said, HasSubstr(what));
  }
  // Without a coordinator; signals find their thread.
  Child StartServing() const {
    Child worker = Start(Worker(Flags()));
    ReadUntil(worker, "serves 127.0.0.1:1");
    ReadUntil(worker, "cannot open a session");
    return worker;
  }

  TempFolder folder_;
  std::string worker_;
};

TEST_F(WorkerBinaryTest, WrongFlagsAreUsageErrors) {
  ExpectRefusal(Run({"--frobnicate"}), "--frobnicate");
  ExpectRefusal(Run({"--name", "No Spaces"}), "--name");
  ExpectRefusal(Run({"--label", "host=x"}), "--label");
}

TEST_F(WorkerBinaryTest, HelpAndVersionGoToStdout) {
  for (const char* flag : {"-h", "--version"}) {
    const ProcessResult result = Run({flag});
    EXPECT_EQ(result.end.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("benchfleet-worker"));
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(WorkerBinaryTest, AStateDirectoryThatCannotBeIsNamed) {
  std::ofstream(State()) << "a file in the way";
  ExpectRefusal(Run(Flags()), State());
}

TEST_F(WorkerBinaryTest, AStateDirectoryThatCannotBeWrittenIsNamed) {
  // Not even root makes folders there.
  ExpectRefusal(Run({"--state-dir", "/proc/benchfleet"}), "/proc/benchfleet");
}

TEST_F(WorkerBinaryTest, WithoutARunnerItDoesNotStart) {
  fs::remove(folder_.path() + "/benchfleet-runner");
  ExpectRefusal(Run(Flags()), "benchfleet-runner");
}

TEST_F(WorkerBinaryTest, TheSecondWorkerOnAStateDirectoryIsRefused) {
  const Child first = StartServing();
  ExpectRefusal(Run(Flags()), absl::StrCat("held by process ", first.pid()));
}

TEST_F(WorkerBinaryTest, ASignalEndsItInOrder) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Child worker = StartServing();
    ::kill(worker.pid(), signal);
    const auto end = worker.WaitFor(kWatchDog);
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->exit_code, 0);
  }
}

TEST_F(WorkerBinaryTest, ACutOffAttemptOfAnEarlierProcessIsFoundAtStart) {
  fs::create_directories(State() + "/spool/018f0000-0000-7000-8000-000000000001_0-5");
  StartServing();
  EXPECT_TRUE(fs::exists(State() + "/spool/018f0000-0000-7000-8000-000000000001_0-5/completion"));
}

TEST_F(WorkerBinaryTest, OnceExitsByTheEndOfItsOneJob) {
  const struct {
    const char* behaviour;
    int exit_code;
  } kCases[] = {{"measure", 0}, {"fail", 4}, {"crash", 4}};
  int64_t epoch = 0;
  for (const auto& c : kCases) {
    FakeCoordinatorLink coordinator;
    FakeWorkerService service(coordinator);
    coordinator.Queue(TestLease(++epoch));
    const ProcessResult result =
        Run({"--server", service.address(), "--state-dir", State(), "--once", "--python", c.behaviour}, kHostPatience);
    EXPECT_EQ(result.end.exit_code, c.exit_code) << result.err;
    ASSERT_TRUE(coordinator.Find(TestLease(epoch)).has_value());
    ASSERT_TRUE(coordinator.Find(TestLease(epoch))->completion.has_value());
    EXPECT_EQ(coordinator.log().back(), "close");
  }
}

TEST_F(WorkerBinaryTest, ASecondSignalKillsTheRunnerAndEndsAtOnce) {
  FakeCoordinatorLink coordinator;
  FakeWorkerService service(coordinator);
  coordinator.Queue(TestLease(5));
  Child worker = Start(Worker({"--server", service.address(), "--state-dir", State(), "--python", "hang"}));
  ASSERT_TRUE(coordinator.WaitUntil(
      [&] { return coordinator.Find(TestLease(5)).has_value() && coordinator.Find(TestLease(5))->chunks.size() == 2; },
      kHostPatience));
  ::kill(worker.pid(), SIGTERM);
  ReadUntil(worker, "ending:");
  ::kill(worker.pid(), SIGTERM);
  const auto end = worker.WaitFor(kWatchDog);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 128 + SIGTERM);
  EXPECT_EQ(KillProcessesOfAttempt(AttemptToken(TestLease(5))), 0);
}

TEST_F(WorkerBinaryTest, AfterKillNineTheNextProcessKillsTheRunnerAndEndsTheAttempt) {
  FakeCoordinatorLink coordinator;
  FakeWorkerService service(coordinator);
  coordinator.Queue(TestLease(5));
  {
    Child worker = Start(Worker({"--server", service.address(), "--state-dir", State(), "--python", "hang"}));
    ASSERT_TRUE(coordinator.WaitUntil(
        [&] {
          return coordinator.Find(TestLease(5)).has_value() && coordinator.Find(TestLease(5))->chunks.size() == 2;
        },
        kHostPatience));
    ::kill(worker.pid(), SIGKILL);
    worker.Wait();
  }
  Child next = Start(Worker({"--server", service.address(), "--state-dir", State()}));
  ASSERT_TRUE(coordinator.WaitUntil([&] { return coordinator.Find(TestLease(5))->completion.has_value(); }));
  EXPECT_EQ(coordinator.Find(TestLease(5))->completion->end, AttemptEnd::kCrashed);
  EXPECT_EQ(coordinator.Find(TestLease(5))->completion->detail, "worker restarted");
  EXPECT_EQ(coordinator.Find(TestLease(5))->completion->chunk_count, 2);
  EXPECT_EQ(KillProcessesOfAttempt(AttemptToken(TestLease(5))), 0);
}

}  // namespace
}  // namespace benchfleet
