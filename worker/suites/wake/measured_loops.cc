#include "worker/suites/wake/measured_loops.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/status_macros.h"
#include "common/os/digest.h"
#include "common/os/host_probe.h"

namespace benchfleet {

namespace {

// Whether `prefix` names `version`: whole numbers only, so "3.1" is not "3.11.2".
bool NamesVersion(absl::string_view prefix, absl::string_view version) {
  return version == prefix || absl::StartsWith(version, absl::StrCat(prefix, "."));
}

std::string VersionsOf(const HostFacts& host) {
  if (host.interpreters.empty()) return "none";
  return absl::StrJoin(host.interpreters, ", ",
                       [](std::string* out, const Interpreter& i) { absl::StrAppend(out, i.version); });
}

absl::Status CheckInterpreters(const WakeSpec& spec, const HostFacts& host) {
  if (host.interpreters.empty() && spec.interpreters.empty()) {
    return absl::NotFoundError("loops: asyncio is asked for, but this host has no CPython of at least 3.10");
  }
  for (const std::string& prefix : spec.interpreters) {
    const bool found = std::any_of(host.interpreters.begin(), host.interpreters.end(),
                                   [&](const Interpreter& i) { return NamesVersion(prefix, i.version); });
    if (found) continue;
    return absl::NotFoundError(
        absl::StrCat("interpreters: this host has no CPython ", prefix, ", it has ", VersionsOf(host)));
  }
  return absl::OkStatus();
}

bool IsAskedFor(const WakeSpec& spec, const Interpreter& interpreter) {
  if (spec.interpreters.empty()) return true;
  return std::any_of(spec.interpreters.begin(), spec.interpreters.end(),
                     [&](const std::string& prefix) { return NamesVersion(prefix, interpreter.version); });
}

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
  BF_RETURN_IF_ERROR(CheckInterpreters(spec, host));
  BF_ASSIGN_OR_RETURN(const std::string module, Sha256HexOfFile(programs.python_module));
  const std::string loop(wake::kAsyncio);
  std::map<std::string, int> seen;  // interpreters of a version so far, asked for or not
  for (const Interpreter& interpreter : host.interpreters) {
    const int ordinal = ++seen[interpreter.version];
    if (!IsAskedFor(spec, interpreter)) continue;
    const std::string suffix = ordinal == 1 ? "" : absl::StrCat("+", ordinal);
    loops->push_back(
        {loop,
         absl::StrCat(loop, "@", interpreter.version, suffix),
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
