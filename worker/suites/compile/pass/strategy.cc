#include "worker/suites/compile/pass/strategy.h"

#include <string.h>

namespace benchfleet::compile_pass {

std::unique_ptr<Strategy> MakeStrategy(StrategyName name, const Workshop& workshop, int limit) {
  switch (name) {
    case StrategyName::kSerial:
      return MakeSerial(workshop);
    case StrategyName::kThreads:
      return MakeThreads(workshop, limit);
    case StrategyName::kProcesses:
      return MakeProcesses(workshop, limit);
    case StrategyName::kEventLoop:
      return MakeEventLoop(workshop, limit);
  }
  return nullptr;
}

std::string WaitFailure(size_t compile, int error) {
  return "cannot wait for compile " + std::to_string(compile) + ": " + strerror(error);
}

}  // namespace benchfleet::compile_pass
