#include "common/wire/plan_wire.h"

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "common/base/status_macros.h"
#include "common/model/job_spec.h"
#include "common/wire/field_checks.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kMaxExpectedRound = absl::Hours(24 * 365);

// Both kinds of key have the same fields.
template <typename KeyProto>
Key ParseKey(const FieldChecks& checks, const KeyProto& proto) {
  Key key;
  if (checks.Text("digest", proto.digest(), kMaxNameBytes)) key.digest = proto.digest();
  if (!checks.Count("parts", static_cast<int>(proto.parts().size()), 0, kMaxKeyParts)) return key;
  for (const auto& [name, value] : std::map<std::string, std::string>(proto.parts().begin(), proto.parts().end())) {
    if (!checks.Name("parts", name, kMaxNameBytes)) continue;
    if (checks.Text(absl::StrCat("parts[", name, "]"), value, kMaxKeyPartBytes)) key.parts[name] = value;
  }
  return key;
}

template <typename KeyProto>
KeyProto KeyToProto(const Key& key) {
  KeyProto proto;
  proto.set_digest(key.digest);
  for (const auto& [name, value] : key.parts) (*proto.mutable_parts())[name] = ToUtf8(value);
  return proto;
}

CasePlan ParseCase(const FieldChecks& checks, const v1::CasePlan& proto) {
  CasePlan plan;
  if (checks.Name("case", proto.case_(), kMaxNameBytes)) plan.case_path = proto.case_();
  if (checks.Count("variants", proto.variants_size(), 1, kMaxVariants)) {
    std::set<std::string> seen;
    for (int i = 0; i < proto.variants_size(); ++i) {
      const std::string& name = proto.variants(i);
      const std::string field = absl::StrCat("variants[", i, "]");
      if (!checks.Name(field, name, kMaxNameBytes)) continue;
      if (!seen.insert(name).second) checks.Add(field, Quoted(name) + " is listed twice");
      plan.variants.push_back(name);
    }
  }
  if (checks.Range("iterations", proto.iterations(), 1, std::numeric_limits<int64_t>::max())) {
    plan.iterations = proto.iterations();
  }
  if (checks.Range("batches", proto.batches(), 1, kMaxBatches)) plan.batches = proto.batches();
  plan.subject_key = ParseKey(checks.In("subject_key"), proto.subject_key());
  if (proto.has_usable_cpus()) {
    plan.usable_cpus = proto.usable_cpus();
    if (!(*plan.usable_cpus > 0 && *plan.usable_cpus <= kMaxUsableCpus)) {
      checks.Add("usable_cpus",
                 absl::StrCat("must be greater than 0 and at most ", kMaxUsableCpus, ", is ", *plan.usable_cpus));
    }
  }
  return plan;
}

v1::CasePlan CaseToProto(const CasePlan& plan) {
  v1::CasePlan proto;
  proto.set_case_(plan.case_path);
  proto.mutable_variants()->Assign(plan.variants.begin(), plan.variants.end());
  proto.set_iterations(plan.iterations);
  proto.set_batches(plan.batches);
  *proto.mutable_subject_key() = KeyToProto<v1::SubjectKey>(plan.subject_key);
  if (plan.usable_cpus.has_value()) proto.set_usable_cpus(*plan.usable_cpus);
  return proto;
}

Arm ParseArm(const FieldChecks& checks, absl::string_view field, const v1::Arm& proto, const std::set<Arm>& known) {
  Arm arm{proto.case_(), proto.variant()};
  if (known.count(arm) == 0) {
    checks.Add(field, absl::StrCat(Quoted(arm.case_path), " with ", Quoted(arm.variant), " is no arm of the plan"));
  }
  return arm;
}

v1::Arm ArmToProto(const Arm& arm) {
  v1::Arm proto;
  proto.set_case_(arm.case_path);
  proto.set_variant(arm.variant);
  return proto;
}

