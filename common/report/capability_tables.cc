#include "common/report/capability_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace benchfleet {
namespace {

// Probes no compiler may accept.
constexpr char kControlPrefix[] = "neg_";
// Only a linker can refuse this one.
constexpr char kLinkControl[] = "neg_link";
constexpr char kCompileMode[] = "compile";

using OutcomeOf = std::map<std::string, std::string>;  // by probe

struct CompilerView {
  std::string name;                     // "gfortran@12.2.0"
  std::vector<std::string> probes;      // in the plan's order, controls included
  std::vector<std::string> modes;       // in the plan's order
  std::map<std::string, OutcomeOf> of;  // by mode
};

std::vector<CompilerView> CompilersOf(const RunResults& results) {
  std::vector<CompilerView> compilers;
  std::map<std::string, size_t> at;
  for (const v1::ReportCapability* capability : results.capabilities) {
    const std::string name = absl::StrCat(capability->compiler(), "@", capability->version());
    const auto [found, is_new] = at.emplace(name, compilers.size());
    if (is_new) compilers.push_back({name, {}, {}, {}});
    CompilerView& compiler = compilers[found->second];
    AddOnce(compiler.probes, capability->probe());
    AddOnce(compiler.modes, capability->mode());
    compiler.of[capability->mode()][capability->probe()] = capability->outcome();
  }
  return compilers;
}

bool IsControl(const std::string& probe) { return absl::StartsWith(probe, kControlPrefix); }

std::string ShortWord(const std::string& outcome) {
  if (outcome == "accepted") return "yes";
  if (outcome == "refused") return "no";
  return outcome == "crashed" ? "crash" : outcome;
}

bool ModesDisagree(const CompilerView& compiler, const std::string& probe) {
  std::set<std::string> outcomes;
  for (const auto& [mode, of] : compiler.of) {
    if (const auto outcome = of.find(probe); outcome != of.end()) outcomes.insert(outcome->second);
  }
  return outcomes.size() > 1;
}

// What became of the controls, in one line; those that hold, or those that do not.
std::string ControlsLine(const std::vector<CompilerView>& compilers) {
  std::vector<std::string> refused, broken;
  for (const CompilerView& compiler : compilers) {
    for (const std::string& mode : compiler.modes) {
      for (const auto& [probe, outcome] : compiler.of.at(mode)) {
        if (!IsControl(probe) || (probe == kLinkControl && mode == kCompileMode)) continue;
        if (outcome == "refused") {
          AddOnce(refused, probe);
        } else {
          broken.push_back(absl::StrCat(probe, " ", outcome, " by ", compiler.name, "/", mode));
        }
      }
    }
  }
  if (!broken.empty()) return absl::StrCat("controls NOT refused as they must: ", absl::StrJoin(broken, ", "));
  if (refused.empty()) return "";
  return absl::StrCat("controls refused as they must: ", absl::StrJoin(refused, ", "));
}

CapabilitySet SetOf(const std::vector<CompilerView>& compilers) {
  CapabilitySet set{{}, false, ControlsLine(compilers)};
  set.grid.columns = {{"probe"}};
  for (size_t i = 0; i < compilers.size(); ++i) {
    for (const std::string& mode : compilers[i].modes) {
      set.grid.columns.push_back({compilers[i].name, mode, Column::Kind::kText, static_cast<int>(i) + 1});
    }
  }
  for (const std::string& probe : compilers.front().probes) {
    if (IsControl(probe)) continue;
    std::vector<Cell> row = {{probe, ""}};
    for (const CompilerView& compiler : compilers) {
      const bool marked = ModesDisagree(compiler, probe);
      set.has_marks = set.has_marks || marked;
      for (const std::string& mode : compiler.modes) {
        const OutcomeOf& of = compiler.of.at(mode);
        const auto outcome = of.find(probe);
        row.push_back({outcome == of.end() ? "-" : absl::StrCat(ShortWord(outcome->second), marked ? " *" : ""), ""});
      }
    }
    set.grid.rows.push_back(std::move(row));
  }
  return set;
}

}  // namespace

std::vector<CapabilitySet> CapabilitySets(const RunResults& results) {
  std::vector<std::set<std::string>> keys;
  std::vector<std::vector<CompilerView>> groups;
  for (CompilerView& compiler : CompilersOf(results)) {
    const std::set<std::string> key(compiler.probes.begin(), compiler.probes.end());
    const size_t at = std::find(keys.begin(), keys.end(), key) - keys.begin();
    if (at == keys.size()) {
      keys.push_back(key);
      groups.emplace_back();
    }
    groups[at].push_back(std::move(compiler));
  }
  std::vector<CapabilitySet> sets;
  for (const std::vector<CompilerView>& group : groups) sets.push_back(SetOf(group));
  return sets;
}

}  // namespace benchfleet
