#include "server/metrics/result_collector.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/model/states.h"
#include "server/metrics/metric_table.h"

namespace benchfleet {
namespace {

using prometheus::MetricFamily;

// Families of results, by name. Grows only by names of the metric table.
class FamilySet {
 public:
  FamilySet() {
    for (const absl::string_view name : {"benchfleet_median_seconds",
                                         "benchfleet_median_seconds_lower",
                                         "benchfleet_median_seconds_upper",
                                         "benchfleet_median_seconds_min",
                                         "benchfleet_median_seconds_max",
                                         "benchfleet_median_seconds_rounds",
                                         "benchfleet_median_ratio",
                                         "benchfleet_median_ratio_lower",
                                         "benchfleet_median_ratio_upper",
                                         "benchfleet_median_ratio_min",
                                         "benchfleet_median_ratio_max",
                                         "benchfleet_median_ratio_rounds",
                                         "benchfleet_subject_info",
                                         "benchfleet_capability_info",
                                         "benchfleet_counts_per_operation",
                                         "benchfleet_comparison_ratio",
                                         "benchfleet_comparison_ratio_lower",
                                         "benchfleet_comparison_ratio_upper",
                                         "benchfleet_comparison_verdict",
                                         "benchfleet_run_info",
                                         "benchfleet_run_failed_samples",
                                         "benchfleet_run_last_success_timestamp_seconds",
                                         "benchfleet_host_info"}) {
      families_.emplace(name, MakeFamily(name));
    }
  }

  // False when there is no such family.
  bool Add(const std::string& name, const LabelList& labels, double value) {
    const auto it = families_.find(name);
    if (it == families_.end()) return false;
    AddSeries(it->second, labels, value);
    return true;
  }

  std::vector<MetricFamily> Take() {
    std::vector<MetricFamily> taken;
    for (auto& [name, family] : families_) taken.push_back(std::move(family));
    return taken;
  }

