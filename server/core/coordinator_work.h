// The inside of one unit of work: steps of the lease rules are written down here, with
// the attempts, events and job states that follow from them.
#ifndef BENCHFLEET_SERVER_CORE_COORDINATOR_WORK_H_
#define BENCHFLEET_SERVER_CORE_COORDINATOR_WORK_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/core/coordinator.h"

namespace benchfleet {

// Thread-safety: none. Lives for one try of a unit of work.
class Coordinator::Work {
 public:
  Work(StoreWriter& store, absl::Time now, const CoordinatorOptions& options)
      : store_(store), now_(now), options_(options) {}

  StoreWriter& store() { return store_; }
  absl::Time now() const { return now_; }
  const CoordinatorOptions& options() const { return options_; }
  Notices& notices() { return notices_; }

  // Remembers something to count once the work is durable.
  void AfterCommit(std::function<void(CoordinatorObserver&)> count) { counts_.push_back(std::move(count)); }
  const std::vector<std::function<void(CoordinatorObserver&)>>& counts() const { return counts_; }

  // The session, if it is the newest of its host and not closed.
  absl::StatusOr<SessionRecord> RequireSession(const SessionId& id);
  absl::StatusOr<JobRecord> RequireJob(const JobId& id);
  absl::StatusOr<RunRecord> RequireRun(const RunId& id);

  // Writes a step down: run, attempt, events, job state. `run` becomes its new self.
  absl::Status Apply(RunRecord& run, const LeaseStep& step);

  // Offers the oldest queued run that fits the worker, if its kernel is free.
  // The run that was offered, or nullopt.
  absl::StatusOr<std::optional<RunRecord>> OfferTo(const SessionRecord& worker);

  // Adds to the job's events what has become of a run.
  absl::Status AddEvent(const RunRecord& run, std::string message, std::optional<LeaseEpoch> plan_of);

  // Notes in the run what a stored chunk says of its progress, with an event.
  absl::Status NoteProgress(RunRecord& run, const Chunk& chunk);

  // A reported end, once the samples behind it were looked at.
  struct Judged {
    AttemptEnd end;
    std::string detail;
  };
  // Computes and stores the figures of what the attempt sent. A success whose samples
  // give no figures is a failure.
  absl::StatusOr<Judged> Judge(const RunRecord& run, const Completion& completion);

 private:
  // Derives the job's state from its runs and stores it.
  absl::Status UpdateJobState(const JobId& id);

  StoreWriter& store_;
  const absl::Time now_;
  const CoordinatorOptions& options_;
  Notices notices_;
  std::vector<std::function<void(CoordinatorObserver&)>> counts_;
};

inline LeaseOwner OwnerOf(const SessionRecord& session) { return {session.host, session.facts.boot_id}; }

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_COORDINATOR_WORK_H_