ComparisonPlan ParseComparison(const FieldChecks& checks, const v1::ComparisonPlan& proto, const std::set<Arm>& arms) {
  ComparisonPlan plan;
  if (checks.Name("kind", proto.kind(), kMaxNameBytes)) plan.kind = proto.kind();
  plan.base = ParseArm(checks, "base", proto.base(), arms);
  plan.contender = ParseArm(checks, "contender", proto.contender(), arms);
  if (checks.Name("measure", proto.measure(), kMaxNameBytes)) plan.measure = proto.measure();
  return plan;
}

v1::ComparisonPlan ComparisonToProto(const ComparisonPlan& plan) {
  v1::ComparisonPlan proto;
  proto.set_kind(plan.kind);
  *proto.mutable_base() = ArmToProto(plan.base);
  *proto.mutable_contender() = ArmToProto(plan.contender);
  proto.set_measure(plan.measure);
  return proto;
}

Capability ParseCapability(const FieldChecks& checks, const v1::Capability& proto) {
  Capability capability;
  if (checks.Name("compiler", proto.compiler(), kMaxNameBytes)) capability.compiler = proto.compiler();
  if (checks.Name("version", proto.version(), kMaxNameBytes)) capability.version = proto.version();
  if (checks.Name("mode", proto.mode(), kMaxNameBytes)) capability.mode = proto.mode();
  if (checks.Name("probe", proto.probe(), kMaxNameBytes)) capability.probe = proto.probe();
  const absl::StatusOr<CompileOutcome> outcome = ParseCompileOutcome(proto.outcome());
  if (checks.Ok("outcome", outcome.status())) capability.outcome = *outcome;
  return capability;
}

v1::Capability CapabilityToProto(const Capability& capability) {
  v1::Capability proto;
  proto.set_compiler(capability.compiler);
  proto.set_version(capability.version);
  proto.set_mode(capability.mode);
  proto.set_probe(capability.probe);
  proto.set_outcome(ToProto(capability.outcome));
  return proto;
}

ClockFacts ParseClock(const FieldChecks& checks, const v1::ClockFacts& proto) {
  ClockFacts clock;
  if (checks.NotNegative("read_median_ns", proto.read_median_ns())) clock.read_median_ns = proto.read_median_ns();
  if (checks.NotNegative("read_min_ns", proto.read_min_ns())) clock.read_min_ns = proto.read_min_ns();
  if (checks.NotNegative("step_ns", proto.step_ns())) clock.step_ns = proto.step_ns();
  if (checks.Text("clock_source", proto.clock_source(), kMaxNameBytes)) clock.clock_source = proto.clock_source();
  return clock;
}

v1::ClockFacts ClockToProto(const ClockFacts& clock) {
  v1::ClockFacts proto;
  proto.set_read_median_ns(clock.read_median_ns);
  proto.set_read_min_ns(clock.read_min_ns);
  proto.set_step_ns(clock.step_ns);
  proto.set_clock_source(ToUtf8(clock.clock_source));
  return proto;
}

// The cases, and every arm they have.
void ParseCases(const FieldChecks& checks, const v1::RunPlan& proto, RunPlan& plan, std::set<Arm>& arms) {
  if (!checks.Count("cases", proto.cases_size(), 1, kMaxCases)) return;
  std::set<std::string> seen;
  size_t count = 0;
  for (int i = 0; i < proto.cases_size(); ++i) {
    const FieldChecks in_case = checks.In("cases", i);
    CasePlan case_plan = ParseCase(in_case, proto.cases(i));
    if (!seen.insert(case_plan.case_path).second) in_case.Add("case", Quoted(case_plan.case_path) + " is listed twice");
    for (const std::string& variant : case_plan.variants) arms.insert({case_plan.case_path, variant});
    count += case_plan.variants.size();
    plan.cases.push_back(std::move(case_plan));
  }
  if (count > kMaxArms) {
    checks.Add("cases", absl::StrCat("have ", count, " variants in all, at most ", kMaxArms, " are allowed"));
  }
}

