#include "common/wire/job_spec_wire.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/status_macros.h"
#include "common/wire/field_checks.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxVersionPrefixBytes = 32;
constexpr std::array<double, 3> kLevels = {0.90, 0.95, 0.99};

using Strings = google::protobuf::RepeatedPtrField<std::string>;

bool IsProject(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxProjectBytes && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '-';
  });
}

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

WakeSpec ParseWake(const FieldChecks& checks, const v1::WakeSpec& proto) {
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

MethodSpec ParseMethod(const FieldChecks& checks, const v1::MethodSpec& proto) {
  MethodSpec method;
  if (proto.has_rounds() && checks.Range("rounds", proto.rounds(), kMinRounds, kMaxRounds)) {
    method.rounds = proto.rounds();
  }
  if (proto.has_budget()) method.budget = checks.Duration("budget", proto.budget(), kMinBudget, kMaxBudget);
  if (proto.has_margin()) {
    method.margin = proto.margin();
    // Written so that it refuses NaN too.
    if (!(method.margin > 0 && method.margin < 1)) {
      checks.Add("margin", absl::StrCat("must be greater than 0 and less than 1, is ", method.margin));
    }
  }
  if (proto.has_level()) {
    method.level = proto.level();
    if (std::find(kLevels.begin(), kLevels.end(), method.level) == kLevels.end()) {
      checks.Add("level", absl::StrCat("must be one of 0.9, 0.95, 0.99, is ", method.level));
    }
  }
  if (proto.has_seed()) method.seed = proto.seed();
  if (proto.has_round_timeout()) {
    method.round_timeout = checks.Duration("round_timeout", proto.round_timeout(), kMinRoundTimeout, kMaxRoundTimeout);
  }
  return method;
}

Selector ParseSelector(const FieldChecks& checks, const std::string& text) {
  // The selector's own message quotes the text, so that must be printable first.
  if (!checks.Text("host_selector", text, kMaxSelectorBytes)) return Selector();
  absl::StatusOr<Selector> selector = Selector::Parse(text);
  return checks.Ok("host_selector", selector.status()) ? *std::move(selector) : Selector();
}

template <typename Range>
void SetAll(const Range& values, Strings& field) {
  field.Assign(values.begin(), values.end());
}

v1::WakeSpec WakeToProto(const WakeSpec& wake) {
  v1::WakeSpec proto;
  SetAll(wake.loops, *proto.mutable_loops());
  SetAll(wake.interpreters, *proto.mutable_interpreters());
  SetAll(wake.cases, *proto.mutable_cases());
  SetAll(wake.variants, *proto.mutable_variants());
  proto.set_baseline(wake.baseline);
  return proto;
}

}  // namespace

absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& proto, absl::string_view prefix) {
  FieldErrors errors;
  const FieldChecks checks(errors, prefix);
  JobSpec spec;
  if (!proto.project().empty()) {
    spec.project = proto.project();
    if (!IsProject(spec.project)) {
      checks.Add("project",
                 absl::StrCat(Quoted(spec.project), " is not 1-", kMaxProjectBytes, " characters of [a-z0-9-]"));
    }
  }
  spec.labels = ParseLabels(proto.labels(), checks.Path("labels"), errors);
  if (checks.Text("commit", proto.commit(), kMaxCommitBytes)) spec.commit = proto.commit();
  if (checks.Text("branch", proto.branch(), kMaxBranchBytes)) spec.branch = proto.branch();
  spec.host_selector = ParseSelector(checks, proto.host_selector());
  const absl::StatusOr<FanOut> fan_out = ParseFanOut(proto.fan_out());
  if (checks.Ok("fan_out", fan_out.status())) spec.fan_out = *fan_out;
  if (proto.has_queue_timeout()) {
    spec.queue_timeout = checks.Duration("queue_timeout", proto.queue_timeout(), kMinQueueTimeout, kMaxQueueTimeout);
  }
  spec.method = ParseMethod(checks.In("method"), proto.method());
  if (proto.suite_case() == v1::JobSpec::kWake) {
    spec.suite = ParseWake(checks.In("wake"), proto.wake());
  } else {
    checks.Add("suite", "is required: set wake");
  }
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return spec;
}

v1::JobSpec ToProto(const JobSpec& spec) {
  v1::JobSpec proto;
  proto.set_project(spec.project);
  proto.mutable_labels()->insert(spec.labels.begin(), spec.labels.end());
  proto.set_commit(spec.commit);
  proto.set_branch(spec.branch);
  proto.set_host_selector(spec.host_selector.canonical());
  proto.set_fan_out(ToProto(spec.fan_out));
  *proto.mutable_queue_timeout() = ToProto(spec.queue_timeout);
  v1::MethodSpec& method = *proto.mutable_method();
  if (spec.method.rounds.has_value()) method.set_rounds(*spec.method.rounds);
  *method.mutable_budget() = ToProto(spec.method.budget);
  method.set_margin(spec.method.margin);
  method.set_level(spec.method.level);
  if (spec.method.seed.has_value()) method.set_seed(*spec.method.seed);
  *method.mutable_round_timeout() = ToProto(spec.method.round_timeout);
  *proto.mutable_wake() = WakeToProto(std::get<WakeSpec>(spec.suite));
  return proto;
}

std::string SerializeJobSpec(const JobSpec& spec) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    ToProto(spec).SerializeToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace benchfleet
