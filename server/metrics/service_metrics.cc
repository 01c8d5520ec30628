#include "server/metrics/service_metrics.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/model/states.h"
#include "server/metrics/metric_table.h"

namespace benchfleet {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Histogram;
using prometheus::Registry;

constexpr absl::string_view kOther = "other";

// By number, 0 to 16; the spelling is the one of the usual gRPC metrics.
constexpr std::array<absl::string_view, 17> kGrpcCodes = {
    "OK",       "Canceled",       "Unknown",          "InvalidArgument",   "DeadlineExceeded",
    "NotFound", "AlreadyExists",  "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
    "Aborted",  "OutOfRange",     "Unimplemented",    "Internal",          "Unavailable",
    "DataLoss", "Unauthenticated"};
constexpr int kUnknownCode = 2;

const std::vector<double>& SecondsBuckets() {
  static const auto* const kBuckets =
      new std::vector<double>{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};
  return *kBuckets;
}

const std::vector<double>& BatchBuckets() {
  static const auto* const kBuckets = new std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256};
  return *kBuckets;
}

Family<Counter>& CounterFamily(Registry& registry, absl::string_view name) {
  const MetricInfo& info = FindMetric(name);
  return prometheus::BuildCounter().Name(std::string(info.name)).Help(std::string(info.help)).Register(registry);
}

Family<Histogram>& HistogramFamily(Registry& registry, absl::string_view name) {
  const MetricInfo& info = FindMetric(name);
  return prometheus::BuildHistogram().Name(std::string(info.name)).Help(std::string(info.help)).Register(registry);
}

std::vector<CounterByLabels::Values> SuitesAndOutcomes(const std::vector<std::string>& suites) {
  std::vector<CounterByLabels::Values> series;
  for (const std::string& suite : suites) {
    for (const JobState state : {JobState::kSucceeded, JobState::kFailed, JobState::kCancelled, JobState::kExpired,
                                 JobState::kQuarantined, JobState::kPartial}) {
      series.push_back({suite, std::string(Word(state))});
    }
  }
  return series;
}

std::vector<CounterByLabels::Values> OneLabel(const std::vector<std::string>& values) {
  std::vector<CounterByLabels::Values> series;
  for (const std::string& value : values) series.push_back({value});
  return series;
}

}  // namespace

CounterByLabels::CounterByLabels(Registry& registry, absl::string_view name, const std::vector<Values>& series)
    : family_(CounterFamily(registry, name)), labels_(absl::StrSplit(FindMetric(name).labels, ',')) {
  for (const Values& values : series) {
    prometheus::Labels labels;
    for (size_t i = 0; i < labels_.size(); ++i) labels[labels_[i]] = values.at(i);
    series_[values] = &family_.Add(labels);
  }
}

Counter& CounterByLabels::At(const Values& values) {
  if (const auto it = series_.find(values); it != series_.end()) return *it->second;
  prometheus::Labels labels;
  for (const std::string& label : labels_) labels[label] = std::string(kOther);
  return family_.Add(labels);
}

GrpcMetrics::GrpcMetrics(Registry& registry, const std::vector<GrpcMethod>& methods) {
  Family<Counter>& started = CounterFamily(registry, "grpc_server_started_total");
  Family<Counter>& handled = CounterFamily(registry, "grpc_server_handled_total");
  Family<Histogram>& handling = HistogramFamily(registry, "grpc_server_handling_seconds");
  const auto make_series = [&](const GrpcMethod& method) {
    const prometheus::Labels labels = {
        {"grpc_type", method.type}, {"grpc_service", method.service}, {"grpc_method", method.method}};
    Series series;
    series.started = &started.Add(labels);
    for (const absl::string_view code : kGrpcCodes) {
      prometheus::Labels with_code = labels;
      with_code["grpc_code"] = std::string(code);
      series.handled.push_back(&handled.Add(with_code));
    }
    if (method.type == "unary") series.handling_seconds = &handling.Add(labels, SecondsBuckets());
    return series;
  };
  for (const GrpcMethod& method : methods) {
    by_path_[absl::StrCat("/", method.service, "/", method.method)] = make_series(method);
  }
  other_ = make_series({std::string(kOther), std::string(kOther), std::string(kOther)});
}

const GrpcMetrics::Series& GrpcMetrics::Find(absl::string_view path) const {
  const auto it = by_path_.find(std::string(path));
  return it == by_path_.end() ? other_ : it->second;
}

void GrpcMetrics::Started(absl::string_view path) { Find(path).started->Increment(); }

void GrpcMetrics::Handled(absl::string_view path, int code, absl::Duration elapsed) {
  const Series& series = Find(path);
  const bool known = code >= 0 && static_cast<size_t>(code) < series.handled.size();
  series.handled[static_cast<size_t>(known ? code : kUnknownCode)]->Increment();
  if (series.handling_seconds != nullptr) series.handling_seconds->Observe(absl::ToDoubleSeconds(elapsed));
}

ServiceMetrics::ServiceMetrics(Registry& registry, const std::vector<std::string>& suites,
                               const std::vector<GrpcMethod>& methods)
    : jobs_submitted(registry, "benchfleet_jobs_submitted_total", OneLabel(suites)),
      jobs_finished(registry, "benchfleet_jobs_finished_total", SuitesAndOutcomes(suites)),
      idempotent_replays(CounterFamily(registry, "benchfleet_idempotent_replays_total").Add({})),
      admission_rejections(registry, "benchfleet_admission_rejections_total",
                           OneLabel({"invalid", "quota", "no_host", "draining"})),
      lease_offers(CounterFamily(registry, "benchfleet_lease_offers_total").Add({})),
      lease_offers_unaccepted(CounterFamily(registry, "benchfleet_lease_offers_unaccepted_total").Add({})),
      lease_renewals(CounterFamily(registry, "benchfleet_lease_renewals_total").Add({})),
      lease_expirations(registry, "benchfleet_lease_expirations_total",
                        OneLabel({std::string(Word(AttemptEnd::kHeartbeat)), std::string(Word(AttemptEnd::kDeadline)),
                                  std::string(Word(AttemptEnd::kSessionEnded))})),
      stale_completions(CounterFamily(registry, "benchfleet_stale_completions_total").Add({})),
      chunks(registry, "benchfleet_chunks_total", OneLabel({"stored", "duplicate", "late"})),
      log_messages(registry, "benchfleet_log_messages_total", OneLabel({"debug", "info", "warning", "error"})),
      db_commit_seconds(HistogramFamily(registry, "benchfleet_db_commit_seconds").Add({}, SecondsBuckets())),
      db_batch_operations(HistogramFamily(registry, "benchfleet_db_batch_operations").Add({}, BatchBuckets())),
      grpc(registry, methods) {}

}  // namespace benchfleet
