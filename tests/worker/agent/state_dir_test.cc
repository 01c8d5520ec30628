#include "worker/agent/state_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "common/base/uuid.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

TEST(StateDir, TheFirstThatIsKnownIsChosen) {
  const struct {
    const char* name;
    std::string flag;
    bool is_root;
    std::map<std::string, std::string> environment;
    std::string want;  // empty: none is known
  } kCases[] = {
      {"flag", "/flag", true, {{"STATE_DIRECTORY", "/systemd"}}, "/flag"},
      {"systemd", "", true, {{"STATE_DIRECTORY", "/systemd"}}, "/systemd"},
      {"first of systemd", "", true, {{"STATE_DIRECTORY", "/one:/two"}}, "/one"},
      {"root", "", true, {{"XDG_STATE_HOME", "/xdg"}, {"HOME", "/root"}}, "/var/lib/benchfleet"},
      {"xdg", "", false, {{"XDG_STATE_HOME", "/xdg"}, {"HOME", "/home/u"}}, "/xdg/benchfleet"},
      {"home", "", false, {{"HOME", "/home/u"}}, "/home/u/.local/state/benchfleet"},
      {"none", "", false, {}, ""},
  };
  for (const auto& c : kCases) {
    const auto get = [&](const char* name) -> std::optional<std::string> {
      const auto it = c.environment.find(name);
      return it == c.environment.end() ? std::nullopt : std::optional(it->second);
    };
    const auto chosen = ChooseStateDir(c.flag, c.is_root, get);
    EXPECT_EQ(chosen.value_or(""), c.want) << c.name;
    EXPECT_EQ(absl::IsInvalidArgument(chosen.status()), c.want.empty()) << c.name;
  }
}

TEST(StateDir, TheIdentityIsMadeOnceAndKept) {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  const auto first = OpenStateDir(folder.path());
  ASSERT_TRUE(first.ok());
  const auto second = OpenStateDir(folder.path());
  EXPECT_TRUE(absl::IsFailedPrecondition(second.status()));
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(folder.path()));
}

TEST(StateDir, ADamagedIdentityIsNamed) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/worker_id") << "not a uuid\n";
  const auto state = OpenStateDir(folder.path());
  EXPECT_TRUE(absl::IsDataLoss(state.status()));
  EXPECT_THAT(std::string(state.status().message()), HasSubstr("worker_id"));
}

}  // namespace
}  // namespace benchfleet
