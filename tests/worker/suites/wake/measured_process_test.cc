// The real programs: each case in each variant, on the native loop and on every
// interpreter of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "common/os/interpreters.h"
#include "common/os/process.h"
#include "worker/suites/wake/wake_programs.h"
#include "worker/suites/wake/wake_subject.h"

namespace benchfleet {
namespace {

using ::testing::Each;
using ::testing::EndsWith;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

class MeasuredProcessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto programs = FindWakePrograms();
    ASSERT_TRUE(programs.ok()) << programs.status();
    programs_ = *std::move(programs);
  }

  // Finding them starts each once, so it is done once.
  static const std::vector<Interpreter>& Interpreters() {
    static const auto& interpreters = *[] {
      PosixProcessSpawner spawner;
      return new std::vector<Interpreter>(FindInterpreters(spawner, {}));
    }();
    return interpreters;
  }

  static WakeSpec WholeSpec(absl::string_view loop) {
    return {{std::string(loop)},
            {},
            {wake::kCases.begin(), wake::kCases.end()},
            {wake::kVariants.begin(), wake::kVariants.end()},
            std::string(wake::kLookup)};
  }

  // Measures every arm with that many iterations and batches.
  void MeasureAll(absl::string_view loop, int64_t iterations, int batches) {
    HostFacts host;
    host.interpreters = Interpreters();
    const auto subject = OpenWakeSubject(WholeSpec(loop), host, spawner_, programs_, "test");
    ASSERT_TRUE(subject.ok()) << subject.status();
    for (const SubjectCase& subject_case : (*subject)->cases()) {
      for (const std::string& variant : subject_case.variants) {
        MeasureRequest request;
        request.arm = {subject_case.case_path, variant};
        request.iterations = iterations;
        request.batches = batches;
        request.conditioning = absl::Microseconds(100);
        request.timeout = absl::Seconds(30);
        request.environment_padding = 100;
        const Sample sample = (*subject)->Measure(request, cancelled_);
        EXPECT_EQ(sample.outcome, SampleOutcome::kOk)
            << subject_case.case_path << " " << variant << ": " << sample.failure << "\n"
            << sample.output;
        EXPECT_THAT(sample.batch_ns, SizeIs(batches));
        EXPECT_THAT(sample.batch_ns, Each(Gt(0)));
      }
    }
  }

  ProcessResult RunProgram(std::vector<std::string> argv) {
    const auto result = spawner_.Run({std::move(argv), {"LANG=C.UTF-8"}, "/", std::nullopt}, options_);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : ProcessResult{};
  }

  // Each wrong list of arguments ends with exit code 2, one line, and nothing measured.
  void ExpectRefusals(const std::vector<std::string>& program) {
    const std::vector<std::string> good = {"--case=frame.ready", "--variant=counted", "--iterations=1", "--batches=1",
                                           "--conditioning_ns=0"};
    const auto run = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(), program.begin(), program.end());
      return RunProgram(std::move(arguments));
    };
    EXPECT_EQ(run(good).end.exit_code, 0);
    const std::tuple<int, const char*, const char*> replaced[] = {
        {0, "--case=frame.lost", "--case must be one of"},
        {1, "--variant=", "--variant must be one of"},
        {2, "--iterations=0", "--iterations must be a number from 1 to 1000000000, is '0'"},
        {2, "--iterations=1000000001", "--iterations must be a number from 1 to"},
        {2, "--iterations=-1", "--iterations must be a number from 1 to"},
        {2, "--iterations=1e3", "--iterations must be a number from 1 to"},
        {2, "--iterations=", "--iterations must be a number from 1 to"},
        {2, "--iterations=99999999999999999999", "--iterations must be a number from 1 to"},
        {3, "--batches=0", "--batches must be a number from 1 to 1000, is '0'"},
        {3, "--batches=1001", "--batches must be a number from 1 to 1000, is '1001'"},
        {4, "--conditioning_ns=60000000001", "--conditioning_ns must be a number from 0 to 60000000000"},
        {4, "--batches=1", "--batches is given twice"},
        {4, "--speed=1", "unknown argument --speed"},
        {4, "conditioning_ns=0", "is not of the form --name=value"},
    };
    for (const auto& [index, argument, why] : replaced) {
      std::vector<std::string> arguments = good;
      arguments[static_cast<size_t>(index)] = argument;
      ExpectRefusal(run(arguments), why);
    }
    for (size_t left_out = 0; left_out < good.size(); ++left_out) {
      std::vector<std::string> arguments = good;
      const std::string name = arguments[left_out].substr(0, arguments[left_out].find('='));
      arguments.erase(arguments.begin() + static_cast<ptrdiff_t>(left_out));
      ExpectRefusal(run(arguments), name + " is missing");
    }
  }

  static void ExpectRefusal(const ProcessResult& result, const std::string& why) {
    EXPECT_EQ(result.end.exit_code, 2) << why;
    EXPECT_EQ(result.out, "") << why;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_THAT(result.err, EndsWith("\n"));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }

  std::vector<std::string> PythonProgram(const Interpreter& interpreter) const {
    return {interpreter.path, "-I", programs_.python_driver, "--module=" + programs_.python_module};
  }

  WakePrograms programs_;
  PosixProcessSpawner spawner_;
  RunOptions options_{.timeout = absl::Seconds(60)};
  std::atomic<bool> cancelled_{false};
};

