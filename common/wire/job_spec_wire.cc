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
#include "common/wire/suite_spec_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace benchfleet {
namespace {

constexpr std::array<double, 3> kLevels = {0.90, 0.95, 0.99};

bool IsProject(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxProjectBytes && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '-';
  });
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

void ParseSuite(const FieldChecks& checks, const v1::JobSpec& proto, JobSpec& spec) {
  switch (proto.suite_case()) {
    case v1::JobSpec::kWake:
      spec.suite = ParseWakeSpec(checks.In("wake"), proto.wake());
      return;
    case v1::JobSpec::kCompile:
      spec.suite = ParseCompileSpec(checks.In("compile"), proto.compile());
      if (!proto.method().has_round_timeout()) spec.method.round_timeout = kDefaultCompileRoundTimeout;
      return;
    case v1::JobSpec::SUITE_NOT_SET:
      break;
  }
  checks.Add("suite", "is required: set wake or compile");
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
  ParseSuite(checks, proto, spec);
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
  if (const auto* wake = std::get_if<WakeSpec>(&spec.suite)) *proto.mutable_wake() = ToProto(*wake);
  if (const auto* compile = std::get_if<CompileSpec>(&spec.suite)) *proto.mutable_compile() = ToProto(*compile);
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
