// What the pass programs do not accept, and in what words: the same in both.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/worker/suites/compile/pass/pass_fixture.h"

namespace benchfleet {
namespace {

using std::string_literals::operator""s;

struct Program {
  std::string name;
  std::string strategy;
  std::string prefix;  // of its errors
  std::string strategies;
};

const Program& Native() {
  static const auto& program =
      *new Program{"native", "event_loop", "benchfleet-compile-pass: ", "serial, threads, processes, event_loop"};
  return program;
}
const Program& Python() {
  static const auto& program =
      *new Program{"python", "thread_pool_executor",
                   "benchfleet compile driver: ", "asyncio, thread_pool_executor, process_pool_executor"};
  return program;
}

class RefusalsTest : public PassFixture, public ::testing::WithParamInterface<Program> {
 protected:
  void SetUp() override {
    if (IsPython(program_.strategy) && !std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
    Add({});
  }

  // With a commands file of that content.
  void ExpectRefused(const std::string& content, const std::string& why) {
    const std::vector<std::string> argv = PassCommand(program_.strategy, 2);
    std::ofstream(commands_path_, std::ios::binary) << content;
    ExpectFailure(Run(argv), 1, program_.prefix + commands_path_ + ": " + why);
    ReadRecords();
    EXPECT_EQ(record(0).launch_ns, kUnset) << "nothing may be started";
  }

  // With the last argument but `removed` replaced by `argument`.
  void ExpectArgumentsRefused(size_t replaced, const std::string& argument, const std::string& why) {
    std::vector<std::string> argv = PassCommand(program_.strategy, 2);
    argv[argv.size() - 4 + replaced] = argument;
    ExpectFailure(Run(argv), 2, program_.prefix + why);
  }

  const Program& program_ = GetParam();
};

const std::string& Good() {
  static const auto& text = *new std::string("log\0/bin/true\0\0"s);
  return text;
}

TEST_P(RefusalsTest, MalformedCommands) {
  const std::string too_long(kMaxTextBytes + 1, 'x');
  std::string many_arguments = Good() + "log\0/bin/true\0"s;
  for (int i = 0; i < kMaxCompileArguments; ++i) many_arguments += "x\0"s;
  const std::tuple<std::string, std::string> cases[] = {
      {"", "is empty"},
      {Good(), "has 1 compiles, at least 2 are needed"},
      {Good() + "log\0/bin/true\0"s, "compile 1 is not ended"},
      {Good() + "log\0/bin/tr", "compile 1 is not ended"},
      {Good() + "log\0"s, "compile 1 is not ended"},
      {Good() + "\0"s, "compile 1 has no log"},
      {"\0"s + Good(), "compile 0 has no log"},
      {Good() + Good() + "log\0\0"s, "compile 2 has no program"},
      {Good() + "log\0gcc\0\0"s, "compile 1 has the program 'gcc', which is no absolute path"},
      {Good() + "log\0/bin/true\0"s + too_long + "\0\0"s,
       "compile 1 has a text of 65537 bytes, at most 65536 are allowed"},
      {Good() + many_arguments + "\0"s, "compile 2 has more than 256 arguments"},
  };
  for (const auto& [content, why] : cases) ExpectRefused(content, why);
}

TEST_P(RefusalsTest, TooManyCompiles) {
  std::string content;
  for (int i = 0; i <= kMaxPassCompiles; ++i) content += Good();
  ExpectRefused(content, "has more than 16384 compiles");
}

TEST_P(RefusalsTest, TooLargeCommands) {
  const std::vector<std::string> argv = PassCommand(program_.strategy, 2);
  std::filesystem::resize_file(commands_path_, static_cast<uintmax_t>(kMaxCommandsBytes) + 1);
  ExpectFailure(Run(argv), 1, program_.prefix + commands_path_ + ": has 67108865 bytes, at most 67108864 are read");
}

TEST_P(RefusalsTest, MissingFiles) {
  std::vector<std::string> argv = PassCommand(program_.strategy, 2);
  std::filesystem::remove(records_path_);
  ExpectFailure(Run(argv), 1, program_.prefix + records_path_ + ": No such file or directory");
  std::filesystem::remove(commands_path_);
  ExpectFailure(Run(argv), 1, program_.prefix + commands_path_ + ": No such file or directory");
}

TEST_P(RefusalsTest, RecordsOfAnotherSize) {
  const std::vector<std::string> argv = PassCommand(program_.strategy, 2);
  const uintmax_t bytes = std::filesystem::file_size(records_path_);
  ASSERT_EQ(bytes, 192u);
  for (const uintmax_t other : {bytes - 8, bytes + 8, bytes - sizeof(PassRecord), uintmax_t{1}}) {
    std::filesystem::resize_file(records_path_, other);
    ExpectFailure(
        Run(argv), 1,
        program_.prefix + records_path_ + ": has " + std::to_string(other) + " bytes, must have 192 for 2 compiles");
  }
  std::filesystem::resize_file(records_path_, 0);
  ExpectFailure(Run(argv), 1, program_.prefix + records_path_ + ": is empty");
  std::filesystem::resize_file(records_path_, (8 + 8 * 16384) * 8 + 1);
  ExpectFailure(Run(argv), 1, program_.prefix + records_path_ + ": has 1048641 bytes, at most 1048640 are read");
}

TEST_P(RefusalsTest, WrongArguments) {
  const std::string& strategy = program_.strategy;
  ExpectArgumentsRefused(0, "--strategy=make", "--strategy must be one of " + program_.strategies + ", is 'make'");
  ExpectArgumentsRefused(0, "--strategy=", "--strategy must be one of " + program_.strategies + ", is ''");
  for (const char* limit : {"0", "257", "-1", "1e1", "", "2 ", "99999999999999999999"}) {
    ExpectArgumentsRefused(1, "--limit="s + limit, "--limit must be a number from 1 to 256, is '"s + limit + "'");
  }
  ExpectArgumentsRefused(2, "--commands=", "--commands must be a path, is ''");
  ExpectArgumentsRefused(3, "--records=", "--records must be a path, is ''");
  ExpectArgumentsRefused(3, "--strategy=" + strategy, "--strategy is given twice");
  ExpectArgumentsRefused(3, "--speed=1", "unknown argument --speed");
  ExpectArgumentsRefused(3, "records", "'records' is not of the form --name=value");
  const char* const names[] = {"strategy", "limit", "commands", "records"};
  for (size_t left_out = 0; left_out < 4; ++left_out) {
    std::vector<std::string> argv = PassCommand(strategy, 2);
    argv.erase(argv.end() - 4 + static_cast<ptrdiff_t>(left_out));
    ExpectFailure(Run(argv), 2, program_.prefix + "--" + names[left_out] + " is missing");
  }
}

INSTANTIATE_TEST_SUITE_P(All, RefusalsTest, ::testing::Values(Native(), Python()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace benchfleet
