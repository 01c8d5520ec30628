#include "server/metrics/metric_table.h"

#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace benchfleet {
namespace {

using prometheus::MetricType;
constexpr MetricType kCounter = MetricType::Counter;
constexpr MetricType kGauge = MetricType::Gauge;
constexpr MetricType kHistogram = MetricType::Histogram;

constexpr absl::string_view kArmLabels = "project,host,suite,case,variant,measure";
constexpr absl::string_view kGroupLabels = "project,host,suite";
constexpr absl::string_view kCapabilityLabels = "project,host,suite,compiler,version,mode,probe,outcome";
constexpr absl::string_view kComparisonLabels =
    "project,host,suite,kind,base_case,base_variant,contender_case,contender_variant,measure";
constexpr absl::string_view kGrpcLabels = "grpc_type,grpc_service,grpc_method";

constexpr absl::string_view kNoResult = "no succeeded run yet, or older than the result TTL, or above the series cap";
constexpr absl::string_view kNoRatioMeasure = "as the median, and where the suite has no such measure";
constexpr absl::string_view kNoMedianInterval = "as the median, and with too few rounds for the level";
constexpr absl::string_view kNoRatio = "as the median, and without a common round";
constexpr absl::string_view kNoRatioInterval = "as the ratio, and with too few rounds for the level";
constexpr absl::string_view kNoState = "the database cannot be read";
constexpr absl::string_view kNoProc = "the kernel does not say";

const std::vector<MetricInfo>& Table() {
  static const auto* const kTable = new std::vector<MetricInfo>{
      // Results: of the newest succeeded run of each project, host and suite.
      {"benchfleet_median_seconds", kGauge, kArmLabels, "Median over the rounds of the newest succeeded run.",
       kNoResult},
      {"benchfleet_median_seconds_lower", kGauge, kArmLabels, "Lower end of the confidence interval of the median.",
       kNoMedianInterval},
      {"benchfleet_median_seconds_upper", kGauge, kArmLabels, "Upper end of the confidence interval of the median.",
       kNoMedianInterval},
      {"benchfleet_median_seconds_min", kGauge, kArmLabels, "Least value of a round of that run.", kNoResult},
      {"benchfleet_median_seconds_max", kGauge, kArmLabels, "Greatest value of a round of that run.", kNoResult},
      {"benchfleet_median_seconds_rounds", kGauge, kArmLabels, "Rounds behind the median.", kNoResult},
      {"benchfleet_median_ratio", kGauge, kArmLabels,
       "Median over the rounds of a measure that is a ratio; efficiency: 1 is the physical limit.", kNoRatioMeasure},
      {"benchfleet_median_ratio_lower", kGauge, kArmLabels, "Lower end of the confidence interval of that median.",
       kNoMedianInterval},
      {"benchfleet_median_ratio_upper", kGauge, kArmLabels, "Upper end of the confidence interval of that median.",
       kNoMedianInterval},
      {"benchfleet_median_ratio_min", kGauge, kArmLabels, "Least value of a round behind that median.",
       kNoRatioMeasure},
      {"benchfleet_median_ratio_max", kGauge, kArmLabels, "Greatest value of a round behind that median.",
       kNoRatioMeasure},
      {"benchfleet_median_ratio_rounds", kGauge, kArmLabels, "Rounds behind that median.", kNoRatioMeasure},
      {"benchfleet_counts_per_operation", kGauge, "project,host,suite,case,variant,measure,counter",
       "What was counted while measuring, per operation, mean over rounds: it explains the time.",
       "as the median, and where the suite counts nothing"},
      {"benchfleet_comparison_ratio", kGauge, kComparisonLabels,
       "Median over rounds of contender / base; above 1 the contender is slower.", kNoRatio},
      {"benchfleet_comparison_ratio_lower", kGauge, kComparisonLabels,
       "Lower end of the confidence interval of the ratio.", kNoRatioInterval},
      {"benchfleet_comparison_ratio_upper", kGauge, kComparisonLabels,
       "Upper end of the confidence interval of the ratio.", kNoRatioInterval},
      {"benchfleet_comparison_verdict", kGauge,
       "project,host,suite,kind,base_case,base_variant,contender_case,contender_variant,measure,verdict",
       "1 for the verdict of the comparison, 0 for the others.", kNoResult},
      {"benchfleet_run_info", kGauge, "project,host,suite,run_id,commit,branch,host_key",
       "Always 1: what the newest succeeded run was about, to join by project, host and suite.", kNoResult},
      {"benchfleet_subject_info", kGauge, "project,host,suite,subject,digest",
       "Always 1: what that run measured, the first part of its cases, and the digest of its identity.", kNoResult},
      {"benchfleet_capability_info", kGauge, kCapabilityLabels,
       "Always 1: what a compiler made of a feature probe in that run.",
       "as the median, and where nothing is compiled"},
      {"benchfleet_run_failed_samples", kGauge, kGroupLabels, "Failed measurements in the rounds of that run.",
       kNoResult},
      {"benchfleet_run_last_success_timestamp_seconds", kGauge, kGroupLabels, "End of that run, Unix time.", kNoResult},
      {"benchfleet_host_info", kGauge,
       "host,host_key,cpu_model,microcode,cpus_online,smt,governor,boost,kernel,virtualization,cpuset,cpu_quota",
       "Always 1: what the host was in its newest succeeded run.", kNoResult},
      // The service now.
      {"benchfleet_jobs", kGauge, "state", "Unfinished jobs in a state.", kNoState},
      {"benchfleet_workers", kGauge, "state", "Workers in a state.", kNoState},
      {"benchfleet_leases", kGauge, "", "Leases held or offered.", kNoState},
      {"benchfleet_queue_oldest_timestamp_seconds", kGauge, "", "Creation of the oldest queued run, Unix time.",
       "nothing is queued, or the database cannot be read"},
      // The service's own counters.
      {"benchfleet_jobs_submitted_total", kCounter, "suite", "Jobs accepted.", ""},
      {"benchfleet_jobs_finished_total", kCounter, "suite,outcome", "Jobs that reached a final state.", ""},
      {"benchfleet_idempotent_replays_total", kCounter, "", "Requests answered from an earlier one with the same id.",
       ""},
      {"benchfleet_admission_rejections_total", kCounter, "reason", "Jobs refused.", ""},
      {"benchfleet_lease_offers_total", kCounter, "", "Leases offered to workers.", ""},
      {"benchfleet_lease_offers_unaccepted_total", kCounter, "", "Offers that ended before the worker accepted.", ""},
      {"benchfleet_lease_renewals_total", kCounter, "", "Leases renewed.", ""},
      {"benchfleet_lease_expirations_total", kCounter, "cause", "Accepted leases that ended without a result.", ""},
      {"benchfleet_stale_completions_total", kCounter, "", "Results that came after their lease was lost.", ""},
      {"benchfleet_chunks_total", kCounter, "outcome", "Chunks of samples received from workers.", ""},
      {"benchfleet_log_messages_total", kCounter, "level", "Log messages written.", ""},
      {"benchfleet_db_commit_seconds", kHistogram, "", "Time of one commit, sync included.", ""},
      {"benchfleet_db_batch_operations", kHistogram, "", "Operations that shared one commit.", ""},
      {"grpc_server_started_total", kCounter, kGrpcLabels, "Calls started.", ""},
      {"grpc_server_handled_total", kCounter, "grpc_type,grpc_service,grpc_method,grpc_code", "Calls ended.", ""},
      {"grpc_server_handling_seconds", kHistogram, kGrpcLabels, "Time to answer a unary call.",
       "for streams, whose length says nothing"},
      // The scrape itself.
      {"benchfleet_metrics_collect_seconds", kGauge, "", "Time this scrape took to collect.", ""},
      {"benchfleet_metrics_collect_errors", kGauge, "", "Sources of results that failed in this scrape.", ""},
      {"benchfleet_metrics_series", kGauge, "", "Series in this scrape, those of the scrape itself excluded.", ""},
      {"benchfleet_metrics_dropped_series", kGauge, "", "Result series left out: above the cap or of an unknown unit.",
       ""},
      {"benchfleet_metrics_duplicate_series", kGauge, "", "Series left out because their labels were already there.",
       ""},
      // The process.
      {"benchfleet_build_info", kGauge, "version,revision,compiler,grpc", "Always 1: what this program is.", ""},
      {"process_cpu_seconds_total", kCounter, "", "User and system CPU time.", kNoProc},
      {"process_resident_memory_bytes", kGauge, "", "Resident memory.", kNoProc},
      {"process_virtual_memory_bytes", kGauge, "", "Virtual memory.", kNoProc},
      {"process_open_fds", kGauge, "", "Open file descriptors.", kNoProc},
      {"process_max_fds", kGauge, "", "Limit of open file descriptors.", kNoProc},
      {"process_threads", kGauge, "", "Threads.", kNoProc},
      {"process_start_time_seconds", kGauge, "", "Start, Unix time.", kNoProc},
  };
  return *kTable;
}

absl::string_view Word(MetricType type) {
  return type == kCounter ? "counter" : type == kHistogram ? "histogram" : "gauge";
}

// Label names as inline code, separated by spaces, so that a narrow page can wrap them.
std::string LabelCell(absl::string_view labels) {
  if (labels.empty()) return "";
  return absl::StrCat("`", absl::StrReplaceAll(labels, {{",", "` `"}}), "`");
}

}  // namespace

