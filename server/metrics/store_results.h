// Results and counts for metrics, read from the store.
#ifndef BENCHFLEET_SERVER_METRICS_STORE_RESULTS_H_
#define BENCHFLEET_SERVER_METRICS_STORE_RESULTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "common/base/clock.h"
#include "server/core/coordinator.h"
#include "server/core/job_store.h"
#include "server/metrics/result_collector.h"

namespace benchfleet {

// Thread-safety: safe. Ownership: borrows the store and the clock.
class StoreResults final : public ResultSource {
 public:
  StoreResults(JobStore& store, const Clock& clock, CoordinatorOptions options)
      : store_(store), clock_(clock), options_(std::move(options)) {}

  absl::StatusOr<std::vector<ResultRow>> LatestResults() override;
  absl::StatusOr<ServiceState> CurrentState() override;

 private:
  JobStore& store_;
  const Clock& clock_;
  const CoordinatorOptions options_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_STORE_RESULTS_H_
