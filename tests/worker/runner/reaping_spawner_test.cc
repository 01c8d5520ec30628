#include "worker/runner/reaping_spawner.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "common/base/uuid.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

class ReapingSpawnerTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0); }
  void TearDown() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }

  // Runs a shell script in a folder with two fifos, `ready`, and `never`, on which one waits
  // for ever; afterwards no child is left.
  ProcessResult Run(const std::string& script, const RunOptions& options = {}) {
    Command command;
    command.argv = {"/bin/sh", "-c", absl::StrCat("mkfifo ready never; ", script)};
    command.environment = {"PATH=/usr/bin:/bin", absl::StrCat(kAttemptVariable, "=", token_)};
    const TempFolder folder;
    command.working_directory = folder.path();
    ReapingSpawner spawner;
    const absl::StatusOr<ProcessResult> result = spawner.Run(command, options);
    EXPECT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    EXPECT_EQ(KillProcessesOfAttempt(token_), 0);
    return result.ok() ? *result : ProcessResult();
  }

  const std::string token_ = UuidV4();
};

TEST_F(ReapingSpawnerTest, WhoLeavesNothingHasNoSurvivors) {
  const ProcessResult result = Run("sh -c 'exit 0'; exit 3");
  EXPECT_EQ(result.end.exit_code, 3);
  EXPECT_EQ(result.survivors, 0);
}

TEST_F(ReapingSpawnerTest, OrphansThatHaveEndedAreBuried) {
  // An inner shell leaves a child that ends; the program waits until it is a zombie of ours.
  const ProcessResult result =
      Run("(sh -c 'echo $$' & ) | { read pid; until grep -q 'State:.Z' /proc/$pid/status; do :; done; }");
  EXPECT_EQ(result.end.exit_code, 0) << result.err;
  EXPECT_EQ(result.survivors, 0);
}

TEST_F(ReapingSpawnerTest, WhatIsLeftInTheGroupIsCounted) {
  const ProcessResult result = Run("sh -c 'echo go > ready; exec cat never' & read go < ready");
  EXPECT_EQ(result.end.exit_code, 0) << result.err;
  EXPECT_EQ(result.survivors, 1);
}

TEST_F(ReapingSpawnerTest, WhatHasItsOwnSessionIsFoundWithItsChildren) {
  const ProcessResult result =
      Run("setsid sh -c 'trap \"\" TERM; cat never & cat never & echo go > ready; wait' & read go < ready");
  EXPECT_EQ(result.end.exit_code, 0) << result.err;
  EXPECT_EQ(result.survivors, 3);
}

TEST_F(ReapingSpawnerTest, TheirCpuTimeIsTheProgramsToo) {
  // Only the orphan works: it tells when the program may end.
  const std::string work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo go > ready; exec cat never";
  const ProcessResult result = Run(absl::StrCat("setsid sh -c '", work, "' & read go < ready"));
  const ProcessResult idle = Run("setsid sh -c 'echo go > ready; exec cat never' & read go < ready");
  EXPECT_EQ(result.survivors, 1);
  EXPECT_GT(result.end.usage.user_ns, idle.end.usage.user_ns + 10'000'000);
}

TEST_F(ReapingSpawnerTest, ATimeoutEndsWhatLeftTheGroup) {
  RunOptions options;
  options.timeout = absl::Milliseconds(500);
  const ProcessResult result = Run("setsid cat never & wait", options);
  EXPECT_TRUE(result.timed_out);
}

}  // namespace
}  // namespace benchfleet
