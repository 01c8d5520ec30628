// Jobs, runs, leases, events and sessions.
#include "absl/strings/str_cat.h"
#include "common/wire/job_spec_wire.h"
#include "server/store/sqlite_codec.h"
#include "server/store/sqlite_rows.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {
namespace {

constexpr char kInsertRun[] =
    "INSERT INTO runs (id, job_id, run_index, group_id, create_ns, state, epoch, owner_host, owner_boot_id, "
    "expires_ns, deadline_ns, queue_timeout_ns, attempts_spent, cancel_requested, rounds_done, rounds_planned, "
    "end_reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr char kUpdateRun[] =
    "UPDATE runs SET state = ?, epoch = ?, owner_host = ?, owner_boot_id = ?, expires_ns = ?, deadline_ns = ?, "
    "queue_timeout_ns = ?, attempts_spent = ?, cancel_requested = ?, rounds_done = ?, rounds_planned = ?, "
    "end_reason = ? WHERE id = ? AND state = ? AND epoch = ? AND owner_host = ? AND owner_boot_id = ?";

constexpr char kStoreLease[] =
    "INSERT INTO leases (run_id, state, host, boot_id, expires_ns, deadline_ns) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (run_id) DO UPDATE SET state = excluded.state, host = excluded.host, boot_id = excluded.boot_id, "
    "expires_ns = excluded.expires_ns, deadline_ns = excluded.deadline_ns";

constexpr char kNoteResult[] =
    "INSERT INTO latest_results (project, host, suite, run_id, epoch, first_run_id, first_epoch) "
    "SELECT project, ?1, suite, ?2, ?3, ?2, ?3 FROM jobs WHERE id = (SELECT job_id FROM runs WHERE id = ?2) "
    "ON CONFLICT (project, host, suite) DO UPDATE SET "
    "run_id = iif(excluded.epoch > epoch, excluded.run_id, run_id), epoch = max(excluded.epoch, epoch), "
    "first_run_id = iif(excluded.epoch < first_epoch, excluded.run_id, first_run_id), "
    "first_epoch = min(excluded.epoch, first_epoch)";

bool IsLive(RunState state) { return state == RunState::kOffered || state == RunState::kRunning; }

// A lease's times stand with the run while there is no row in leases.
std::optional<absl::Time> KeptWithRun(const RunLease& lease, absl::Time time) {
  if (IsLive(lease.state)) return std::nullopt;
  return time;
}

std::optional<absl::string_view> MaybeWord(std::optional<RunState> state) {
  if (!state.has_value()) return std::nullopt;
  return Word(*state);
}

absl::Status Unknown(absl::string_view what, const std::string& id) {
  return absl::InternalError(absl::StrCat(what, " ", id, " is unknown"));
}

}  // namespace

int64_t SqliteTransaction::GroupOf(const RunRecord& run) {
  const std::string& selector = run.selector.canonical();
  {
    Query found(connection_, "SELECT id FROM queue_groups WHERE selector = ? AND bound_host = ?", selector,
                run.bound_host.value());
    if (found.Step()) return found.Int();
  }
  Query added(connection_, "INSERT INTO queue_groups (selector, bound_host) VALUES (?, ?) RETURNING id", selector,
              run.bound_host.value());
  added.Step();
  return added.Int();
}

void SqliteTransaction::StoreLease(const RunRecord& run) {
  const RunLease& lease = run.lease;
  if (IsLive(lease.state)) {
    Query(connection_, kStoreLease, run.id.value(), Word(lease.state), lease.owner.host.value(), lease.owner.boot_id,
          lease.expires_at, lease.deadline_at)
        .Run();
  } else {
    Query(connection_, "DELETE FROM leases WHERE run_id = ?", run.id.value()).Run();
  }
}

void SqliteTransaction::NoteResult(const RunRecord& run) {
  if (run.lease.state != RunState::kSucceeded) return;
  Query(connection_, kNoteResult, run.lease.owner.host.value(), run.id.value(), run.lease.epoch).Run();
}

void SqliteTransaction::InsertRun(const JobRecord& job, const RunRecord& run) {
  const RunLease& lease = run.lease;
  const int64_t group = GroupOf(run);
  Query(connection_, kInsertRun, run.id.value(), job.id.value(), run.index, group, job.create_time, Word(lease.state),
        lease.epoch, lease.owner.host.value(), lease.owner.boot_id, KeptWithRun(lease, lease.expires_at),
        KeptWithRun(lease, lease.deadline_at), lease.queue_timeout, lease.attempts_spent, lease.cancel_requested,
        run.rounds_done, run.rounds_planned, run.end_reason)
      .Run();
  StoreLease(run);
  NoteResult(run);
}

absl::Status SqliteTransaction::InsertJob(const JobRecord& job, const std::vector<RunRecord>& runs) {
  return Do([&]() -> absl::Status {
    const std::string spec = SerializeJobSpec(job.spec);
    Query(connection_,
          "INSERT INTO jobs (id, project, suite, state, create_ns, end_ns, spec) VALUES (?, ?, ?, ?, ?, ?, ?)",
          job.id.value(), job.spec.project, SuiteName(job.spec), Word(job.state), job.create_time, job.end_time,
          Blob{spec})
        .Run();
    for (const RunRecord& run : runs) InsertRun(job, run);
    return absl::OkStatus();
  });
}