void ParseMethodOf(const FieldChecks& checks, const v1::RunPlan& proto, RunPlan& plan) {
  plan.seed = proto.seed();
  const absl::StatusOr<Schedule> schedule = ParseSchedule(proto.schedule());
  if (checks.Ok("schedule", schedule.status())) plan.schedule = *schedule;
  if (checks.Range("warmup_rounds", proto.warmup_rounds(), 0, kMaxWarmupRounds)) {
    plan.warmup_rounds = proto.warmup_rounds();
  }
  if (checks.Range("rounds", proto.rounds(), kMinRounds, kMaxRounds)) plan.rounds = proto.rounds();
  plan.margin = proto.margin();
  if (!(plan.margin > 0 && plan.margin < 1)) {
    checks.Add("margin", absl::StrCat("must be greater than 0 and less than 1, is ", plan.margin));
  }
  plan.level = proto.level();
  if (!(plan.level > 0 && plan.level < 1)) {
    checks.Add("level", absl::StrCat("must be greater than 0 and less than 1, is ", plan.level));
  }
  plan.round_timeout = checks.Duration("round_timeout", proto.round_timeout(), kMinRoundTimeout, kMaxRoundTimeout);
  plan.budget = checks.Duration("budget", proto.budget(), kMinBudget, kMaxBudget);
  plan.expected_round =
      checks.Duration("expected_round", proto.expected_round(), absl::ZeroDuration(), kMaxExpectedRound);
}

}  // namespace

absl::StatusOr<RunPlan> ParseRunPlan(const v1::RunPlan& proto) {
  FieldErrors errors;
  const FieldChecks checks(errors, "plan");
  RunPlan plan;
  if (checks.Name("suite", proto.suite(), kMaxNameBytes)) plan.suite = proto.suite();
  if (checks.Range("suite_version", proto.suite_version(), 1, std::numeric_limits<int32_t>::max())) {
    plan.suite_version = proto.suite_version();
  }
  ParseMethodOf(checks, proto, plan);
  std::set<Arm> arms;
  ParseCases(checks, proto, plan, arms);
  if (checks.Count("comparisons", proto.comparisons_size(), 0, kMaxComparisons)) {
    for (int i = 0; i < proto.comparisons_size(); ++i) {
      plan.comparisons.push_back(ParseComparison(checks.In("comparisons", i), proto.comparisons(i), arms));
    }
  }
  plan.host_key = ParseKey(checks.In("host_key"), proto.host_key());
  plan.clock = ParseClock(checks.In("clock"), proto.clock());
  if (checks.Count("capabilities", proto.capabilities_size(), 0, kMaxCapabilities)) {
    for (int i = 0; i < proto.capabilities_size(); ++i) {
      plan.capabilities.push_back(ParseCapability(checks.In("capabilities", i), proto.capabilities(i)));
    }
  }
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return plan;
}

v1::RunPlan ToProto(const RunPlan& plan) {
  v1::RunPlan proto;
  proto.set_suite(plan.suite);
  proto.set_suite_version(plan.suite_version);
  proto.set_seed(plan.seed);
  proto.set_schedule(ToProto(plan.schedule));
  proto.set_warmup_rounds(plan.warmup_rounds);
  proto.set_rounds(plan.rounds);
  for (const CasePlan& c : plan.cases) *proto.add_cases() = CaseToProto(c);
  for (const ComparisonPlan& c : plan.comparisons) *proto.add_comparisons() = ComparisonToProto(c);
  proto.set_margin(plan.margin);
  proto.set_level(plan.level);
  *proto.mutable_round_timeout() = ToProto(plan.round_timeout);
  *proto.mutable_budget() = ToProto(plan.budget);
  *proto.mutable_expected_round() = ToProto(plan.expected_round);
  *proto.mutable_host_key() = ToHostKeyProto(plan.host_key);
  *proto.mutable_clock() = ClockToProto(plan.clock);
  for (const Capability& c : plan.capabilities) *proto.add_capabilities() = CapabilityToProto(c);
  return proto;
}

absl::StatusOr<Key> ParseHostKey(const v1::HostKey& proto) {
  FieldErrors errors;
  Key key = ParseKey(FieldChecks(errors, ""), proto);
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return key;
}

v1::HostKey ToHostKeyProto(const Key& key) { return KeyToProto<v1::HostKey>(key); }

}  // namespace benchfleet
