// Runs passes of the real programs on compilers that do as told.
#ifndef BENCHFLEET_TESTS_WORKER_SUITES_COMPILE_PASS_PASS_FIXTURE_H_
#define BENCHFLEET_TESTS_WORKER_SUITES_COMPILE_PASS_PASS_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/os/process.h"
#include "tests/fakes/temp_folder.h"
#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet {

inline constexpr char kPython[] = "/usr/bin/python3";

inline const std::vector<std::string>& NativeStrategies() {
  static const auto& names = *new std::vector<std::string>{"serial", "threads", "processes", "event_loop"};
  return names;
}
inline const std::vector<std::string>& PythonStrategies() {
  static const auto& names = *new std::vector<std::string>{"asyncio", "thread_pool_executor", "process_pool_executor"};
  return names;
}
std::vector<std::string> AllStrategies();
bool IsPython(const std::string& strategy);
// Whether compiles are launched by processes other than the pass program.
bool HasHelpers(const std::string& strategy);

std::string NativeProgram();
std::string PythonDriver();
std::string FakeCompiler();
std::string ReadAll(const std::string& path);

class PassFixture : public ::testing::Test {
 protected:
  // Compile 0 is there from the start: the conditioning.
  PassFixture();

  // A compile by the fake compiler; its number.
  int Add(std::vector<std::string> arguments);
  int AddProgram(std::vector<std::string> argv);

  // The program of a strategy with all its arguments; makes both files.
  std::vector<std::string> PassCommand(const std::string& strategy, int limit);
  // Runs it to its end and reads the records.
  ProcessResult RunPass(const std::string& strategy, int limit);
  ProcessResult Run(std::vector<std::string> argv);
  void ReadRecords();

  // Exit code 0, and nothing printed.
  static void ExpectSuccess(const ProcessResult& result);
  // That exit code, and that one line on standard error.
  static void ExpectFailure(const ProcessResult& result, int exit_code, const std::string& line);

  int compiles() const { return static_cast<int>(commands_.size()); }
  const PassHeader& header() const { return header_; }
  const PassRecord& record(int compile) const { return records_.at(static_cast<size_t>(compile)); }
  std::string Log(int compile) const { return ReadAll(LogPath(compile)); }
  std::string LogPath(int compile) const { return folder_ / ("log" + std::to_string(compile)); }
  // The most compiles that were alive at once, the conditioning apart.
  int Peak() const;

  TempFolder folder_;
  std::string python_ = kPython;
  std::string commands_path_ = folder_ / "commands";
  std::string records_path_ = folder_ / "records";

 private:
  void WriteCommands() const;
  void WriteRecords() const;

  std::vector<std::vector<std::string>> commands_;  // argv of each
  PassHeader header_{};
  std::vector<PassRecord> records_;
  PosixProcessSpawner spawner_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_WORKER_SUITES_COMPILE_PASS_PASS_FIXTURE_H_
