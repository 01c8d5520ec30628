// The pass programs themselves: what they are made of, and where they run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/os/interpreters.h"
#include "tests/worker/suites/compile/pass/pass_fixture.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ProgramsTest : public PassFixture {};

TEST_F(ProgramsTest, NativeProgramLinksNothingHeavy) {
  const ProcessResult result = Run({"/usr/bin/ldd", NativeProgram()});
  EXPECT_THAT(result.out, HasSubstr("libstdc++"));
  for (const char* heavy : {"libabsl", "libproto", "libgrpc", "libpython"}) {
    EXPECT_THAT(result.out, Not(HasSubstr(heavy)));
  }
}

TEST_F(ProgramsTest, DriverRunsOnEveryInterpreter) {
  PosixProcessSpawner spawner;
  const std::vector<Interpreter> interpreters = FindInterpreters(spawner, {});
  if (interpreters.empty()) GTEST_SKIP() << "this machine has no CPython of at least 3.10";
  for (int i = 0; i < 6; ++i) Add({"pause", "20", "exit", std::to_string(i)});
  const int missing = AddProgram({folder_ / "missing"});
  for (const Interpreter& interpreter : interpreters) {
    for (const std::string& strategy : PythonStrategies()) {
      SCOPED_TRACE(interpreter.path + " " + strategy);
      python_ = interpreter.path;
      ExpectSuccess(RunPass(strategy, 2));
      for (int i = 0; i < 6; ++i) EXPECT_EQ(record(1 + i).status, i);
      EXPECT_EQ(record(missing).launch_errno, ENOENT);
      EXPECT_EQ(Peak(), 2);
      EXPECT_GT(header().own_cpu_ns, 0);
    }
  }
}

}  // namespace
}  // namespace benchfleet