absl::Status SqliteTransaction::SetJobState(const JobId& id, JobState state, std::optional<absl::Time> end_time) {
  return Do([&]() -> absl::Status {
    Query query(connection_, "UPDATE jobs SET state = ?, end_ns = ? WHERE id = ?", Word(state), end_time, id.value());
    return query.Run() == 1 ? absl::OkStatus() : Unknown("job", id.value());
  });
}

absl::Status SqliteTransaction::InsertRequest(const std::string& request_id, const RequestRecord& request,
                                              absl::Time now) {
  return Do([&]() -> absl::Status {
    Query(connection_, "INSERT INTO requests (id, digest, job_id, time_ns) VALUES (?, ?, ?, ?)", request_id,
          request.digest, request.job_id.value(), now)
        .Run();
    return absl::OkStatus();
  });
}

absl::Status SqliteTransaction::UpdateRun(const RunLease& before, const RunRecord& run) {
  return Do([&]() -> absl::Status {
    const RunLease& lease = run.lease;
    Query query(connection_, kUpdateRun, Word(lease.state), lease.epoch, lease.owner.host.value(), lease.owner.boot_id,
                KeptWithRun(lease, lease.expires_at), KeptWithRun(lease, lease.deadline_at), lease.queue_timeout,
                lease.attempts_spent, lease.cancel_requested, run.rounds_done, run.rounds_planned, run.end_reason,
                run.id.value(), Word(before.state), before.epoch, before.owner.host.value(), before.owner.boot_id);
    if (query.Run() == 0) {
      return absl::AbortedError(absl::StrCat("run ", run.id.value(), " is no longer ", Word(before.state),
                                             " under epoch ", before.epoch, " of host ", before.owner.host.value()));
    }
    StoreLease(run);
    NoteResult(run);
    return absl::OkStatus();
  });
}

absl::StatusOr<LeaseEpoch> SqliteTransaction::NextEpoch() {
  return Do([&]() -> absl::StatusOr<LeaseEpoch> {
    Query query(connection_, "UPDATE counters SET value = value + 1 WHERE name = 'lease_epoch' RETURNING value");
    if (!query.Step()) return Unknown("counter", "lease_epoch");
    return query.Int();
  });
}

absl::Status SqliteTransaction::ExtendLeases(absl::Time not_before) {
  return Do([&]() -> absl::Status {
    Query(connection_,
          "UPDATE leases SET expires_ns = max(expires_ns, ?1), deadline_ns = max(deadline_ns, ?1) "
          "WHERE min(expires_ns, deadline_ns) < ?1",
          not_before)
        .Run();
    Query(connection_,
          "UPDATE runs SET expires_ns = max(expires_ns, ?1), deadline_ns = max(deadline_ns, ?1) "
          "WHERE state = 'queued' AND min(expires_ns, deadline_ns) < ?1",
          not_before)
        .Run();
    return absl::OkStatus();
  });
}

absl::StatusOr<int64_t> SqliteTransaction::InsertEvent(const JobId& id, const EventRecord& event) {
  return Do([&]() -> absl::StatusOr<int64_t> {
    Query query(connection_,
                "INSERT INTO events (job_id, number, time_ns, run_id, message, job_state, run_state, host, "
                "rounds_done, rounds_planned, plan_of) VALUES (?1, "
                "(SELECT coalesce(max(number), 0) + 1 FROM events WHERE job_id = ?1), ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "RETURNING number",
                id.value(), event.time, event.run_id.value(), event.message, Word(event.job_state),
                MaybeWord(event.run_state), event.host.value(), event.rounds_done, event.rounds_planned, event.plan_of);
    if (!query.Step()) return Unknown("job", id.value());
    return query.Int();
  });
}

absl::Status SqliteTransaction::InsertSession(const SessionRecord& session) {
  return Do([&]() -> absl::Status {
    const std::string labels = EncodeLabels(session.labels);
    const std::string facts = EncodeHostFacts(session.facts);
    Query added(connection_,
                "INSERT INTO sessions (id, host, worker_id, labels, facts, version, open_ns, last_seen_ns, "
                "last_sequence, wants_work, idle_reason, closed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "RETURNING number",
                session.id.value(), session.host.value(), session.worker_id, Blob{labels}, Blob{facts}, session.version,
                session.open_time, session.last_seen, session.last_sequence, session.wants_work, session.idle_reason,
                session.closed);
    added.Step();
    const int64_t number = added.Int();
    Query(connection_,
          "INSERT INTO hosts (name, newest_session) VALUES (?, ?) "
          "ON CONFLICT (name) DO UPDATE SET newest_session = excluded.newest_session",
          session.host.value(), number)
        .Run();
    return absl::OkStatus();
  });
}

absl::Status SqliteTransaction::UpdateSession(const SessionRecord& session) {
  return Do([&]() -> absl::Status {
    Query query(connection_,
                "UPDATE sessions SET last_seen_ns = ?, last_sequence = ?, wants_work = ?, idle_reason = ?, closed = ? "
                "WHERE id = ?",
                session.last_seen, session.last_sequence, session.wants_work, session.idle_reason, session.closed,
                session.id.value());
    return query.Run() == 1 ? absl::OkStatus() : Unknown("session", session.id.value());
  });
}

}  // namespace benchfleet
