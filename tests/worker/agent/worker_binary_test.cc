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
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

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

  ProcessResult Run(std::vector<std::string> flags) const {
    PosixProcessSpawner spawner;
    RunOptions options;
    options.timeout = kWatchDog;
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
  // Started and serving, so that signals find their thread.
  Child StartServing() const {
    auto child = Child::Spawn(Worker(Flags()), /*capture_stderr=*/true);
    EXPECT_TRUE(child.ok()) << child.status();
    std::string said;
    char byte = 0;
    while (said.find("cannot open a session") == std::string::npos && ::read(child->stderr_fd(), &byte, 1) == 1) {
      said.push_back(byte);
    }
    EXPECT_THAT(said, HasSubstr("serves 127.0.0.1:1"));
    return *std::move(child);
  }

  TemporaryFolder folder_;
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
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(State());
  fs::permissions(State(), fs::perms::owner_read | fs::perms::owner_exec);
  ExpectRefusal(Run(Flags()), State());
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

}  // namespace
}  // namespace benchfleet