 private:
  std::map<std::string, MetricFamily> families_;
};

struct Series {
  std::string family;
  LabelList labels;
  double value;
};

LabelList With(LabelList labels, const LabelList& more) {
  labels.insert(labels.end(), more.begin(), more.end());
  return labels;
}

double UnixSeconds(absl::Time time) { return absl::ToDoubleSeconds(time - absl::UnixEpoch()); }

LabelList GroupLabels(const ResultRow& row) {
  return {{"project", row.project}, {"host", row.host.value()}, {"suite", row.suite}};
}

void AddSummary(const Summary& summary, const LabelList& group, std::vector<Series>& out) {
  const LabelList labels =
      With(group, {{"case", summary.arm.case_path}, {"variant", summary.arm.variant}, {"measure", summary.measure}});
  const std::string name = absl::StrCat("benchfleet_median_", summary.unit);
  out.push_back({name, labels, summary.median});
  if (summary.median_interval) {
    out.push_back({name + "_lower", labels, summary.median_interval->lower});
    out.push_back({name + "_upper", labels, summary.median_interval->upper});
  }
  out.push_back({name + "_min", labels, summary.min});
  out.push_back({name + "_max", labels, summary.max});
  out.push_back({name + "_rounds", labels, static_cast<double>(summary.rounds)});
  for (const auto& [counter, value] : summary.counters) {
    out.push_back({"benchfleet_counts_per_operation", With(labels, {{"counter", counter}}), value});
  }
}

void AddComparison(const Comparison& comparison, const LabelList& group, std::vector<Series>& out) {
  const LabelList labels = With(group, {{"kind", comparison.kind},
                                        {"base_case", comparison.base.case_path},
                                        {"base_variant", comparison.base.variant},
                                        {"contender_case", comparison.contender.case_path},
                                        {"contender_variant", comparison.contender.variant},
                                        {"measure", comparison.measure}});
  if (comparison.ratio) out.push_back({"benchfleet_comparison_ratio", labels, *comparison.ratio});
  if (comparison.ratio_interval) {
    out.push_back({"benchfleet_comparison_ratio_lower", labels, comparison.ratio_interval->lower});
    out.push_back({"benchfleet_comparison_ratio_upper", labels, comparison.ratio_interval->upper});
  }
  for (const Verdict verdict : {Verdict::kFaster, Verdict::kSlower, Verdict::kSame, Verdict::kInconclusive}) {
    out.push_back({"benchfleet_comparison_verdict", With(labels, {{"verdict", std::string(Word(verdict))}}),
                   comparison.verdict == verdict ? 1.0 : 0.0});
  }
}

void AddCapability(const Capability& capability, const LabelList& group, std::vector<Series>& out) {
  out.push_back({"benchfleet_capability_info",
                 With(group, {{"compiler", capability.compiler},
                              {"version", capability.version},
                              {"mode", capability.mode},
                              {"probe", capability.probe},
                              {"outcome", std::string(Word(capability.outcome))}}),
                 1});
}

std::vector<Series> GroupSeries(const ResultRow& row) {
  const LabelList group = GroupLabels(row);
  std::vector<Series> series;
  for (const Summary& summary : row.figures.summaries) AddSummary(summary, group, series);
  for (const Comparison& comparison : row.figures.comparisons) AddComparison(comparison, group, series);
  for (const Capability& capability : row.capabilities) AddCapability(capability, group, series);
  for (const auto& [subject, digest] : row.subjects) {
    series.push_back({"benchfleet_subject_info", With(group, {{"subject", subject}, {"digest", digest}}), 1});
  }
  series.push_back({"benchfleet_run_info",
                    With(group, {{"run_id", row.run_id.value()},
                                 {"commit", row.commit},
                                 {"branch", row.branch},
                                 {"host_key", row.host_key.digest}}),
                    1});
  series.push_back({"benchfleet_run_failed_samples", group, static_cast<double>(row.figures.failed_samples)});
  series.push_back({"benchfleet_run_last_success_timestamp_seconds", group, UnixSeconds(row.end_time)});
  return series;
}

// The parts that become labels are named here: label names never come from data.
LabelList HostInfoLabels(const ResultRow& row) {
  constexpr std::array<absl::string_view, 10> kParts = {"cpu_model", "microcode", "cpus_online", "smt",
                                                        "governor",  "boost",     "kernel",      "virtualization",
                                                        "cpuset",    "cpu_quota"};
  LabelList labels = {{"host", row.host.value()}, {"host_key", row.host_key.digest}};
  for (const absl::string_view part : kParts) {
    const auto it = row.host_key.parts.find(std::string(part));
    labels.emplace_back(part, it == row.host_key.parts.end() ? "unknown" : it->second);
  }
  return labels;
}

// Puts the groups into families. Returns the number of series left out.
size_t AddGroups(std::vector<ResultRow> rows, const ResultCollectorOptions& options, FamilySet& families) {
  std::sort(rows.begin(), rows.end(), [](const ResultRow& a, const ResultRow& b) {
    return std::tie(a.first_end_time, a.project, a.host, a.suite) <
           std::tie(b.first_end_time, b.project, b.host, b.suite);
  });
  size_t used = 0;
  size_t dropped = 0;
  bool full = false;
  std::map<HostName, const ResultRow*> newest_of_host;
  for (const ResultRow& row : rows) {
    const std::vector<Series> series = GroupSeries(row);
    const size_t cost = series.size() + 1;  // its host's info, which may be shared
    full = full || used + cost > options.max_series;
    if (full) {
      dropped += series.size();
      continue;
    }
    used += cost;
    for (const Series& one : series) dropped += families.Add(one.family, one.labels, one.value) ? 0 : 1;
    const ResultRow*& newest = newest_of_host[row.host];
    if (newest == nullptr || newest->end_time < row.end_time) newest = &row;
  }
  for (const auto& [host, row] : newest_of_host) families.Add("benchfleet_host_info", HostInfoLabels(*row), 1);
  return dropped;
}

void AddState(const ServiceState& state, std::vector<MetricFamily>& out) {
  MetricFamily jobs = MakeFamily("benchfleet_jobs");
  AddSeries(jobs, {{"state", "queued"}}, static_cast<double>(state.jobs_queued));
  AddSeries(jobs, {{"state", "running"}}, static_cast<double>(state.jobs_running));
  out.push_back(std::move(jobs));
  MetricFamily workers = MakeFamily("benchfleet_workers");
  AddSeries(workers, {{"state", "idle"}}, static_cast<double>(state.workers_idle));
  AddSeries(workers, {{"state", "busy"}}, static_cast<double>(state.workers_busy));
  AddSeries(workers, {{"state", "offline"}}, static_cast<double>(state.workers_offline));
  out.push_back(std::move(workers));
  out.push_back(MakeGauge("benchfleet_leases", static_cast<double>(state.leases)));
  if (state.oldest_queued) {
    out.push_back(MakeGauge("benchfleet_queue_oldest_timestamp_seconds", UnixSeconds(*state.oldest_queued)));
  }
}

}  // namespace

std::vector<MetricFamily> ResultCollector::Collect() const {
  int errors = 0;
  size_t dropped = 0;
  FamilySet families;
  if (absl::StatusOr<std::vector<ResultRow>> rows = source_.LatestResults(); rows.ok()) {
    const absl::Time now = clock_.Now();
    rows->erase(std::remove_if(rows->begin(), rows->end(),
                               [&](const ResultRow& row) { return now >= row.end_time + options_.result_ttl; }),
                rows->end());
    dropped = AddGroups(*std::move(rows), options_, families);
  } else {
    ++errors;
  }
  std::vector<MetricFamily> collected = families.Take();
  if (const absl::StatusOr<ServiceState> state = source_.CurrentState(); state.ok()) {
    AddState(*state, collected);
  } else {
    ++errors;
  }
  collected.push_back(MakeGauge("benchfleet_metrics_collect_errors", errors));
  collected.push_back(MakeGauge("benchfleet_metrics_dropped_series", static_cast<double>(dropped)));
  return collected;
}

}  // namespace benchfleet
