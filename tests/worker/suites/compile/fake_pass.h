// A pass program that never runs: the test says how each compile ends.
#ifndef BENCHFLEET_TESTS_WORKER_SUITES_COMPILE_FAKE_PASS_H_
#define BENCHFLEET_TESTS_WORKER_SUITES_COMPILE_FAKE_PASS_H_

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tests/fakes/fake_process_spawner.h"
#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet {

// How a fake compile ends.
struct FakeCompile {
  int64_t status = 0;
  std::string log;
  int output_bytes = 100;  // 0: no output
  int64_t launch_errno = kUnset;
  bool ends = true;
};

// Does what a pass program does to the files of its command, one compile after the other or
// two at a time.
class FakePass {
 public:
  // By probe; without an entry, controls are refused and all else is accepted.
  std::map<std::string, FakeCompile> compiles;
  ProcessResult result = FakeProcessSpawner::Exited(0, "");
  bool parallel = false;
  // What the last pass was asked for.
  Command command;
  RunOptions options;
  std::vector<std::vector<std::string>> argvs;

  absl::StatusOr<ProcessResult> Run(const Command& asked, const RunOptions& run_options) {
    command = asked;
    options = run_options;
    argvs.clear();
    std::string records(sizeof(PassHeader), '\0');
    PassHeader header = {kUnset, 1000, {}};
    std::memcpy(records.data(), &header, sizeof header);
    std::vector<std::string> texts;
    std::ifstream file(Option("--commands="), std::ios::binary);
    for (std::string text; std::getline(file, text, '\0');) {
      if (!text.empty()) {
        texts.push_back(text);
        continue;
      }
      const PassRecord record = Compile(texts[0], {texts.begin() + 1, texts.end()});
      records.append(reinterpret_cast<const char*>(&record), sizeof record);
      texts.clear();
    }
    std::ofstream(Option("--records="), std::ios::binary) << records;
    return result;
  }

  std::string Option(absl::string_view prefix) const {
    for (const std::string& argument : command.argv) {
      if (absl::StartsWith(argument, prefix)) return argument.substr(prefix.size());
    }
    return "";
  }

 private:
  PassRecord Compile(const std::string& log, const std::vector<std::string>& argv) {
    argvs.push_back(argv);
    const bool links = std::find(argv.begin(), argv.end(), "-c") == argv.end();
    const std::string probe = std::filesystem::path(argv.back()).stem();
    const std::string output = *(std::find(argv.begin(), argv.end(), "-o") + 1);
    FakeCompile end;
    if (const auto found = compiles.find(probe); found != compiles.end()) {
      end = found->second;
    } else if (absl::StartsWith(probe, "neg_") && (links || probe != "neg_link")) {
      end = {1, absl::StrCat(probe, ": error: refused\n"), 0};
    }
    std::ofstream(log) << end.log;
    if (end.output_bytes > 0) std::ofstream(output) << std::string(static_cast<size_t>(end.output_bytes), 'o');
    const auto index = static_cast<int64_t>(argvs.size());
    const int64_t launch = index * 1000;
    PassRecord record = {
        launch, launch + 10, launch + (parallel && index > 1 ? 1500 : 500), end.status, kUnset, 200, kUnset, 0};
    if (end.launch_errno != kUnset) record.launch_errno = end.launch_errno;
    if (!end.ends || end.launch_errno != kUnset) record.status = kUnset;
    if (!end.ends) record.end_ns = kUnset;
    return record;
  }
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_WORKER_SUITES_COMPILE_FAKE_PASS_H_
