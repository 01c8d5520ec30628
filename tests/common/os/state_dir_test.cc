#include "common/os/state_dir.h"

#include <map>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace benchfleet {
namespace {

TEST(ChooseStateDir, TakesTheFirstThatIsKnown) {
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
      {"none of systemd", "", true, {{"STATE_DIRECTORY", ":/two"}}, "/var/lib/benchfleet/worker"},
      {"root", "", true, {{"XDG_STATE_HOME", "/xdg"}, {"HOME", "/root"}}, "/var/lib/benchfleet/worker"},
      {"xdg", "", false, {{"XDG_STATE_HOME", "/xdg"}, {"HOME", "/home/u"}}, "/xdg/benchfleet/worker"},
      {"home", "", false, {{"HOME", "/home/u"}}, "/home/u/.local/state/benchfleet/worker"},
      {"none", "", false, {}, ""},
  };
  for (const auto& c : kCases) {
    const auto get = [&](const char* name) -> std::optional<std::string> {
      const auto it = c.environment.find(name);
      return it == c.environment.end() ? std::nullopt : std::optional(it->second);
    };
    const auto chosen = ChooseStateDir(c.flag, "worker", c.is_root, get);
    EXPECT_EQ(chosen.value_or(""), c.want) << c.name;
    EXPECT_EQ(absl::IsFailedPrecondition(chosen.status()), c.want.empty()) << c.name;
  }
}

}  // namespace
}  // namespace benchfleet
