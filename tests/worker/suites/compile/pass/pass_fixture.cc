#include "tests/worker/suites/compile/pass/pass_fixture.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace benchfleet {

std::vector<std::string> AllStrategies() {
  std::vector<std::string> names = NativeStrategies();
  names.insert(names.end(), PythonStrategies().begin(), PythonStrategies().end());
  return names;
}

bool IsPython(const std::string& strategy) {
  return std::count(PythonStrategies().begin(), PythonStrategies().end(), strategy) > 0;
}

bool HasHelpers(const std::string& strategy) { return strategy == "processes" || strategy == "process_pool_executor"; }

std::string NativeProgram() { return BENCHFLEET_BIN_DIR "/../libexec/benchfleet/benchfleet-compile-pass"; }
std::string PythonDriver() { return BENCHFLEET_BIN_DIR "/../libexec/benchfleet/compile_driver.py"; }
std::string FakeCompiler() { return BENCHFLEET_BIN_DIR "/../tests/fake_compiler"; }

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

PassFixture::PassFixture() { Add({"say", "conditioning"}); }

int PassFixture::Add(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), FakeCompiler());
  return AddProgram(std::move(arguments));
}

int PassFixture::AddProgram(std::vector<std::string> argv) {
  commands_.push_back(std::move(argv));
  return compiles() - 1;
}

void PassFixture::WriteCommands() const {
  std::string text;
  for (int compile = 0; compile < compiles(); ++compile) {
    text += LogPath(compile) + '\0';
    for (const std::string& argument : commands_[static_cast<size_t>(compile)]) text += argument + '\0';
    text += '\0';
  }
  std::ofstream(commands_path_, std::ios::binary) << text;
}

void PassFixture::WriteRecords() const {
  const std::vector<int64_t> numbers(static_cast<size_t>(kHeaderNumbers + kRecordNumbers * compiles()), kUnset);
  std::ofstream(records_path_, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(int64_t)));
}

std::vector<std::string> PassFixture::PassCommand(const std::string& strategy, int limit) {
  WriteCommands();
  WriteRecords();
  std::vector<std::string> argv = {NativeProgram()};
  if (IsPython(strategy)) argv = {python_, "-I", PythonDriver()};
  for (const std::string& argument : {"--strategy=" + strategy, "--limit=" + std::to_string(limit),
                                      "--commands=" + commands_path_, "--records=" + records_path_}) {
    argv.push_back(argument);
  }
  return argv;
}

ProcessResult PassFixture::RunPass(const std::string& strategy, int limit) {
  ProcessResult result = Run(PassCommand(strategy, limit));
  ReadRecords();
  return result;
}

ProcessResult PassFixture::Run(std::vector<std::string> argv) {
  RunOptions options;
  options.timeout = absl::Seconds(240);
  const auto result =
      spawner_.Run({std::move(argv), {"LC_ALL=C", "BENCHFLEET_TEST=1"}, folder_.path(), std::nullopt}, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *result : ProcessResult{};
}

void PassFixture::ReadRecords() {
  const std::string bytes = ReadAll(records_path_);
  records_.resize(commands_.size());
  ASSERT_EQ(bytes.size(), sizeof header_ + records_.size() * sizeof(PassRecord));
  std::memcpy(&header_, bytes.data(), sizeof header_);
  std::memcpy(records_.data(), bytes.data() + sizeof header_, bytes.size() - sizeof header_);
}

void PassFixture::ExpectSuccess(const ProcessResult& result) {
  EXPECT_EQ(result.end.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

void PassFixture::ExpectFailure(const ProcessResult& result, int exit_code, const std::string& line) {
  EXPECT_EQ(result.end.exit_code, exit_code) << line;
  EXPECT_EQ(result.out, "") << line;
  EXPECT_EQ(result.err, line + "\n");
}

int PassFixture::Peak() const {
  std::vector<std::pair<int64_t, int>> changes;  // an end counts before a launch of the same time
  for (size_t compile = 1; compile < records_.size(); ++compile) {
    changes.push_back({records_[compile].launch_ns, 1});
    changes.push_back({records_[compile].end_ns, -1});
  }
  std::sort(changes.begin(), changes.end());
  int alive = 0;
  int peak = 0;
  for (const auto& [time_ns, change] : changes) peak = std::max(peak, alive += change);
  return peak;
}

}  // namespace benchfleet
