// Rows of queries as records of the port. Each Read function wants the columns of the
// list beside it, in that order.
//
// Errors: kInternal, the row holds what the program never writes. All throw
// SQLite::Exception.
#ifndef BENCHFLEET_SERVER_STORE_SQLITE_ROWS_H_
#define BENCHFLEET_SERVER_STORE_SQLITE_ROWS_H_

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "common/base/status_macros.h"
#include "server/core/records.h"
#include "server/store/sqlite_connection.h"

namespace benchfleet {

#define BF_SELECT_JOBS "SELECT id, spec, state, create_ns, end_ns FROM jobs "
absl::StatusOr<JobRecord> ReadJob(Query& row);

// CROSS JOIN fixes the order: runs are found first, then what belongs to them.
#define BF_SELECT_RUNS                                                                                       \
  "SELECT r.id, r.job_id, r.run_index, g.selector, g.bound_host, r.state, r.epoch, r.owner_host, "           \
  "r.owner_boot_id, coalesce(l.expires_ns, r.expires_ns), coalesce(l.deadline_ns, r.deadline_ns), "          \
  "r.queue_timeout_ns, r.attempts_spent, r.cancel_requested, r.rounds_done, r.rounds_planned, r.end_reason " \
  "FROM runs r CROSS JOIN queue_groups g ON g.id = r.group_id LEFT JOIN leases l ON l.run_id = r.id "
absl::StatusOr<RunRecord> ReadRun(Query& row);

#define BF_SELECT_ATTEMPTS \
  "SELECT run_id, epoch, host, start_ns, end_ns, end_kind, detail, chunks, chunks_crc32c FROM attempts "
absl::StatusOr<AttemptRecord> ReadAttempt(Query& row);

#define BF_SELECT_EVENTS                                                                                       \
  "SELECT number, time_ns, run_id, message, job_state, run_state, host, rounds_done, rounds_planned, plan_of " \
  "FROM events "
absl::StatusOr<EventRecord> ReadEvent(Query& row);

#define BF_SELECT_SESSIONS                                                                                       \
  "SELECT s.id, s.host, s.worker_id, s.labels, s.facts, s.version, s.open_ns, s.last_seen_ns, s.last_sequence, " \
  "s.wants_work, s.idle_reason, s.closed FROM "
absl::StatusOr<SessionRecord> ReadSession(Query& row);

#define BF_SELECT_SUMMARIES                                                                                   \
  "SELECT case_path, variant, measure, unit, rounds, median, median_lower, median_upper, min, max, counters " \
  "FROM summaries "
absl::StatusOr<Summary> ReadSummary(Query& row);

#define BF_SELECT_COMPARISONS                                                                                   \
  "SELECT kind, base_case_path, base_variant, contender_case_path, contender_variant, measure, rounds, ratio, " \
  "ratio_lower, ratio_upper, level, verdict, notes FROM comparisons "
absl::StatusOr<Comparison> ReadComparison(Query& row);

template <typename T>
absl::StatusOr<std::vector<T>> AllRows(Query& query, absl::StatusOr<T> (*read)(Query&)) {
  std::vector<T> rows;
  while (query.Step()) {
    BF_ASSIGN_OR_RETURN(T value, read(query));
    rows.push_back(std::move(value));
  }
  return rows;
}

template <typename T>
absl::StatusOr<std::optional<T>> MaybeRow(Query& query, absl::StatusOr<T> (*read)(Query&)) {
  if (!query.Step()) return std::nullopt;
  BF_ASSIGN_OR_RETURN(T value, read(query));
  return std::optional<T>(std::move(value));
}

// For LIMIT, where a negative number would mean all.
inline int RowLimit(int limit) { return std::max(limit, 0); }

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_SQLITE_ROWS_H_
