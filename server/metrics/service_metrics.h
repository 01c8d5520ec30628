// The service's own counters and histograms, built once in main and passed to who counts.
#ifndef BENCHFLEET_SERVER_METRICS_SERVICE_METRICS_H_
#define BENCHFLEET_SERVER_METRICS_SERVICE_METRICS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "prometheus/counter.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"

namespace benchfleet {

// A counter family with labels, each expected series made, at 0, at construction.
// Thread-safety: safe.
class CounterByLabels {
 public:
  using Values = std::vector<std::string>;

  // `name` is in the metric table; `series` has the label values in the table's order.
  CounterByLabels(prometheus::Registry& registry, absl::string_view name, const std::vector<Values>& series);

  // Values that were not expected are counted under "other", so that no caller can make
  // the number of series grow.
  prometheus::Counter& At(const Values& values);

 private:
  prometheus::Family<prometheus::Counter>& family_;
  const Values labels_;
  std::map<Values, prometheus::Counter*> series_;
};

// An rpc the server offers.
struct GrpcMethod {
  std::string service;  // "benchfleet.v1.WorkerService"
  std::string method;   // "Sync"
  std::string type;     // "unary", "server_stream", "client_stream", "bidi_stream"
};

// The usual names of gRPC server metrics, so that common dashboards work.
// Thread-safety: safe.
class GrpcMetrics {
 public:
  GrpcMetrics(prometheus::Registry& registry, const std::vector<GrpcMethod>& methods);

  // `path`: "/benchfleet.v1.WorkerService/Sync"; a path nobody serves counts as "other".
  void Started(absl::string_view path);
  // `code`: of grpc::StatusCode. `elapsed` is observed for unary methods only.
  void Handled(absl::string_view path, int code, absl::Duration elapsed);

 private:
  struct Series {
    prometheus::Counter* started = nullptr;
    std::vector<prometheus::Counter*> handled;          // by code
    prometheus::Histogram* handling_seconds = nullptr;  // unary only
  };
  const Series& Find(absl::string_view path) const;

  std::map<std::string, Series> by_path_;
  Series other_;
};

// Thread-safety: safe. Ownership: borrows the registry, which must outlive it.
struct ServiceMetrics {
  ServiceMetrics(prometheus::Registry& registry, const std::vector<std::string>& suites,
                 const std::vector<GrpcMethod>& methods);

  CounterByLabels jobs_submitted;  // suite
  CounterByLabels jobs_finished;   // suite, outcome: word of a terminal JobState
  prometheus::Counter& idempotent_replays;
  CounterByLabels admission_rejections;  // reason: invalid, quota, no_host, draining
  prometheus::Counter& lease_offers;
  prometheus::Counter& lease_offers_unaccepted;
  prometheus::Counter& lease_renewals;
  CounterByLabels lease_expirations;  // cause: heartbeat, deadline, session_ended
  prometheus::Counter& stale_completions;
  CounterByLabels chunks;        // outcome: stored, duplicate, late
  CounterByLabels log_messages;  // level: debug, info, warning, error
  prometheus::Histogram& db_commit_seconds;
  prometheus::Histogram& db_batch_operations;
  GrpcMetrics grpc;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_SERVICE_METRICS_H_
