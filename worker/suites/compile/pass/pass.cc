#include "worker/suites/compile/pass/pass.h"

#include <cstdint>

#include "worker/suites/compile/pass/clocks.h"
#include "worker/suites/compile/pass/strategy.h"

namespace benchfleet::compile_pass {

namespace {

int64_t HelperCpuNs(const Records& records, size_t first, size_t end) {
  int64_t sum_ns = 0;
  for (size_t compile = first; compile < end; ++compile) {
    const int64_t cpu_ns = records.record(compile).helper_cpu_ns;
    if (cpu_ns != kUnset) sum_ns += cpu_ns;
  }
  return sum_ns;
}

}  // namespace

std::string RunPass(const Arguments& arguments) {
  Workshop workshop;
  auto& [commands, records, launcher] = workshop;
  if (std::string error = commands.Open(arguments.commands); !error.empty()) return error;
  if (std::string error = records.Open(arguments.records); !error.empty()) return error;
  const std::unique_ptr<Strategy> strategy = MakeStrategy(arguments.strategy, workshop, arguments.limit);
  if (std::string error = strategy->Prepare(); !error.empty()) return error;
  if (std::string error = commands.Index(); !error.empty()) return error;
  if (std::string error = records.CheckSize(commands.size()); !error.empty()) return error;

  const size_t first_timed = 1;
  if (std::string error = strategy->Run(0, first_timed); !error.empty()) return error;
  const int64_t begin_ns = OwnCpuNs();
  if (std::string error = strategy->Run(first_timed, commands.size()); !error.empty()) return error;
  const int64_t own_cpu_ns = OwnCpuNs() - begin_ns;
  records.header().own_cpu_ns = own_cpu_ns + HelperCpuNs(records, first_timed, commands.size());
  return "";
}

}  // namespace benchfleet::compile_pass
