// Runs, leases and the queue. Nothing here reads more rows than it answers with, however
// long the queue is; the counts for metrics are the exception.
#include <tuple>

#include "server/store/sqlite_codec.h"
#include "server/store/sqlite_rows.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {
namespace {

absl::Time DueTime(const RunRecord& run) { return std::min(run.lease.expires_at, run.lease.deadline_at); }

// The next group with a queued run: one step in the index, whatever the groups hold.
constexpr char kNextGroup[] =
    "SELECT id, selector, bound_host FROM queue_groups WHERE id = "
    "(SELECT min(group_id) FROM runs WHERE state = 'queued' AND group_id > ?)";

}  // namespace

absl::StatusOr<std::vector<RunRecord>> SqliteTransaction::RunsOfJob(const JobId& id) {
  return Do([&] {
    Query query(connection_, BF_SELECT_RUNS "WHERE r.job_id = ? ORDER BY r.run_index", id.value());
    return AllRows(query, ReadRun);
  });
}

absl::StatusOr<std::optional<RunRecord>> SqliteTransaction::FindRun(const RunId& id) {
  return Do([&] {
    Query query(connection_, BF_SELECT_RUNS "WHERE r.id = ?", id.value());
    return MaybeRow(query, ReadRun);
  });
}

absl::StatusOr<std::vector<RunRecord>> SqliteTransaction::LeasesOfHost(const HostName& host) {
  return Do([&] {
    Query query(connection_, BF_SELECT_RUNS "WHERE r.id IN (SELECT run_id FROM leases WHERE host = ?) ORDER BY r.id",
                host.value());
    return AllRows(query, ReadRun);
  });
}

absl::StatusOr<bool> SqliteTransaction::KernelHasLease(const std::string& boot_id) {
  return Do([&]() -> absl::StatusOr<bool> {
    Query query(connection_, "SELECT 1 FROM leases WHERE boot_id = ? LIMIT 1", boot_id);
    return query.Step();
  });
}

absl::StatusOr<std::vector<QueueGroup>> SqliteTransaction::QueueGroups() {
  return Do([&]() -> absl::StatusOr<std::vector<QueueGroup>> {
    std::vector<QueueGroup> groups;
    for (int64_t last = 0;; last = groups.back().id) {
      Query query(connection_, kNextGroup, last);
      if (!query.Step()) return groups;
      QueueGroup group;
      group.id = query.Int();
      BF_ASSIGN_OR_RETURN(group.selector, SelectorFromColumn(query.Text()));
      group.bound_host = HostName(query.Text());
      groups.push_back(std::move(group));
    }
  });
}

absl::StatusOr<std::optional<RunRecord>> SqliteTransaction::OldestQueued(int64_t group_id) {
  return Do([&] {
    Query query(connection_,
                BF_SELECT_RUNS
                "WHERE r.state = 'queued' AND r.group_id = ? "
                "ORDER BY r.create_ns, r.job_id, r.run_index LIMIT 1",
                group_id);
    return MaybeRow(query, ReadRun);
  });
}

absl::StatusOr<std::vector<RunRecord>> SqliteTransaction::OverdueRuns(absl::Time now, int limit) {
  return Do([&]() -> absl::StatusOr<std::vector<RunRecord>> {
    const int rows = RowLimit(limit);
    Query leased(connection_,
                 BF_SELECT_RUNS
                 "WHERE r.id IN (SELECT run_id FROM leases WHERE min(expires_ns, deadline_ns) <= ? "
                 "ORDER BY min(expires_ns, deadline_ns), run_id LIMIT ?)",
                 now, rows);
    BF_ASSIGN_OR_RETURN(std::vector<RunRecord> runs, AllRows(leased, ReadRun));
    Query queued(connection_,
                 BF_SELECT_RUNS
                 "WHERE r.state = 'queued' AND min(r.expires_ns, r.deadline_ns) <= ? "
                 "ORDER BY min(r.expires_ns, r.deadline_ns), r.id LIMIT ?",
                 now, rows);
    BF_ASSIGN_OR_RETURN(std::vector<RunRecord> waiting, AllRows(queued, ReadRun));
    std::move(waiting.begin(), waiting.end(), std::back_inserter(runs));
    std::sort(runs.begin(), runs.end(), [](const RunRecord& a, const RunRecord& b) {
      return std::tuple(DueTime(a), a.id) < std::tuple(DueTime(b), b.id);
    });
    if (runs.size() > static_cast<size_t>(rows)) runs.resize(rows);
    return runs;
  });
}

absl::StatusOr<std::map<JobState, int64_t>> SqliteTransaction::CountJobsNotEnded() {
  return Do([&]() -> absl::StatusOr<std::map<JobState, int64_t>> {
    std::map<JobState, int64_t> counts;
    for (JobState state : {JobState::kQueued, JobState::kRunning}) {
      Query query(connection_, "SELECT count(*) FROM jobs WHERE state = ?", Word(state));
      query.Step();
      counts[state] = query.Int();
    }
    return counts;
  });
}

absl::StatusOr<std::map<RunState, int64_t>> SqliteTransaction::CountRunsNotEnded() {
  return Do([&]() -> absl::StatusOr<std::map<RunState, int64_t>> {
    std::map<RunState, int64_t> counts = {{RunState::kOffered, 0}, {RunState::kRunning, 0}};
    Query queued(connection_, "SELECT count(*) FROM runs WHERE state = 'queued'");
    queued.Step();
    counts[RunState::kQueued] = queued.Int();
    Query leased(connection_, "SELECT state, count(*) FROM leases GROUP BY state");
    while (leased.Step()) {
      const std::string word = leased.Text();
      BF_ASSIGN_OR_RETURN(const RunState state, KnownWord(RunStateFromWord(word), "leases.state", word));
      counts[state] = leased.Int();
    }
    return counts;
  });
}

absl::StatusOr<std::optional<absl::Time>> SqliteTransaction::OldestQueuedTime() {
  return Do([&]() -> absl::StatusOr<std::optional<absl::Time>> {
    std::optional<absl::Time> oldest;
    BF_ASSIGN_OR_RETURN(const std::vector<QueueGroup> groups, QueueGroups());
    for (const QueueGroup& group : groups) {
      Query query(connection_, "SELECT min(create_ns) FROM runs WHERE state = 'queued' AND group_id = ?", group.id);
      query.Step();
      const absl::Time time = query.Time();
      oldest = std::min(oldest.value_or(time), time);
    }
    return oldest;
  });
}

}  // namespace benchfleet
