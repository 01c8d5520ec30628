#include "worker/suites/compile/choices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/status_macros.h"
#include "common/os/host_probe.h"

namespace benchfleet {

namespace {

// Whether `prefix` names `version`: whole numbers only, so "3.1" is not "3.11.2".
bool NamesVersion(absl::string_view prefix, absl::string_view version) {
  return version == prefix || absl::StartsWith(version, absl::StrCat(prefix, "."));
}

bool Matches(const CompilerChoice& choice, const Compiler& compiler) {
  return choice.name == compiler.name &&
         (choice.version_prefix.empty() || NamesVersion(choice.version_prefix, compiler.version));
}

std::string CompilersOf(const HostFacts& host) {
  if (host.compilers.empty()) return "none";
  return absl::StrJoin(host.compilers, ", ",
                       [](std::string* out, const Compiler& c) { absl::StrAppend(out, c.name, "@", c.version); });
}

std::string InterpretersOf(const HostFacts& host) {
  if (host.interpreters.empty()) return "none";
  return absl::StrJoin(host.interpreters, ", ",
                       [](std::string* out, const Interpreter& i) { absl::StrAppend(out, i.version); });
}

bool IsNative(absl::string_view strategy) {
  return std::find(compile::kNativeStrategies.begin(), compile::kNativeStrategies.end(), strategy) !=
         compile::kNativeStrategies.end();
}

absl::Status CheckInterpreters(const CompileSpec& spec, absl::string_view strategy, const HostFacts& host) {
  if (host.interpreters.empty() && spec.interpreters.empty()) {
    return absl::NotFoundError(
        absl::StrCat("variants: ", strategy, " is asked for, but this host has no CPython of at least 3.10"));
  }
  for (const std::string& prefix : spec.interpreters) {
    const bool found = std::any_of(host.interpreters.begin(), host.interpreters.end(),
                                   [&](const Interpreter& i) { return NamesVersion(prefix, i.version); });
    if (found) continue;
    return absl::NotFoundError(
        absl::StrCat("interpreters: this host has no CPython ", prefix, ", it has ", InterpretersOf(host)));
  }
  return absl::OkStatus();
}

bool IsAskedFor(const CompileSpec& spec, const Interpreter& interpreter) {
  if (spec.interpreters.empty()) return true;
  return std::any_of(spec.interpreters.begin(), spec.interpreters.end(),
                     [&](const std::string& prefix) { return NamesVersion(prefix, interpreter.version); });
}

void AddForInterpreters(const CompileSpec& spec, const std::string& strategy, const HostFacts& host,
                        const CompilePrograms& programs, std::vector<ChosenStrategy>* chosen) {
  std::map<std::string, int> seen;  // interpreters of a version so far, asked for or not
  for (const Interpreter& interpreter : host.interpreters) {
    const int ordinal = ++seen[interpreter.version];
    if (!IsAskedFor(spec, interpreter)) continue;
    const std::string suffix = ordinal == 1 ? "" : absl::StrCat("+", ordinal);
    chosen->push_back({strategy,
                       absl::StrCat(strategy, "@", interpreter.version, suffix),
                       {interpreter.path, "-I", programs.python_driver},
                       interpreter});
  }
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
      BF_RETURN_IF_ERROR(CheckInterpreters(spec, strategy, host));
      AddForInterpreters(spec, strategy, host, programs, &chosen);
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
