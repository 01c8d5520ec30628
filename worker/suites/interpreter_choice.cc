#include "worker/suites/interpreter_choice.h"

#include <algorithm>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace benchfleet {

namespace {

std::string VersionsOf(const HostFacts& host) {
  if (host.interpreters.empty()) return "none";
  return absl::StrJoin(host.interpreters, ", ",
                       [](std::string* out, const Interpreter& i) { absl::StrAppend(out, i.version); });
}

}  // namespace

bool NamesVersion(absl::string_view prefix, absl::string_view version) {
  return version == prefix || absl::StartsWith(version, absl::StrCat(prefix, "."));
}

absl::StatusOr<std::vector<ChosenInterpreter>> ChooseInterpreters(const std::vector<std::string>& prefixes,
                                                                  const HostFacts& host, absl::string_view wanted_by) {
  if (host.interpreters.empty() && prefixes.empty()) {
    return absl::NotFoundError(absl::StrCat(wanted_by, " is asked for, but this host has no CPython of at least 3.10"));
  }
  for (const std::string& prefix : prefixes) {
    const bool found = std::any_of(host.interpreters.begin(), host.interpreters.end(),
                                   [&](const Interpreter& i) { return NamesVersion(prefix, i.version); });
    if (found) continue;
    return absl::NotFoundError(
        absl::StrCat("interpreters: this host has no CPython ", prefix, ", it has ", VersionsOf(host)));
  }
  std::vector<ChosenInterpreter> chosen;
  std::map<std::string, int> seen;  // interpreters of a version so far, asked for or not
  for (const Interpreter& interpreter : host.interpreters) {
    const int ordinal = ++seen[interpreter.version];
    const bool asked_for = prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), [&](const auto& prefix) {
                             return NamesVersion(prefix, interpreter.version);
                           });
    if (!asked_for) continue;
    const std::string suffix = ordinal == 1 ? "" : absl::StrCat("+", ordinal);
    chosen.push_back({interpreter, absl::StrCat("@", interpreter.version, suffix)});
  }
  return chosen;
}

}  // namespace benchfleet
