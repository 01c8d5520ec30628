#include "worker/agent/worker_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

absl::StatusOr<std::variant<WorkerFlags, PrintAndExit>> Parse(std::vector<const char*> arguments,
                                                              const std::string& hostname = "Build-Host.example") {
  arguments.insert(arguments.begin(), "benchfleet-worker");
  return ParseWorkerFlags(static_cast<int>(arguments.size()), arguments.data(), hostname, "1.2.3");
}

WorkerFlags Good(std::vector<const char*> arguments) {
  const auto parsed = Parse(std::move(arguments));
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return std::get<WorkerFlags>(*parsed);
}

TEST(WorkerFlags, Defaults) {
  unsetenv("BENCHFLEET_SERVER");
  const WorkerFlags flags = Good({});
  EXPECT_EQ(flags.server, "127.0.0.1:7480");
  EXPECT_EQ(flags.name, "build-host.example");
  EXPECT_EQ(flags.state_dir, "");
  EXPECT_EQ(flags.log_level, "info");
  EXPECT_FALSE(flags.once);
}

TEST(WorkerFlags, TheServerComesFromFlagThenEnvironment) {
  setenv("BENCHFLEET_SERVER", "env.example:1", 1);
  EXPECT_EQ(Good({}).server, "env.example:1");
  EXPECT_EQ(Good({"--server", "flag.example:2"}).server, "flag.example:2");
  unsetenv("BENCHFLEET_SERVER");
}

TEST(WorkerFlags, RepeatedFlagsAddUp) {
  const WorkerFlags flags =
      Good({"--label", "a=1", "--label", "b=", "--python", "/x/python3", "--python", "/y", "--once"});
  EXPECT_THAT(flags.labels, ElementsAre(Pair("a", "1"), Pair("b", "")));
  EXPECT_THAT(flags.interpreters, ElementsAre("/x/python3", "/y"));
  EXPECT_TRUE(flags.once);
}

TEST(WorkerFlags, HelpAndVersionArePrinted) {
  const auto help = Parse({"-h"});
  ASSERT_TRUE(help.ok());
  EXPECT_THAT(std::get<PrintAndExit>(*help).text, HasSubstr("Examples:"));
  EXPECT_THAT(std::get<PrintAndExit>(*help).text, HasSubstr("--on-sigterm"));
  const auto version = Parse({"--version"});
  ASSERT_TRUE(version.ok());
  EXPECT_EQ(std::get<PrintAndExit>(*version).text, "benchfleet-worker 1.2.3\n");
}

TEST(WorkerFlags, TheHostsNameIsCutToAName) {
  const auto parsed = Parse({}, std::string(64, 'h'));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(std::get<WorkerFlags>(*parsed).name, std::string(63, 'h'));
  const auto at_a_dot = Parse({}, std::string(62, 'h') + ".example");
  ASSERT_TRUE(at_a_dot.ok()) << at_a_dot.status();
  EXPECT_EQ(std::get<WorkerFlags>(*at_a_dot).name, std::string(62, 'h'));
}

struct BadCase {
  const char* name;
  std::vector<const char*> arguments;
  const char* error;
};
class BadFlagsTest : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadFlagsTest, AreRefusedInOneLine) {
  const auto parsed = Parse(GetParam().arguments);
  ASSERT_FALSE(parsed.ok());
  EXPECT_TRUE(absl::IsInvalidArgument(parsed.status()));
  EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(GetParam().error));
  EXPECT_EQ(parsed.status().message().find('\n'), absl::string_view::npos);
}

const std::string kLongName(64, 'n');
INSTANTIATE_TEST_SUITE_P(All, BadFlagsTest,
                         ::testing::ValuesIn<BadCase>({
                             {"Unknown", {"--frobnicate"}, "--frobnicate"},
                             {"Positional", {"serve"}, "serve"},
                             {"NoPort", {"--server", "localhost"}, "--server: 'localhost' is not HOST:PORT"},
                             {"EmptyPort", {"--server", "localhost:"}, "--server"},
                             {"BadName", {"--name", "under_score"}, "--name: 'under_score'"},
                             {"NameThatBeginsBadly", {"--name=-a"}, "--name: '-a'"},
                             {"NameThatEndsBadly", {"--name", "a."}, "--name: 'a.'"},
                             {"LongName", {"--name", kLongName.c_str()}, "--name"},
                             {"LabelWithoutValue", {"--label", "rack"}, "--label: 'rack' is not KEY=VALUE"},
                             {"LabelTwice", {"--label", "a=1", "--label", "a=2"}, "'a' is given twice"},
                             {"ReservedHost", {"--label", "host=x"}, "'host' is built in"},
                             {"ReservedArch", {"--label", "arch=x"}, "'arch' is built in"},
                             {"ReservedOs", {"--label", "os=x"}, "'os' is built in"},
                             {"BadLabelKey", {"--label", "-=x"}, "--label"},
                             {"BadLabelValue", {"--label", "a=b c"}, "--label"},
                             {"BadLevel", {"--log-level", "loud"}, "--log-level"},
                             {"BadSigterm", {"--on-sigterm", "ignore"}, "--on-sigterm"},
                         }),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(WorkerFlags, AtMostThirtyTwoLabels) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < kMaxLabels; ++i) labels.push_back(absl::StrCat("l", i, "=x"));
  EXPECT_TRUE(ParseLabelFlags(labels).ok());
  labels.push_back("more=x");
  EXPECT_TRUE(absl::IsInvalidArgument(ParseLabelFlags(labels).status()));
}

}  // namespace
}  // namespace benchfleet
