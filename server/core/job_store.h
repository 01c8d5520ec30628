// The port to durable truth. One schema and one set of operations; engines behind it
// differ only in how they keep transactions apart.
//
// A unit of work runs alone against everything that was committed before it, and all it
// did becomes visible and durable together, or not at all. Decisions are made inside it
// by the pure rules of server/core, so no decision ever rests on a stale read.
//
// Thread-safety: safe. Errors: kUnavailable, the engine cannot work now (disk full, file
// gone, database down), nothing was changed and the same call may be tried again;
// kInternal, the stored data contradicts itself. What `work` returns is returned.
#ifndef BENCHFLEET_SERVER_CORE_JOB_STORE_H_
#define BENCHFLEET_SERVER_CORE_JOB_STORE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/core/records.h"

namespace benchfleet {

// A look-up that finds nothing gives nullopt or an empty list; a Status is the engine's.
class StoreReader {
 public:
  virtual ~StoreReader() = default;

  virtual absl::StatusOr<std::optional<JobRecord>> FindJob(const JobId& id) = 0;
  virtual absl::StatusOr<std::vector<JobRecord>> ListJobs(const JobQuery& query) = 0;  // newest first
  virtual absl::StatusOr<std::vector<RunRecord>> RunsOfJob(const JobId& id) = 0;       // by index
  virtual absl::StatusOr<std::optional<RunRecord>> FindRun(const RunId& id) = 0;

  // Oldest first.
  virtual absl::StatusOr<std::vector<AttemptRecord>> AttemptsOfRun(const RunId& id) = 0;
  virtual absl::StatusOr<std::optional<AttemptRecord>> FindAttempt(const RunId& id, LeaseEpoch epoch) = 0;
  virtual absl::StatusOr<std::optional<uint32_t>> ChunkCrc(const RunId& id, LeaseEpoch epoch, int index) = 0;
  virtual absl::StatusOr<std::optional<RunPlan>> PlanOfAttempt(const RunId& id, LeaseEpoch epoch) = 0;
  // Every round of the attempt, parts of one round apart, in the order they came.
  virtual absl::StatusOr<std::vector<Round>> RoundsOfAttempt(const RunId& id, LeaseEpoch epoch) = 0;
  virtual absl::StatusOr<std::vector<SampleRecord>> ListSamples(const SampleQuery& query) = 0;
  virtual absl::StatusOr<std::optional<RunFigures>> FiguresOfRun(const RunId& id) = 0;

  virtual absl::StatusOr<std::vector<EventRecord>> EventsOfJob(const JobId& id, int64_t from_number, int limit) = 0;

  virtual absl::StatusOr<std::optional<SessionRecord>> FindSession(const SessionId& id) = 0;
  // The newest session of each host; by name, after `after`.
  virtual absl::StatusOr<std::vector<SessionRecord>> ListHosts(const HostName& after, int limit) = 0;
  virtual absl::StatusOr<std::optional<SessionRecord>> NewestSession(const HostName& host) = 0;

  // OFFERED and RUNNING runs.
  virtual absl::StatusOr<std::vector<RunRecord>> LeasesOfHost(const HostName& host) = 0;
  virtual absl::StatusOr<bool> KernelHasLease(const std::string& boot_id) = 0;

  // Groups with at least one QUEUED run; then the oldest QUEUED run of one of them.
  virtual absl::StatusOr<std::vector<QueueGroup>> QueueGroups() = 0;
  virtual absl::StatusOr<std::optional<RunRecord>> OldestQueued(int64_t group_id) = 0;
  // Runs, not ended, whose expires_at or deadline_at is not after `now`, most overdue first.
  virtual absl::StatusOr<std::vector<RunRecord>> OverdueRuns(absl::Time now, int limit) = 0;

  // The job an idempotent request made, with the digest of its body.
  struct RequestRecord {
    std::string digest;
    JobId job_id;
  };
  virtual absl::StatusOr<std::optional<RequestRecord>> FindRequest(const std::string& request_id) = 0;

  // For metrics: the newest succeeded run of each (project, host, suite), and counts.
  virtual absl::StatusOr<std::vector<ResultRecord>> LatestResults() = 0;
  virtual absl::StatusOr<std::map<JobState, int64_t>> CountJobsNotEnded() = 0;
  virtual absl::StatusOr<std::map<RunState, int64_t>> CountRunsNotEnded() = 0;
  virtual absl::StatusOr<std::optional<absl::Time>> OldestQueuedTime() = 0;
};

class StoreWriter : public StoreReader {
 public:
  virtual absl::Status InsertJob(const JobRecord& job, const std::vector<RunRecord>& runs) = 0;
  virtual absl::Status SetJobState(const JobId& id, JobState state, std::optional<absl::Time> end_time) = 0;
  virtual absl::Status InsertRequest(const std::string& request_id, const RequestRecord& request, absl::Time now) = 0;

  // Replaces the run's mutable part (lease, rounds, end reason). `before` is the lease it
  // was read with: state, epoch and owner must still be these. kAborted: they are not.
  virtual absl::Status UpdateRun(const RunLease& before, const RunRecord& run) = 0;
  // Greater than every epoch before it, in this database and its restored copies.
  virtual absl::StatusOr<LeaseEpoch> NextEpoch() = 0;

  virtual absl::Status InsertAttempt(const AttemptRecord& attempt) = 0;
  virtual absl::Status EndAttempt(const RunId& id, LeaseEpoch epoch, AttemptEnd end, const std::string& detail,
                                  absl::Time now) = 0;
  // The chunk's index is the attempt's number of chunks; samples become rows. The
  // attempt then has one chunk more, and `chunks_crc32c`.
  virtual absl::Status InsertChunk(const RunId& id, LeaseEpoch epoch, const Chunk& chunk, uint32_t chunks_crc32c) = 0;
  // Something a stale lease sent: kept for forensics, never read for figures.
  virtual absl::Status InsertLateResult(const RunId& id, LeaseEpoch epoch, const HostName& host,
                                        const std::string& payload, absl::Time now) = 0;
  virtual absl::Status InsertFigures(const RunId& id, LeaseEpoch epoch, const RunFigures& figures) = 0;

  // Gives the event its number and returns it.
  virtual absl::StatusOr<int64_t> InsertEvent(const JobId& id, const EventRecord& event) = 0;

  virtual absl::Status InsertSession(const SessionRecord& session) = 0;
  // Replaces last_seen, last_sequence, wants_work, idle_reason and closed.
  virtual absl::Status UpdateSession(const SessionRecord& session) = 0;

  // Gives every live lease and waiting run at least this much longer: the coordinator was away.
  virtual absl::Status ExtendLeases(absl::Time not_before) = 0;
};

class JobStore {
 public:
  virtual ~JobStore() = default;
  // `operation` names the work in metrics and logs; it is one of a fixed set. `work` may
  // run more than once before it counts, so it must not keep state of an earlier try.
  // An error from `work` undoes what it did.
  virtual absl::Status Write(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work) = 0;
  virtual absl::Status Read(absl::string_view operation, absl::FunctionRef<absl::Status(StoreReader&)> work) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_JOB_STORE_H_
