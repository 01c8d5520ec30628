#include "worker/suites/wake/measured_loops.h"

#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/os/digest.h"
#include "common/os/host_probe.h"
#include "worker/suites/interpreter_choice.h"

namespace benchfleet {

namespace {

Key SubjectKey(absl::string_view loop, std::map<std::string, std::string> parts) {
  parts["suite_version"] = absl::StrCat(wake::kSuiteVersion);
  parts["loop"] = std::string(loop);
  return MakeKey("sk1", std::move(parts));
}

absl::StatusOr<MeasuredLoop> EpollLoop(const WakePrograms& programs) {
  BF_ASSIGN_OR_RETURN(const std::string program, Sha256HexOfFile(programs.epoll_program));
  BF_ASSIGN_OR_RETURN(const std::string library, Sha256HexOfFile(programs.runtime_library));
  const std::string loop(wake::kEpoll);
  return MeasuredLoop{loop,
                      loop,
                      {programs.epoll_program},
                      SubjectKey(loop, {{"program_digest", program}, {"runtime_digest", library}})};
}

absl::Status AddAsyncioLoops(const WakeSpec& spec, const HostFacts& host, const WakePrograms& programs,
                             std::vector<MeasuredLoop>* loops) {
  const std::string loop(wake::kAsyncio);
  BF_ASSIGN_OR_RETURN(const std::vector<ChosenInterpreter> interpreters,
                      ChooseInterpreters(spec.interpreters, host, absl::StrCat("loops: ", loop)));
  BF_ASSIGN_OR_RETURN(const std::string module, Sha256HexOfFile(programs.python_module));
  for (const auto& [interpreter, suffix] : interpreters) {
    loops->push_back(
        {loop,
         absl::StrCat(loop, suffix),
         {interpreter.path, "-I", programs.python_driver, absl::StrCat("--module=", programs.python_module)},
         SubjectKey(loop, {{"interpreter", interpreter.version},
                           {"interpreter_digest", interpreter.digest},
                           {"module_digest", module}})});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<MeasuredLoop>> FindMeasuredLoops(const WakeSpec& spec, const HostFacts& host,
                                                            const WakePrograms& programs) {
  std::vector<MeasuredLoop> loops;
  for (const std::string& loop : spec.loops) {
    if (loop == wake::kEpoll) {
      BF_ASSIGN_OR_RETURN(MeasuredLoop epoll, EpollLoop(programs));
      loops.push_back(std::move(epoll));
    } else {
      BF_RETURN_IF_ERROR(AddAsyncioLoops(spec, host, programs, &loops));
    }
  }
  return loops;
}

}  // namespace benchfleet
