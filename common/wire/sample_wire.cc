#include "common/wire/sample_wire.h"

#include <cmath>
#include <limits>
#include <utility>

#include "common/base/status_macros.h"
#include "common/wire/field_checks.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

// The end of a text is what tells most. Cut before the repair, so that a cut character
// becomes '?'.
std::string FittedText(absl::string_view text) {
  if (text.size() > kMaxFailureOutputBytes) text.remove_prefix(text.size() - kMaxFailureOutputBytes);
  return ToUtf8(text);
}

// What a failed program printed: any UTF-8, line ends included.
std::string ParseOutput(const FieldChecks& checks, absl::string_view field, const std::string& text) {
  if (text.size() > kMaxFailureOutputBytes) {
    checks.Add(field,
               absl::StrCat("is ", text.size(), " bytes long, at most ", kMaxFailureOutputBytes, " are allowed"));
    return "";
  }
  if (!IsUtf8(text)) {
    checks.Add(field, "is not UTF-8");
    return "";
  }
  return text;
}

ProcessUsage ParseUsage(const FieldChecks& checks, const v1::ProcessUsage& proto) {
  checks.NotNegative("user_ns", proto.user_ns());
  checks.NotNegative("system_ns", proto.system_ns());
  checks.NotNegative("voluntary_switches", proto.voluntary_switches());
  checks.NotNegative("involuntary_switches", proto.involuntary_switches());
  checks.NotNegative("max_rss_bytes", proto.max_rss_bytes());
  return {.user_ns = proto.user_ns(),
          .system_ns = proto.system_ns(),
          .voluntary_switches = proto.voluntary_switches(),
          .involuntary_switches = proto.involuntary_switches(),
          .max_rss_bytes = proto.max_rss_bytes()};
}

v1::ProcessUsage UsageToProto(const ProcessUsage& usage) {
  v1::ProcessUsage proto;
  proto.set_user_ns(usage.user_ns);
  proto.set_system_ns(usage.system_ns);
  proto.set_voluntary_switches(usage.voluntary_switches);
  proto.set_involuntary_switches(usage.involuntary_switches);
  proto.set_max_rss_bytes(usage.max_rss_bytes);
  return proto;
}

// Numbers by name, none of them negative.
std::map<std::string, int64_t> ParseNumbers(const FieldChecks& checks, absl::string_view field,
                                            const google::protobuf::Map<std::string, int64_t>& proto, int max) {
  if (!checks.Count(field, static_cast<int>(proto.size()), 0, max)) return {};
  std::map<std::string, int64_t> numbers(proto.begin(), proto.end());
  for (const auto& [name, value] : numbers) {
    if (checks.Name(field, name, kMaxNameBytes)) checks.NotNegative(absl::StrCat(field, "[", name, "]"), value);
  }
  return numbers;
}

void ParseMeasured(const FieldChecks& checks, const v1::Sample& proto, Sample& sample) {
  checks.NotNegative("iterations", proto.iterations());
  sample.iterations = proto.iterations();
  if (checks.Count("batch_ns", proto.batch_ns_size(), 0, kMaxBatches)) {
    for (int i = 0; i < proto.batch_ns_size(); ++i) {
      checks.NotNegative(absl::StrCat("batch_ns[", i, "]"), proto.batch_ns(i));
    }
    sample.batch_ns.assign(proto.batch_ns().begin(), proto.batch_ns().end());
  }
  sample.counters = ParseNumbers(checks, "counters", proto.counters(), kMaxCounters);
  sample.measures_ns = ParseNumbers(checks, "measures_ns", proto.measures_ns(), kMaxMeasures);
}

Sample ParseSampleFields(const FieldChecks& checks, const v1::Sample& proto) {
  Sample sample;
  if (checks.Name("case", proto.case_(), kMaxNameBytes)) sample.arm.case_path = proto.case_();
  if (checks.Name("variant", proto.variant(), kMaxNameBytes)) sample.arm.variant = proto.variant();
  if (checks.Range("slot", proto.slot(), 0, kMaxVariants - 1)) sample.slot = proto.slot();
  ParseMeasured(checks, proto, sample);
  const absl::StatusOr<SampleOutcome> outcome = ParseSampleOutcome(proto.outcome());
  if (checks.Ok("outcome", outcome.status())) sample.outcome = *outcome;
  sample.failure = ParseOutput(checks, "failure", proto.failure());
  sample.output = ParseOutput(checks, "output", proto.output());
  sample.usage = ParseUsage(checks.In("usage"), proto.usage());
  if (checks.NotNegative("elapsed_ns", proto.elapsed_ns())) sample.elapsed = absl::Nanoseconds(proto.elapsed_ns());
  return sample;
}

