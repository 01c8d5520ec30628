// The operations of the port inside one open transaction of one connection. A reader's
// connection refuses the writing ones.
//
// Thread-safety: none. Errors: of the port. After an operation failed for another reason
// than a lost race, failure() says so, and the unit of work must be undone even if its
// function went on.
#ifndef BENCHFLEET_SERVER_STORE_SQLITE_TRANSACTION_H_
#define BENCHFLEET_SERVER_STORE_SQLITE_TRANSACTION_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/core/job_store.h"
#include "server/store/sqlite_connection.h"

namespace benchfleet {

class SqliteTransaction final : public StoreWriter {
 public:
  explicit SqliteTransaction(SqliteConnection& connection) : connection_(connection) {}

  const absl::Status& failure() const { return failure_; }

  absl::StatusOr<std::optional<JobRecord>> FindJob(const JobId& id) override;
  absl::StatusOr<std::vector<JobRecord>> ListJobs(const JobQuery& query) override;
  absl::StatusOr<std::vector<RunRecord>> RunsOfJob(const JobId& id) override;
  absl::StatusOr<std::optional<RunRecord>> FindRun(const RunId& id) override;
  absl::StatusOr<std::vector<AttemptRecord>> AttemptsOfRun(const RunId& id) override;
  absl::StatusOr<std::optional<AttemptRecord>> FindAttempt(const RunId& id, LeaseEpoch epoch) override;
  absl::StatusOr<std::optional<uint32_t>> ChunkCrc(const RunId& id, LeaseEpoch epoch, int index) override;
  absl::StatusOr<std::optional<RunPlan>> PlanOfAttempt(const RunId& id, LeaseEpoch epoch) override;
  absl::StatusOr<std::vector<Round>> RoundsOfAttempt(const RunId& id, LeaseEpoch epoch) override;
  absl::StatusOr<std::vector<SampleRecord>> ListSamples(const SampleQuery& query) override;
  absl::StatusOr<std::optional<RunFigures>> FiguresOfRun(const RunId& id) override;
  absl::StatusOr<std::vector<EventRecord>> EventsOfJob(const JobId& id, int64_t from_number, int limit) override;
  absl::StatusOr<std::optional<SessionRecord>> FindSession(const SessionId& id) override;
  absl::StatusOr<std::vector<SessionRecord>> ListHosts(const HostName& after, int limit) override;
  absl::StatusOr<std::optional<SessionRecord>> NewestSession(const HostName& host) override;
  absl::StatusOr<std::vector<RunRecord>> LeasesOfHost(const HostName& host) override;
  absl::StatusOr<bool> KernelHasLease(const std::string& boot_id) override;
  absl::StatusOr<std::vector<QueueGroup>> QueueGroups() override;
  absl::StatusOr<std::optional<RunRecord>> OldestQueued(int64_t group_id) override;
  absl::StatusOr<std::vector<RunRecord>> OverdueRuns(absl::Time now, int limit) override;
  absl::StatusOr<std::optional<RequestRecord>> FindRequest(const std::string& request_id) override;
  absl::StatusOr<std::vector<ResultRecord>> LatestResults() override;
  absl::StatusOr<std::map<JobState, int64_t>> CountJobsNotEnded() override;
  absl::StatusOr<std::map<RunState, int64_t>> CountRunsNotEnded() override;
  absl::StatusOr<std::optional<absl::Time>> OldestQueuedTime() override;

  absl::Status InsertJob(const JobRecord& job, const std::vector<RunRecord>& runs) override;
  absl::Status SetJobState(const JobId& id, JobState state, std::optional<absl::Time> end_time) override;
  absl::Status InsertRequest(const std::string& request_id, const RequestRecord& request, absl::Time now) override;
  absl::Status UpdateRun(const RunLease& before, const RunRecord& run) override;
  absl::StatusOr<LeaseEpoch> NextEpoch() override;
  absl::Status InsertAttempt(const AttemptRecord& attempt) override;
  absl::Status EndAttempt(const RunId& id, LeaseEpoch epoch, AttemptEnd end, const std::string& detail,
                          absl::Time now) override;
  absl::Status InsertChunk(const RunId& id, LeaseEpoch epoch, const Chunk& chunk, uint32_t chunks_crc32c) override;
  absl::Status InsertLateResult(const RunId& id, LeaseEpoch epoch, const HostName& host, const std::string& payload,
                                absl::Time now) override;
  absl::Status InsertFigures(const RunId& id, LeaseEpoch epoch, const RunFigures& figures) override;
  absl::StatusOr<int64_t> InsertEvent(const JobId& id, const EventRecord& event) override;
  absl::Status InsertSession(const SessionRecord& session) override;
  absl::Status UpdateSession(const SessionRecord& session) override;
  absl::Status ExtendLeases(absl::Time not_before) override;

 private:
  // Runs one operation with exceptions turned into statuses, and notes its failure.
  template <typename Work>
  auto Do(Work work) -> decltype(work()) {
    auto result = connection_.Guarded(std::move(work));
    const absl::Status status = StatusIn(result);
    if (!absl::IsAborted(status)) failure_.Update(status);
    return result;
  }
  static absl::Status StatusIn(const absl::Status& status) { return status; }
  template <typename T>
  static absl::Status StatusIn(const absl::StatusOr<T>& result) {
    return result.status();
  }

  // Steps of the operations; they throw, so inside Do() only.
  std::optional<int64_t> AttemptRow(const RunId& id, LeaseEpoch epoch);
  absl::StatusOr<std::vector<JobRecord>> JobsInState(const JobQuery& query, std::optional<JobState> state);
  absl::StatusOr<RunFigures> FiguresOfAttempt(int64_t attempt);
  int64_t GroupOf(const RunRecord& run);
  void InsertRun(const JobRecord& job, const RunRecord& run);
  void StoreLease(const RunRecord& run);
  void NoteResult(const RunRecord& run);
  void InsertRounds(int64_t attempt, const std::vector<Round>& rounds);
  void InsertSummary(int64_t attempt, int ordinal, const Summary& summary);
  void InsertComparison(int64_t attempt, int ordinal, const Comparison& comparison);
  int64_t NextNumber(const char* sql, int64_t attempt);

  SqliteConnection& connection_;
  absl::Status failure_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_SQLITE_TRANSACTION_H_
