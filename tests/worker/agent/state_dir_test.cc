#include "worker/agent/state_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/uuid.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

TEST(StateDir, TheIdentityIsMadeOnceAndKept) {
  const TempFolder folder;
  std::string first;
  {
    const auto state = OpenStateDir(folder.path() + "/a/b");
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_TRUE(IsUuid(state->worker_id));
    first = state->worker_id;
  }
  const auto again = OpenStateDir(folder.path() + "/a/b");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->worker_id, first);
}

TEST(StateDir, BelongsToOneWorkerAtATime) {
  const TempFolder folder;
  const auto first = OpenStateDir(folder.path());
  ASSERT_TRUE(first.ok());
  const auto second = OpenStateDir(folder.path());
  EXPECT_TRUE(absl::IsFailedPrecondition(second.status()));
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(folder.path()));
}

TEST(StateDir, ADamagedIdentityIsNamed) {
  const TempFolder folder;
  std::ofstream(folder.path() + "/worker_id") << "not a uuid\n";
  const auto state = OpenStateDir(folder.path());
  EXPECT_TRUE(absl::IsDataLoss(state.status()));
  EXPECT_THAT(std::string(state.status().message()), HasSubstr("worker_id"));
}

}  // namespace
}  // namespace benchfleet
