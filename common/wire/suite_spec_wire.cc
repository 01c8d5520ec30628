#include "common/wire/suite_spec_wire.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/model/job_spec.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxVersionPrefixBytes = 32;

using Strings = google::protobuf::RepeatedPtrField<std::string>;

// Numbers joined by dots: "3", "3.11", "3.11.2".
bool IsVersionPrefix(absl::string_view text) {
  if (text.size() > kMaxVersionPrefixBytes) return false;
  for (absl::string_view part : absl::StrSplit(text, '.')) {
    int number;
    if (part.empty() || !std::all_of(part.begin(), part.end(), absl::ascii_isdigit)) return false;
    if (!absl::SimpleAtoi(part, &number)) return false;
  }
  return true;
}

bool VersionLess(const std::string& a, const std::string& b) {
  const auto numbers = [](const std::string& text) {
    std::vector<int> result;
    for (absl::string_view part : absl::StrSplit(text, '.')) {
      result.push_back(0);
      (void)absl::SimpleAtoi(part, &result.back());  // checked by IsVersionPrefix()
    }
    return result;
  };
  return std::pair(numbers(a), a) < std::pair(numbers(b), b);
}

template <size_t N>
std::string Unknown(const std::string& value, const std::array<absl::string_view, N>& known) {
  return absl::StrCat(Quoted(value), " is unknown, must be one of ", absl::StrJoin(known, ", "));
}

template <size_t N>
bool Contains(const std::array<absl::string_view, N>& known, absl::string_view value) {
  return std::find(known.begin(), known.end(), value) != known.end();
}

// Adds an error for each entry that stands in the list before.
void CheckUnique(const FieldChecks& checks, absl::string_view field, const Strings& values) {
  std::set<std::string> seen;
  for (int i = 0; i < values.size(); ++i) {
    if (!seen.insert(values[i]).second)
      checks.Add(absl::StrCat(field, "[", i, "]"), Quoted(values[i]) + " is listed twice");
  }
}

// The entries in the order of `known`; all of it when the list is empty.
template <size_t N>
std::vector<std::string> ParseNames(const FieldChecks& checks, absl::string_view field, const Strings& values,
                                    const std::array<absl::string_view, N>& known) {
  if (values.empty()) return std::vector<std::string>(known.begin(), known.end());
  // Each error is named up to here; a longer list holds duplicates or unknown names anyway.
  if (!checks.Count(field, values.size(), 0, 4 * static_cast<int>(N))) return {};
  for (int i = 0; i < values.size(); ++i) {
    if (!Contains(known, values[i])) checks.Add(absl::StrCat(field, "[", i, "]"), Unknown(values[i], known));
  }
  CheckUnique(checks, field, values);
  std::vector<std::string> result;
  for (absl::string_view name : known) {
    if (std::find(values.begin(), values.end(), name) != values.end()) result.emplace_back(name);
  }
  return result;
}

std::vector<std::string> ParseInterpreters(const FieldChecks& checks, const Strings& values) {
  if (!checks.Count("interpreters", values.size(), 0, kMaxInterpreters)) return {};
  for (int i = 0; i < values.size(); ++i) {
    if (IsVersionPrefix(values[i])) continue;
    checks.Add(absl::StrCat("interpreters[", i, "]"),
               absl::StrCat(Quoted(values[i]), " is not a version prefix: digits joined by dots, for example 3.11"));
  }
  CheckUnique(checks, "interpreters", values);
  std::vector<std::string> result(values.begin(), values.end());
  std::sort(result.begin(), result.end(), VersionLess);
  return result;
}

// "gcc" or "gcc@12".
std::vector<CompilerChoice> ParseCompilers(const FieldChecks& checks, const Strings& values) {
  if (!checks.Count("compilers", values.size(), 0, kMaxCompilerChoices)) return {};
  std::vector<CompilerChoice> result;
  for (int i = 0; i < values.size(); ++i) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(values[i], absl::MaxSplits('@', 1));
    const std::string field = absl::StrCat("compilers[", i, "]");
    if (!Contains(compile::kCompilers, parts.first)) {
      checks.Add(field, Unknown(parts.first, compile::kCompilers));
    } else if (parts.first.size() < values[i].size() && !IsVersionPrefix(parts.second)) {
      checks.Add(field, absl::StrCat(Quoted(parts.second),
                                     " is not a version prefix: digits joined by dots, for example gcc@12"));
    }
    result.push_back({parts.first, parts.second});
  }
  CheckUnique(checks, "compilers", values);
  std::sort(result.begin(), result.end(), [](const CompilerChoice& a, const CompilerChoice& b) {
    return std::pair(a.name, a.version_prefix) < std::pair(b.name, b.version_prefix);
  });
  return result;
}

