// A job's report, read in one piece.
#ifndef BENCHFLEET_SERVER_RPC_REPORT_VIEW_H_
#define BENCHFLEET_SERVER_RPC_REPORT_VIEW_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchfleet/v1/report.pb.h"
#include "server/core/coordinator.h"
#include "server/core/job_store.h"

namespace benchfleet {

// Every figure the job has so far; with the value of every round where asked for.
// kNotFound JOB_NOT_FOUND.
absl::StatusOr<v1::Report> ReadReport(StoreReader& store, const JobId& id, absl::Time now,
                                      const CoordinatorOptions& options, bool with_round_values);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_REPORT_VIEW_H_