const std::vector<MetricInfo>& MetricTable() { return Table(); }

const MetricInfo& FindMetric(absl::string_view name) {
  for (const MetricInfo& info : Table()) {
    if (info.name == name) return info;
  }
  std::fprintf(stderr, "metric %s is not in the table of metrics\n", std::string(name).c_str());
  std::abort();
}

prometheus::MetricFamily MakeFamily(absl::string_view name) {
  const MetricInfo& info = FindMetric(name);
  return {std::string(info.name), std::string(info.help), info.type, {}};
}

void AddSeries(prometheus::MetricFamily& family, const LabelList& labels, double value) {
  prometheus::ClientMetric metric;
  for (const auto& [name, text] : labels) metric.label.push_back({name, text});
  (family.type == kCounter ? metric.counter.value : metric.gauge.value) = value;
  family.metric.push_back(std::move(metric));
}

prometheus::MetricFamily MakeGauge(absl::string_view name, double value) {
  prometheus::MetricFamily family = MakeFamily(name);
  AddSeries(family, {}, value);
  return family;
}

std::string MetricTableMarkdown() {
  std::string out = "| name | type | labels | meaning | absent when |\n|---|---|---|---|---|\n";
  for (const MetricInfo& info : Table()) {
    absl::StrAppend(&out, "| `", info.name, "` | ", Word(info.type), " | ", LabelCell(info.labels), " | ", info.help,
                    " | ", info.absent, " |\n");
  }
  return out;
}

}  // namespace benchfleet
