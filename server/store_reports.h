// Jobs and reports for the pages, read from the store.
#ifndef BENCHFLEET_SERVER_STORE_REPORTS_H_
#define BENCHFLEET_SERVER_STORE_REPORTS_H_

#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "server/core/coordinator.h"
#include "server/core/job_store.h"
#include "server/http/report_source.h"

namespace benchfleet {

// Thread-safety: safe. Ownership: borrows the store and the clock.
class StoreReports final : public ReportSource {
 public:
  StoreReports(JobStore& store, const Clock& clock, CoordinatorOptions options)
      : store_(store), clock_(clock), options_(std::move(options)) {}

  absl::StatusOr<std::vector<JobLine>> NewestJobs(int limit) override;
  absl::StatusOr<v1::Report> ReadReport(absl::string_view job_id) override;

 private:
  JobStore& store_;
  const Clock& clock_;
  const CoordinatorOptions options_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_REPORTS_H_
