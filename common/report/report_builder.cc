#include "common/report/report_builder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/report/text_format.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

// CPUs in a kernel list such as "0-3,8"; 0 when it cannot be read.
int CountCpus(absl::string_view list) {
  int count = 0;
  for (absl::string_view range : absl::StrSplit(list, ',')) {
    const std::pair<absl::string_view, absl::string_view> ends = absl::StrSplit(range, absl::MaxSplits('-', 1));
    int first, last;
    if (!absl::SimpleAtoi(ends.first, &first)) return 0;
    if (!absl::SimpleAtoi(ends.second.empty() ? ends.first : ends.second, &last) || last < first) return 0;
    count += last - first + 1;
  }
  return count;
}

void AddLoad(const HostState& state, RoundFacts& facts) {
  if (!state.load1.has_value()) return;
  facts.load1_min = std::min(*state.load1, facts.load1_min.value_or(*state.load1));
  facts.load1_max = std::max(*state.load1, facts.load1_max.value_or(*state.load1));
}

std::string DescribeFailure(const Round& round, const Sample& sample) {
  std::string text = absl::StrCat(round.warmup ? "warm-up round " : "round ", round.index, ": ", sample.arm.case_path,
                                  " ", sample.arm.variant, ": ", Word(sample.outcome));
  if (!sample.failure.empty()) absl::StrAppend(&text, ": ", sample.failure);
  return ToUtf8(text);
}

void SetHost(const RunPlan& plan, v1::ReportRun& run) {
  run.set_host_key(plan.host_key.digest);
  for (const auto& [name, value] : plan.host_key.parts) (*run.mutable_host_facts())[name] = ToUtf8(value);
  run.set_schedule(std::string(Word(plan.schedule)));
  run.set_seed(absl::StrCat(plan.seed));
}

// In the plan's order, each digest once.
void AddSubjects(const RunPlan& plan, v1::ReportRun& run) {
  std::set<std::string> seen;
  for (const CasePlan& planned : plan.cases) {
    const Key& key = planned.subject_key;
    if (key.digest.empty() || !seen.insert(key.digest).second) continue;
    v1::ReportSubject& subject = *run.add_subjects();
    subject.set_name(planned.case_path.substr(0, planned.case_path.find('/')));
    subject.set_digest(key.digest);
    for (const auto& [name, value] : key.parts) (*subject.mutable_parts())[name] = ToUtf8(value);
  }
}

void SetRounds(const RoundFacts& facts, v1::ReportRun& run) {
  if (facts.load1_min.has_value()) run.set_load1_min(*facts.load1_min);
  if (facts.load1_max.has_value()) run.set_load1_max(*facts.load1_max);
  if (facts.steal_ratio.has_value()) run.set_steal_ratio(*facts.steal_ratio);
  for (const std::string& failure : facts.failures) run.add_failures(failure);
}

v1::ReportRun RunToProto(const ReportRunInput& input) {
  v1::ReportRun run;
  run.set_id(input.id);
  run.set_host(input.host);
  run.set_state(std::string(Word(input.state)));
  run.set_end_reason(ToUtf8(input.end_reason));
  run.set_attempts(input.attempts);
  if (input.plan.has_value()) {
    SetHost(*input.plan, run);
    run.set_suite_version(input.plan->suite_version);
    AddSubjects(*input.plan, run);
  }
  if (input.figures.has_value()) {
    run.set_rounds(input.figures->rounds);
    run.set_failed_samples(input.figures->failed_samples);
  }
  SetRounds(input.rounds, run);
  return run;
}

void AddCapabilities(const ReportRunInput& run, v1::Report& report) {
  if (!run.plan.has_value()) return;
  for (const Capability& capability : run.plan->capabilities) {
    v1::ReportCapability& proto = *report.add_capabilities();
    proto.set_run_id(run.id);
    proto.set_host(run.host);
    proto.set_compiler(capability.compiler);
    proto.set_version(capability.version);
    proto.set_mode(capability.mode);
    proto.set_probe(capability.probe);
    proto.set_outcome(std::string(Word(capability.outcome)));
  }
}

void AddRoundValues(const ReportRunInput& run, v1::Summary& summary) {
  for (const RoundValues& values : run.round_values) {
    if (values.arm.case_path != summary.case_() || values.arm.variant != summary.variant() ||
        values.measure != summary.measure()) {
      continue;
    }
    summary.mutable_round_values()->Add(values.values.begin(), values.values.end());
    summary.mutable_round_indices()->Add(values.rounds.begin(), values.rounds.end());
    return;
  }
}

