#include "worker/runner/arguments.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(RunnerArguments, ModesAndPaths) {
  const auto nothing = ParseRunnerArguments({});
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->describe);
  EXPECT_THAT(nothing->interpreters, IsEmpty());
  EXPECT_THAT(nothing->compilers, IsEmpty());
  const auto all = ParseRunnerArguments({"describe", "--python", "/a", "--compiler", "/c", "--python", "/b"});
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->describe);
  EXPECT_THAT(all->interpreters, ElementsAre("/a", "/b"));
  EXPECT_THAT(all->compilers, ElementsAre("/c"));
}

TEST(RunnerArguments, WrongOnesAreNamed) {
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } cases[] = {{{"--python"}, "--python: needs a path"},
               {{"--python", "/a", "--compiler"}, "--compiler: needs a path"},
               {{"measure"}, "'measure'"},
               {{"--python", "/a", "describe"}, "'describe'"},
               {{"--help"}, "'--help'"}};
  for (const auto& one : cases) {
    const auto parsed = ParseRunnerArguments(one.arguments);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(one.message));
  }
}

}  // namespace
}  // namespace benchfleet
