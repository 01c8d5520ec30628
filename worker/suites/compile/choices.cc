#include "worker/suites/compile/choices.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/status_macros.h"
#include "common/os/host_probe.h"
#include "worker/suites/interpreter_choice.h"

namespace benchfleet {

namespace {

bool Matches(const CompilerChoice& choice, const Compiler& compiler) {
  return choice.name == compiler.name &&
         (choice.version_prefix.empty() || NamesVersion(choice.version_prefix, compiler.version));
}

std::string CompilersOf(const HostFacts& host) {
  if (host.compilers.empty()) return "none";
  return absl::StrJoin(host.compilers, ", ",
                       [](std::string* out, const Compiler& c) { absl::StrAppend(out, c.name, "@", c.version); });
}

bool IsNative(absl::string_view strategy) {
  return std::find(compile::kNativeStrategies.begin(), compile::kNativeStrategies.end(), strategy) !=
         compile::kNativeStrategies.end();
}

}  // namespace

absl::StatusOr<std::vector<ChosenCompiler>> ChooseCompilers(const CompileSpec& spec, const HostFacts& host) {
  for (const CompilerChoice& choice : spec.compilers) {
    const bool found = std::any_of(host.compilers.begin(), host.compilers.end(),
                                   [&](const Compiler& compiler) { return Matches(choice, compiler); });
    if (found) continue;
    return absl::FailedPreconditionError(absl::StrCat("compilers: this host has no ", choice.name,
                                                      choice.version_prefix.empty() ? "" : " ", choice.version_prefix,
                                                      ", it has ", CompilersOf(host)));
  }
  std::vector<ChosenCompiler> chosen;
  for (const Compiler& compiler : host.compilers) {
    const bool by_name = std::any_of(spec.compilers.begin(), spec.compilers.end(),
                                     [&](const CompilerChoice& choice) { return Matches(choice, compiler); });
    if (by_name || spec.compilers.empty()) chosen.push_back({compiler, by_name});
  }
  if (chosen.empty()) return absl::FailedPreconditionError("compilers: this host has none");
  return chosen;
}

absl::StatusOr<std::vector<ChosenStrategy>> ChooseStrategies(const CompileSpec& spec, const HostFacts& host,
                                                             const CompilePrograms& programs) {
  std::vector<ChosenStrategy> chosen;
  for (const std::string& strategy : spec.variants) {
    if (IsNative(strategy)) {
      chosen.push_back({strategy, strategy, {programs.pass_program}, std::nullopt});
    } else {
      BF_ASSIGN_OR_RETURN(const std::vector<ChosenInterpreter> interpreters,
                          ChooseInterpreters(spec.interpreters, host, absl::StrCat("variants: ", strategy)));
      for (const auto& [interpreter, suffix] : interpreters) {
        chosen.push_back(
            {strategy, absl::StrCat(strategy, suffix), {interpreter.path, "-I", programs.python_driver}, interpreter});
      }
    }
  }
  return chosen;
}

absl::StatusOr<std::vector<int>> ChooseLimits(const CompileSpec& spec, const HostFacts& host, int64_t max_descriptors) {
  std::vector<int> limits = spec.limits;
  if (limits.empty()) {
    limits = {std::clamp(static_cast<int>(std::floor(EffectiveCpus(host))), 1, kMaxConcurrencyLimit)};
  }
  for (const int limit : limits) {
    const int64_t needed = limit * kDescriptorsPerCompile + kDescriptorReserve;
    if (needed <= max_descriptors) continue;
    return absl::FailedPreconditionError(absl::StrCat("limits: ", limit, " compiles at once need ", needed,
                                                      " descriptors, a process may open ", max_descriptors,
                                                      " here (RLIMIT_NOFILE)"));
  }
  return limits;
}

}  // namespace benchfleet