HostState ParseHostState(const FieldChecks& checks, const v1::HostState& proto) {
  HostState state;
  if (proto.has_load1()) {
    state.load1 = proto.load1();
    if (!std::isfinite(proto.load1()) || proto.load1() < 0) {
      checks.Add("load1", absl::StrCat("must be a number of at least 0, is ", proto.load1()));
    }
  }
  const auto read = [&](absl::string_view field, bool present, int64_t value, std::optional<int64_t>& to) {
    if (present && checks.NotNegative(field, value)) to = value;
  };
  read("steal_ns", proto.has_steal_ns(), proto.steal_ns(), state.steal_ns);
  read("cpu_pressure_ns", proto.has_cpu_pressure_ns(), proto.cpu_pressure_ns(), state.cpu_pressure_ns);
  read("throttled_periods", proto.has_throttled_periods(), proto.throttled_periods(), state.throttled_periods);
  read("suspended_ns", proto.has_suspended_ns(), proto.suspended_ns(), state.suspended_ns);
  return state;
}

}  // namespace

absl::StatusOr<Sample> ParseSample(const v1::Sample& proto) {
  FieldErrors errors;
  Sample sample = ParseSampleFields(FieldChecks(errors, "sample"), proto);
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return sample;
}

absl::StatusOr<Round> ParseRound(const v1::Round& proto) {
  FieldErrors errors;
  const FieldChecks checks(errors, "round");
  Round round;
  if (checks.Range("index", proto.index(), 0, kMaxRoundIndex)) round.index = proto.index();
  round.warmup = proto.warmup();
  const absl::StatusOr<absl::Time> start_time = ParseTimestamp(proto.start_time());
  if (checks.Ok("start_time", start_time.status())) round.start_time = *start_time;
  round.before = ParseHostState(checks.In("before"), proto.before());
  round.after = ParseHostState(checks.In("after"), proto.after());
  if (checks.Count("samples", proto.samples_size(), 0, kMaxSamplesPerRound)) {
    round.samples.reserve(proto.samples_size());
    for (int i = 0; i < proto.samples_size(); ++i) {
      round.samples.push_back(ParseSampleFields(checks.In("samples", i), proto.samples(i)));
    }
  }
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return round;
}

v1::Sample ToProto(const Sample& sample) {
  v1::Sample proto;
  proto.set_case_(sample.arm.case_path);
  proto.set_variant(sample.arm.variant);
  proto.set_slot(sample.slot);
  proto.set_iterations(sample.iterations);
  proto.mutable_batch_ns()->Assign(sample.batch_ns.begin(), sample.batch_ns.end());
  proto.mutable_counters()->insert(sample.counters.begin(), sample.counters.end());
  proto.set_outcome(ToProto(sample.outcome));
  proto.set_failure(FittedText(sample.failure));
  proto.set_output(FittedText(sample.output));
  *proto.mutable_usage() = UsageToProto(sample.usage);
  proto.set_elapsed_ns(absl::ToInt64Nanoseconds(sample.elapsed));
  proto.mutable_measures_ns()->insert(sample.measures_ns.begin(), sample.measures_ns.end());
  return proto;
}

v1::HostState ToProto(const HostState& state) {
  v1::HostState proto;
  if (state.load1.has_value()) proto.set_load1(*state.load1);
  if (state.steal_ns.has_value()) proto.set_steal_ns(*state.steal_ns);
  if (state.cpu_pressure_ns.has_value()) proto.set_cpu_pressure_ns(*state.cpu_pressure_ns);
  if (state.throttled_periods.has_value()) proto.set_throttled_periods(*state.throttled_periods);
  if (state.suspended_ns.has_value()) proto.set_suspended_ns(*state.suspended_ns);
  return proto;
}

v1::Round ToProto(const Round& round) {
  v1::Round proto;
  proto.set_index(round.index);
  proto.set_warmup(round.warmup);
  *proto.mutable_start_time() = ToProto(round.start_time);
  *proto.mutable_before() = ToProto(round.before);
  *proto.mutable_after() = ToProto(round.after);
  for (const Sample& sample : round.samples) *proto.add_samples() = ToProto(sample);
  return proto;
}

}  // namespace benchfleet
