// What users see of a job, read in one piece.
#ifndef BENCHFLEET_SERVER_CORE_JOB_VIEWS_H_
#define BENCHFLEET_SERVER_CORE_JOB_VIEWS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/core/coordinator.h"
#include "server/core/job_store.h"

namespace benchfleet {

struct RunView {
  RunRecord run;
  std::vector<AttemptRecord> attempts;
};

struct JobView {
  JobRecord job;
  std::string state_reason;  // empty when there is nothing to say
  std::vector<RunView> runs;
};

enum class WorkerAvailability { kIdle, kBusy, kOffline };

struct HostView {
  SessionRecord session;  // its newest
  WorkerAvailability state = WorkerAvailability::kOffline;
  RunId run_id;  // the run it holds; empty: none
};

// kNotFound JOB_NOT_FOUND.
absl::StatusOr<JobView> ReadJobView(StoreReader& store, const JobId& id, absl::Time now,
                                    const CoordinatorOptions& options);
// The same for a record that was read already.
absl::StatusOr<JobView> ReadJobView(StoreReader& store, JobRecord job, absl::Time now,
                                    const CoordinatorOptions& options);

absl::StatusOr<HostView> ReadHostView(StoreReader& store, SessionRecord session, absl::Time now,
                                      const CoordinatorOptions& options);

// Visits every host's newest session, by name. The first error ends it.
absl::Status ForEachHost(StoreReader& store, absl::FunctionRef<absl::Status(const SessionRecord&)> visit);

// Whether the worker can be given work at all.
bool IsOnline(const SessionRecord& session, absl::Time now, const CoordinatorOptions& options);

// Why runs that are queued still wait, for a person: "no worker online matches 'pool=lab'".
// Empty when nothing is queued.
absl::StatusOr<std::string> WhyQueued(StoreReader& store, const std::vector<RunRecord>& runs, absl::Time now,
                                      const CoordinatorOptions& options);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_JOB_VIEWS_H_
