// The arguments of benchfleet-compile-pass.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_ARGUMENTS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_ARGUMENTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace benchfleet::compile_pass {

enum class StrategyName { kSerial, kThreads, kProcesses, kEventLoop };

struct Arguments {
  StrategyName strategy = StrategyName::kSerial;
  int limit = 0;
  std::string commands;  // paths
  std::string records;
};

// Each as --name=value, all of them, once. Empty on success, else what is wrong.
std::string ParseArguments(const std::vector<std::string_view>& texts, Arguments* arguments);

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_ARGUMENTS_H_