v1::Summary SummaryToProto(const ReportRunInput& run, const Summary& summary) {
  v1::Summary proto;
  proto.set_run_id(run.id);
  proto.set_host(run.host);
  proto.set_case_(summary.arm.case_path);
  proto.set_variant(summary.arm.variant);
  proto.set_measure(summary.measure);
  proto.set_unit(summary.unit);
  proto.set_rounds(summary.rounds);
  proto.set_median(summary.median);
  if (summary.median_interval.has_value()) {
    proto.set_median_lower(summary.median_interval->lower);
    proto.set_median_upper(summary.median_interval->upper);
  }
  proto.set_min(summary.min);
  proto.set_max(summary.max);
  proto.mutable_counters()->insert(summary.counters.begin(), summary.counters.end());
  AddRoundValues(run, proto);
  return proto;
}

void SetArm(const Arm& arm, v1::ReportArm& proto) {
  proto.set_case_(arm.case_path);
  proto.set_variant(arm.variant);
}

v1::Comparison ComparisonToProto(const ReportRunInput& run, const Comparison& comparison) {
  v1::Comparison proto;
  proto.set_run_id(run.id);
  proto.set_host(run.host);
  proto.set_kind(comparison.kind);
  SetArm(comparison.base, *proto.mutable_base());
  SetArm(comparison.contender, *proto.mutable_contender());
  proto.set_measure(comparison.measure);
  proto.set_rounds(comparison.rounds);
  if (comparison.ratio.has_value()) proto.set_ratio(*comparison.ratio);
  if (comparison.ratio_interval.has_value()) {
    proto.set_ratio_lower(comparison.ratio_interval->lower);
    proto.set_ratio_upper(comparison.ratio_interval->upper);
  }
  proto.set_level(comparison.level);
  if (run.plan.has_value()) proto.set_margin(run.plan->margin);
  proto.set_verdict(std::string(Word(comparison.verdict)));
  for (const std::string& note : comparison.notes) proto.add_notes(note);
  return proto;
}

v1::ReportJob JobToProto(const ReportJobInput& job) {
  v1::ReportJob proto;
  proto.set_id(job.id);
  proto.set_suite(std::string(SuiteName(job.spec)));
  proto.set_project(job.spec.project);
  proto.set_state(std::string(Word(job.state)));
  proto.set_state_reason(ToUtf8(job.state_reason));
  proto.set_commit(job.spec.commit);
  proto.set_branch(job.spec.branch);
  proto.mutable_labels()->insert(job.spec.labels.begin(), job.spec.labels.end());
  proto.set_create_time(UtcText(job.create_time));
  return proto;
}

}  // namespace

RoundFacts FactsOfRounds(const RunPlan& plan, absl::Span<const Round> rounds) {
  RoundFacts facts;
  int64_t stolen_ns = 0;
  absl::Duration measured;
  bool steal_known = false;
  int previous = -1;
  for (const Round& round : rounds) {
    for (const Sample& sample : round.samples) {
      if (!round.warmup) measured += sample.elapsed;
      if (sample.outcome != SampleOutcome::kOk && facts.failures.size() < kMaxReportedFailures) {
        facts.failures.push_back(DescribeFailure(round, sample));
      }
    }
    // The parts of a round repeat its host states.
    if (round.warmup || round.index == std::exchange(previous, round.index)) continue;
    AddLoad(round.before, facts);
    AddLoad(round.after, facts);
    if (round.before.steal_ns.has_value() && round.after.steal_ns.has_value()) {
      steal_known = true;
      stolen_ns += std::max<int64_t>(0, *round.after.steal_ns - *round.before.steal_ns);
    }
  }
  const auto online = plan.host_key.parts.find("cpus_online");
  const int cpus = online == plan.host_key.parts.end() ? 0 : CountCpus(online->second);
  if (steal_known && cpus > 0 && measured > absl::ZeroDuration()) {
    facts.steal_ratio = std::min(1.0, absl::FDivDuration(absl::Nanoseconds(stolen_ns), cpus * measured));
  }
  return facts;
}

v1::Report BuildReport(const ReportJobInput& job, absl::Span<const ReportRunInput> runs) {
  v1::Report report;
  *report.mutable_job() = JobToProto(job);
  for (const ReportRunInput& run : runs) {
    *report.add_runs() = RunToProto(run);
    AddCapabilities(run, report);
    if (!run.figures.has_value()) continue;
    for (const Summary& s : run.figures->summaries) *report.add_summaries() = SummaryToProto(run, s);
    for (const Comparison& c : run.figures->comparisons) *report.add_comparisons() = ComparisonToProto(run, c);
  }
  return report;
}

}  // namespace benchfleet