std::vector<int> ParseLimits(const FieldChecks& checks, const google::protobuf::RepeatedField<int32_t>& values) {
  if (!checks.Count("limits", values.size(), 0, kMaxConcurrencyLimits)) return {};
  std::set<int> result;
  for (int i = 0; i < values.size(); ++i) {
    const std::string field = absl::StrCat("limits[", i, "]");
    if (!checks.Range(field, values[i], 1, kMaxConcurrencyLimit)) continue;
    if (!result.insert(values[i]).second) checks.Add(field, absl::StrCat(values[i], " is listed twice"));
  }
  return {result.begin(), result.end()};
}

bool IsPython(absl::string_view strategy) { return !Contains(compile::kNativeStrategies, strategy); }

template <typename Range>
void SetAll(const Range& values, Strings& field) {
  field.Assign(values.begin(), values.end());
}

}  // namespace

WakeSpec ParseWakeSpec(const FieldChecks& checks, const v1::WakeSpec& proto) {
  WakeSpec spec;
  spec.loops = ParseNames(checks, "loops", proto.loops(), wake::kLoops);
  spec.interpreters = ParseInterpreters(checks, proto.interpreters());
  spec.cases = ParseNames(checks, "cases", proto.cases(), wake::kCases);
  spec.baseline = proto.baseline().empty() ? std::string(wake::kLookup) : proto.baseline();
  if (!Contains(wake::kVariants, spec.baseline)) checks.Add("baseline", Unknown(spec.baseline, wake::kVariants));
  const std::vector<std::string> chosen = ParseNames(checks, "variants", proto.variants(), wake::kVariants);
  for (absl::string_view name : wake::kVariants) {
    if (name == spec.baseline || std::find(chosen.begin(), chosen.end(), name) != chosen.end()) {
      spec.variants.emplace_back(name);
    }
  }
  if (!spec.interpreters.empty() &&
      std::find(spec.loops.begin(), spec.loops.end(), wake::kAsyncio) == spec.loops.end()) {
    checks.Add("interpreters", "need the loop asyncio among the loops");
  }
  return spec;
}

CompileSpec ParseCompileSpec(const FieldChecks& checks, const v1::CompileSpec& proto) {
  CompileSpec spec;
  spec.compilers = ParseCompilers(checks, proto.compilers());
  spec.modes = ParseNames(checks, "modes", proto.modes(), compile::kModes);
  spec.limits = ParseLimits(checks, proto.limits());
  const std::vector<std::string> chosen = ParseNames(checks, "variants", proto.variants(), compile::kStrategies);
  for (absl::string_view name : compile::kStrategies) {
    const bool asked = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    if (asked || Contains(compile::kBaselines, name)) spec.variants.emplace_back(name);
  }
  spec.interpreters = ParseInterpreters(checks, proto.interpreters());
  if (!spec.interpreters.empty() && std::none_of(spec.variants.begin(), spec.variants.end(), IsPython)) {
    checks.Add("interpreters", "need a strategy of Python among the variants");
  }
  if (proto.has_pass_timeout()) {
    spec.pass_timeout = checks.Duration("pass_timeout", proto.pass_timeout(), kMinPassTimeout, kMaxPassTimeout);
  }
  return spec;
}

v1::WakeSpec ToProto(const WakeSpec& spec) {
  v1::WakeSpec proto;
  SetAll(spec.loops, *proto.mutable_loops());
  SetAll(spec.interpreters, *proto.mutable_interpreters());
  SetAll(spec.cases, *proto.mutable_cases());
  SetAll(spec.variants, *proto.mutable_variants());
  proto.set_baseline(spec.baseline);
  return proto;
}

v1::CompileSpec ToProto(const CompileSpec& spec) {
  v1::CompileSpec proto;
  for (const CompilerChoice& choice : spec.compilers) {
    proto.add_compilers(choice.version_prefix.empty() ? choice.name
                                                      : absl::StrCat(choice.name, "@", choice.version_prefix));
  }
  SetAll(spec.modes, *proto.mutable_modes());
  proto.mutable_limits()->Assign(spec.limits.begin(), spec.limits.end());
  SetAll(spec.variants, *proto.mutable_variants());
  SetAll(spec.interpreters, *proto.mutable_interpreters());
  *proto.mutable_pass_timeout() = ToProto(spec.pass_timeout);
  return proto;
}

}  // namespace benchfleet
