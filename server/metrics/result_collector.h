// Results of benchmarks, and the service's present state, as metric families.
#ifndef BENCHFLEET_SERVER_METRICS_RESULT_COLLECTOR_H_
#define BENCHFLEET_SERVER_METRICS_RESULT_COLLECTOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "common/model/capability.h"
#include "common/model/figures.h"
#include "common/model/ids.h"
#include "common/model/plan.h"
#include "prometheus/collectable.h"
#include "prometheus/metric_family.h"

namespace benchfleet {

// The newest succeeded run of one (project, host, suite), called a group.
struct ResultRow {
  std::string project;
  HostName host;  // of an ephemeral worker: its pool's name
  std::string suite;
  RunId run_id;
  std::string commit;
  std::string branch;
  absl::Time end_time;
  absl::Time first_end_time;  // end of the group's first succeeded run
  Key host_key;
  std::set<std::pair<std::string, std::string>> subjects;  // what was measured ("gfortran@12.2.0") and its digest
  std::vector<Capability> capabilities;
  RunFigures figures;
};

// Counts of what is going on now.
struct ServiceState {
  int64_t jobs_queued = 0;
  int64_t jobs_running = 0;
  int64_t workers_idle = 0;
  int64_t workers_busy = 0;
  int64_t workers_offline = 0;
  int64_t leases = 0;
  std::optional<absl::Time> oldest_queued;  // creation of the oldest queued run
};

// The port: where committed rows come from.
// Thread-safety: safe. Errors: any; the scrape goes on without those families. A call
// must be quick: it runs on the HTTP listener's thread.
class ResultSource {
 public:
  virtual ~ResultSource() = default;
  // One row per group, in any order.
  virtual absl::StatusOr<std::vector<ResultRow>> LatestResults() = 0;
  virtual absl::StatusOr<ServiceState> CurrentState() = 0;
};

struct ResultCollectorOptions {
  absl::Duration result_ttl = absl::Hours(24 * 14);
  // An arm of the compile suite has about 60 series, and a host with many interpreters
  // hundreds of arms. This many take about half a second and 10 MB to serve.
  size_t max_series = 50'000;
};

// Builds every family anew at each scrape, so that what is gone from the source is gone
// from the scrape. A result is exported while now < end_time + result_ttl. Above
// max_series, groups are left out whole, those that appeared last first, so that a flood
// of new hosts cannot displace what is already watched.
//
// Thread-safety: safe. Ownership: borrows both, which must outlive it.
class ResultCollector final : public prometheus::Collectable {
 public:
  ResultCollector(ResultSource& source, const Clock& clock, ResultCollectorOptions options = {})
      : source_(source), clock_(clock), options_(options) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  ResultSource& source_;
  const Clock& clock_;
  const ResultCollectorOptions options_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_RESULT_COLLECTOR_H_