TEST_F(MeasuredProcessTest, NativeLoopKeepsEveryPromise) { MeasureAll(wake::kEpoll, 500, 3); }

TEST_F(MeasuredProcessTest, NativeLoopKeepsEveryPromiseOneByOne) { MeasureAll(wake::kEpoll, 1, 1000); }

TEST_F(MeasuredProcessTest, NativeProgramRefusesWrongArguments) { ExpectRefusals({programs_.epoll_program}); }

TEST_F(MeasuredProcessTest, NativeProgramConditionsForAsLongAsAsked) {
  const ProcessResult result = RunProgram({programs_.epoll_program, "--case=frame.ready", "--variant=lookup",
                                           "--iterations=10", "--batches=1", "--conditioning_ns=200000000"});
  EXPECT_EQ(result.end.exit_code, 0);
  EXPECT_GE(result.elapsed, absl::Milliseconds(200));
  EXPECT_THAT(result.out, StartsWith("{\"batch_ns\": ["));
}

TEST_F(MeasuredProcessTest, NativeProgramLinksNothingButTheRuntime) {
  const auto result =
      spawner_.Run({{"ldd", programs_.epoll_program}, {"PATH=/usr/bin:/bin"}, "/", std::nullopt}, options_);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->out, HasSubstr("libbenchfleet_wake.so"));
  for (const char* heavy : {"libabsl", "libproto", "libgrpc", "libpython"}) {
    EXPECT_EQ(result->out.find(heavy), std::string::npos) << heavy;
  }
}

TEST_F(MeasuredProcessTest, EveryInterpreterKeepsEveryPromise) {
  if (Interpreters().empty()) GTEST_SKIP() << "this machine has no CPython of at least 3.10";
  MeasureAll(wake::kAsyncio, 50, 3);
}

TEST_F(MeasuredProcessTest, EveryInterpreterKeepsEveryPromiseOneByOne) {
  if (Interpreters().empty()) GTEST_SKIP() << "this machine has no CPython of at least 3.10";
  MeasureAll(wake::kAsyncio, 1, 100);
}

TEST_F(MeasuredProcessTest, DriverRefusesWrongArguments) {
  if (Interpreters().empty()) GTEST_SKIP() << "this machine has no CPython of at least 3.10";
  const Interpreter& interpreter = Interpreters().front();
  ExpectRefusals(PythonProgram(interpreter));
  ExpectRefusal(
      RunProgram({interpreter.path, "-I", programs_.python_driver, "--module=/nowhere.so", "--case=frame.ready",
                  "--variant=counted", "--iterations=1", "--batches=1", "--conditioning_ns=0"}),
      "--module cannot be loaded");
}

TEST_F(MeasuredProcessTest, ModuleBehavesOnEveryInterpreter) {
  if (Interpreters().empty()) GTEST_SKIP() << "this machine has no CPython of at least 3.10";
  const std::string script = std::string(BENCHFLEET_SOURCE_DIR) + "/tests/worker/suites/wake/module_test.py";
  for (const Interpreter& interpreter : Interpreters()) {
    const ProcessResult result = RunProgram({interpreter.path, "-I", script, programs_.python_module});
    EXPECT_EQ(result.end.exit_code, 0) << interpreter.path << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr("OK\n")) << interpreter.path;
  }
}

}  // namespace
}  // namespace benchfleet
