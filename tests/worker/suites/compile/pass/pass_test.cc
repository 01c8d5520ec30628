// Every strategy at several limits: what was asked for is done, and told as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <tuple>

#include "tests/worker/suites/compile/pass/pass_fixture.h"

namespace benchfleet {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

class PassTest : public PassFixture, public ::testing::WithParamInterface<std::tuple<std::string, int>> {
 protected:
  void SetUp() override {
    if (IsPython(strategy_) && !std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
  }

  void ExpectPass() { ExpectSuccess(RunPass(strategy_, limit_)); }

  void ExpectEnded(int compile, int64_t status) {
    SCOPED_TRACE(compile);
    const PassRecord& told = record(compile);
    EXPECT_EQ(told.status, status);
    EXPECT_EQ(told.launch_errno, kUnset);
    EXPECT_GT(told.launch_ns, 0);
    EXPECT_LE(told.launch_ns, told.launched_ns);
    EXPECT_LE(told.launched_ns, told.end_ns);
    ExpectCpuTold(told);
  }

  void ExpectNotStarted(int compile, int64_t error) {
    SCOPED_TRACE(compile);
    const PassRecord& told = record(compile);
    EXPECT_EQ(told.status, kUnset);
    EXPECT_EQ(told.launch_errno, error);
    EXPECT_GT(told.launch_ns, 0);
    EXPECT_LE(told.launch_ns, told.launched_ns);
    EXPECT_EQ(told.launched_ns, told.end_ns);
    ExpectCpuTold(told);
  }

  void ExpectCpuTold(const PassRecord& told) {
    if (strategy_ == "asyncio" || strategy_ == "thread_pool_executor") {
      EXPECT_EQ(told.cpu_ns, kUnset);
    } else {
      EXPECT_GE(told.cpu_ns, 0);
    }
    if (HasHelpers(strategy_)) {
      EXPECT_GT(told.helper_cpu_ns, 0);
    } else {
      EXPECT_EQ(told.helper_cpu_ns, kUnset);
    }
    EXPECT_EQ(told.reserved, kUnset);
  }

  // That many may be alive at once.
  int usable_limit() const { return strategy_ == "serial" ? 1 : limit_; }
  // Whether one thread launches all of them. Otherwise they are taken in order, but whoever
  // took one may be overtaken on the way to its launch.
  bool launches_in_order() const { return usable_limit() == 1 || strategy_ == "event_loop" || strategy_ == "asyncio"; }

  const std::string strategy_ = std::get<0>(GetParam());
  const int limit_ = std::get<1>(GetParam());
};

TEST_P(PassTest, EveryCompileIsTold) {
  const std::string output = folder_ / "output";
  const int good = Add({"create", output, "say", "done", "complain", "with a warning"});
  const int refused = Add({"complain", "no such intrinsic", "exit", "1"});
  const int killed = Add({"signal", std::to_string(SIGKILL)});
  const int ended = Add({"signal", std::to_string(SIGTERM)});
  const int quiet = Add({});
  const int last_code = Add({"exit", "255"});
  ExpectPass();

  ExpectEnded(0, 0);
  ExpectEnded(good, 0);
  ExpectEnded(refused, 1);
  ExpectEnded(killed, -SIGKILL);
  ExpectEnded(ended, -SIGTERM);
  ExpectEnded(quiet, 0);
  ExpectEnded(last_code, 255);
  EXPECT_TRUE(std::filesystem::exists(output));
  EXPECT_EQ(Log(0), "conditioning\n");
  EXPECT_EQ(Log(good), "done\nwith a warning\n");
  EXPECT_EQ(Log(refused), "no such intrinsic\n");
  EXPECT_EQ(Log(quiet), "");
  EXPECT_THAT(header().reserved, Each(kUnset));
}

TEST_P(PassTest, WhatCannotBeStartedIsToldAndTheOthersRun) {
  const int missing = AddProgram({folder_ / "missing"});
  const int folder = AddProgram({folder_.path()});
  const int no_program = AddProgram({folder_.WriteProgram("no_program", "neither ELF nor #!\n")});
  const int good = Add({"exit", "7"});
  std::filesystem::create_directory(LogPath(Add({})));  // it cannot be opened as a log
  const int no_log = compiles() - 1;
  const int last = Add({});
  ExpectPass();

  ExpectNotStarted(missing, ENOENT);
  ExpectNotStarted(folder, EACCES);
  ExpectNotStarted(no_program, ENOEXEC);
  ExpectNotStarted(no_log, EISDIR);
  ExpectEnded(good, 7);
  ExpectEnded(last, 0);
}

TEST_P(PassTest, ConditioningIsOverBeforeAnythingElseStarts) {
  for (int i = 0; i < 8; ++i) Add({});
  ExpectPass();
  for (int compile = 1; compile < compiles(); ++compile) EXPECT_GE(record(compile).launch_ns, record(0).end_ns);
}

TEST_P(PassTest, AsManyAsAllowedRunAtOnceAndNeverMore) {
  for (int i = 0; i < 20; ++i) Add({"pause", "20"});
  ExpectPass();
  EXPECT_EQ(Peak(), usable_limit());
  for (int compile = 1; compile < compiles(); ++compile) {
    EXPECT_GE(record(compile).end_ns - record(compile).launch_ns, 20'000'000);
  }
}

TEST_P(PassTest, ShortestAreRunOnceEachAndWithinTheLimit) {
  for (int i = 0; i < 200; ++i) Add({"create", folder_ / ("output" + std::to_string(i))});
  ExpectPass();
  for (int compile = 1; compile < compiles(); ++compile) ExpectEnded(compile, 0);
  EXPECT_LE(Peak(), usable_limit());
}

TEST_P(PassTest, LaunchesInTheCommandsOrder) {
  for (int i = 0; i < 40; ++i) Add({"pause", std::to_string(i % 3)});
  ExpectPass();
  int after_the_last = 0;
  for (int compile = 1; compile < compiles(); ++compile) {
    if (launches_in_order()) {
      EXPECT_LT(record(compile - 1).launch_ns, record(compile).launch_ns);
    }
    if (record(compile).launch_ns > record(compiles() - 1).launch_ns) ++after_the_last;
  }
  // Whatever starts later than the one that is taken last had been taken already.
  EXPECT_LT(after_the_last, usable_limit());
}

TEST_P(PassTest, CompilesAreLaunchedByWhomTheStrategySays) {
  for (int i = 0; i < 20; ++i) Add({"print-parent", "pause", "20"});
  ExpectPass();
  std::set<std::string> parents;
  for (int compile = 1; compile < compiles(); ++compile) parents.insert(Log(compile));
  EXPECT_THAT(parents, SizeIs(HasHelpers(strategy_) ? limit_ : 1));
}

TEST_P(PassTest, CpuIsCharged) {
  for (int i = 0; i < 20; ++i) Add({"write", "1000000"});
  const ProcessResult result = RunPass(strategy_, limit_);
  ExpectSuccess(result);
  int64_t children_ns = header().children_cpu_ns;
  if (children_ns == kUnset) {
    children_ns = 0;
    for (int compile = 1; compile < compiles(); ++compile) children_ns += record(compile).cpu_ns;
  }
  EXPECT_GT(children_ns, 0);
  EXPECT_GT(header().own_cpu_ns, 0);
  // No more than the whole program and all it waited for; its figures are cut to us.
  const int64_t whole_ns = result.end.usage.user_ns + result.end.usage.system_ns;
  EXPECT_LE(children_ns + header().own_cpu_ns, whole_ns + compiles() * 2'000);
  if (HasHelpers(strategy_)) {
    int64_t helpers_ns = 0;
    for (int compile = 1; compile < compiles(); ++compile) helpers_ns += record(compile).helper_cpu_ns;
    EXPECT_GT(header().own_cpu_ns, helpers_ns);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PassTest,
                         ::testing::Combine(::testing::ValuesIn(AllStrategies()), ::testing::Values(1, 2, 5)),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) + "_" + std::to_string(std::get<1>(instance.param));
                         });

}  // namespace
}  // namespace benchfleet
