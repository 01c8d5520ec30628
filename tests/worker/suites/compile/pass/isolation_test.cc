// What a compile is given, and what it is kept from.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "tests/worker/suites/compile/pass/pass_fixture.h"

namespace benchfleet {
namespace {

class IsolationTest : public PassFixture, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    if (IsPython(GetParam()) && !std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
  }
};

// However the pass program itself was started.
TEST_P(IsolationTest, CompilesAreGivenNothingButWhatIsMeantForThem) {
  for (int i = 0; i < 6; ++i) Add({"print-state", "pause", "5"});
  std::vector<std::string> argv = {FakeCompiler(),
                                   "ignore",
                                   std::to_string(SIGCHLD),
                                   "ignore",
                                   std::to_string(SIGUSR1),
                                   "ignore",
                                   std::to_string(SIGPIPE),
                                   "block",
                                   std::to_string(SIGUSR2),
                                   "leak",
                                   "7",
                                   "exec"};
  const std::vector<std::string> pass = PassCommand(GetParam(), 2);
  argv.insert(argv.end(), pass.begin(), pass.end());
  ExpectSuccess(Run(argv));
  ReadRecords();
  for (int compile = 1; compile < compiles(); ++compile) {
    EXPECT_EQ(record(compile).status, 0);
    EXPECT_EQ(Log(compile), "descriptors: 0 1 2\n0: /dev/null\n1: " + LogPath(compile) + "\n2: " + LogPath(compile) +
                                "\nsignals:\nfolder: " + folder_.path() +
                                "\nenvironment: LC_ALL=C BENCHFLEET_TEST=1\n");
  }
}

TEST_P(IsolationTest, ArgumentsArriveAsTheyAre) {
  const std::string strange = "a 'b' \"c\" $HOME `id` \\ * ; \n \xff";
  const int odd = Add({"say", strange});
  const std::string longest(kMaxTextBytes, 'x');
  const int long_one = Add({"say", longest});
  std::vector<std::string> many(kMaxCompileArguments - 1, "say");  // with the program as many as are allowed
  many.back() = "kill-nobody";
  std::string said;
  for (size_t i = 0; i + 2 < many.size(); i += 2) said += "say\n";
  many.pop_back();
  const int many_arguments = Add(many);
  ExpectSuccess(RunPass(GetParam(), 2));
  EXPECT_EQ(Log(odd), strange + "\n");
  EXPECT_EQ(Log(long_one), longest + "\n");
  EXPECT_EQ(Log(many_arguments), said);
}

TEST_P(IsolationTest, OlderLogIsReplaced) {
  const int compile = Add({"say", "new"});
  folder_.Write("log" + std::to_string(compile), "what an earlier pass left behind\n");
  ExpectSuccess(RunPass(GetParam(), 2));
  EXPECT_EQ(Log(compile), "new\n");
}

TEST_P(IsolationTest, FloodEndsAtTheLimitOfAFile) {
  const int full = Add({"write", std::to_string(kMaxCompileFileBytes)});
  const int flood = Add({"write", std::to_string(kMaxCompileFileBytes + 1)});
  const int after = Add({"say", "unharmed"});
  ExpectSuccess(RunPass(GetParam(), 2));
  EXPECT_EQ(record(full).status, 0);
  EXPECT_EQ(record(flood).status, -SIGXFSZ);
  EXPECT_EQ(record(after).status, 0);
  EXPECT_EQ(std::filesystem::file_size(LogPath(full)), static_cast<uintmax_t>(kMaxCompileFileBytes));
  EXPECT_EQ(std::filesystem::file_size(LogPath(flood)), static_cast<uintmax_t>(kMaxCompileFileBytes));
}

INSTANTIATE_TEST_SUITE_P(All, IsolationTest, ::testing::ValuesIn(AllStrategies()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace benchfleet
