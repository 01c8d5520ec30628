// When helpers start, what becomes of a pass whose helper dies, and of helpers whose pass dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "common/os/unique_fd.h"
#include "tests/worker/suites/compile/pass/pass_fixture.h"

namespace benchfleet {
namespace {

using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr int kPatienceMs = 30'000;

bool HasEnded(int pidfd) {
  pollfd watched{pidfd, POLLIN, 0};
  return ::poll(&watched, 1, kPatienceMs) == 1;
}

class HelpersTest : public PassFixture {};

TEST_F(HelpersTest, AllAreThereBeforeTheClockStarts) {
  const int first = Add({"print-generation"});
  ExpectSuccess(RunPass("processes", 5));
  EXPECT_EQ(Log(first), "5\n");
}

TEST_F(HelpersTest, AllWorkersOfAPoolAreThereBeforeTheClockStarts) {
  if (!std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
  const int first = Add({"print-generation"});
  ExpectSuccess(RunPass("process_pool_executor", 5));
  EXPECT_EQ(Log(first), "5\n");
}

TEST_F(HelpersTest, KilledHelperEndsThePass) {
  for (int i = 0; i < 3; ++i) Add({});
  Add({"kill-parent"});
  for (int i = 0; i < 3; ++i) Add({"pause", "5"});
  const ProcessResult result = RunPass("processes", 2);
  EXPECT_EQ(result.end.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              MatchesRegex("benchfleet-compile-pass: helper [01] \\(pid [0-9]+\\) was ended by signal 9\n"));
  // Nobody may take such a pass for a whole one.
  EXPECT_EQ(header().own_cpu_ns, kUnset);
  EXPECT_EQ(record(4).status, kUnset);
  // Of those before it, the other helper may have had one in work.
  int whole = 0;
  for (int i = 1; i <= 3; ++i) whole += record(i).status == 0 ? 1 : 0;
  EXPECT_GE(whole, 2);
}

TEST_F(HelpersTest, KilledWorkerOfAPoolEndsThePass) {
  if (!std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
  Add({"kill-parent"});
  for (int i = 0; i < 3; ++i) Add({});
  const ProcessResult result = RunPass("process_pool_executor", 2);
  EXPECT_EQ(result.end.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("benchfleet compile driver: A process in the process pool was terminated"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(header().own_cpu_ns, kUnset);
}

TEST_F(HelpersTest, HelpersEndWithTheirPass) {
  // The helper is busy for longer than this test waits: only the signal can end it.
  const int killer = Add({"print-parent", "kill-grandparent", "pause", "300000"});
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  auto pass = Child::Spawn({PassCommand("processes", 1), {}, "", std::nullopt}, /*capture_stderr=*/false);
  ASSERT_TRUE(pass.ok()) << pass.status();
  ASSERT_TRUE(HasEnded(pass->pidfd()));
  const pid_t helper = std::stoi(Log(killer));
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, helper, 0)));
  ASSERT_TRUE(pidfd.valid());
  ASSERT_TRUE(HasEnded(pidfd.get()));
  int status = 0;
  ASSERT_EQ(::waitpid(helper, &status, 0), helper);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  EXPECT_EQ(pass->Wait().signal, SIGKILL);  // which ends the compile too
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace benchfleet
