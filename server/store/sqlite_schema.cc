#include "server/store/sqlite_schema.h"

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

// Columns named _ns are nanoseconds, times since 1970; the least and the greatest int64
// stand for infinity. Blobs are serialised protobuf messages.
constexpr char kVersion1[] = R"sql(
CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('lease_epoch', 0);

CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  project TEXT NOT NULL,
  suite TEXT NOT NULL,
  state TEXT NOT NULL,
  create_ns INTEGER NOT NULL,
  end_ns INTEGER,
  spec BLOB NOT NULL                 -- benchfleet.v1.JobSpec
);
CREATE INDEX jobs_by_project ON jobs(project, id);
CREATE INDEX jobs_by_state ON jobs(state, id);
CREATE INDEX jobs_by_project_and_state ON jobs(project, state, id);

CREATE TABLE requests (
  id TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs(id),
  time_ns INTEGER NOT NULL
) WITHOUT ROWID;

-- Runs that wait for the same thing. Rows stay, so an id never changes its meaning.
CREATE TABLE queue_groups (
  id INTEGER PRIMARY KEY,
  selector TEXT NOT NULL,
  bound_host TEXT NOT NULL,
  UNIQUE (selector, bound_host)
);

CREATE TABLE runs (
  id TEXT NOT NULL PRIMARY KEY,
  job_id TEXT NOT NULL REFERENCES jobs(id),
  run_index INTEGER NOT NULL,
  group_id INTEGER NOT NULL REFERENCES queue_groups(id),
  create_ns INTEGER NOT NULL,        -- the job's: the age, which going back to the queue keeps
  state TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  owner_host TEXT NOT NULL,
  owner_boot_id TEXT NOT NULL,
  expires_ns INTEGER,                -- NULL, both: the row in leases has them
  deadline_ns INTEGER,
  queue_timeout_ns INTEGER NOT NULL,
  attempts_spent INTEGER NOT NULL,
  cancel_requested INTEGER NOT NULL,
  rounds_done INTEGER NOT NULL,
  rounds_planned INTEGER NOT NULL,
  end_reason TEXT NOT NULL,
  UNIQUE (job_id, run_index)
);
CREATE INDEX runs_queued ON runs(group_id, create_ns, job_id, run_index) WHERE state = 'queued';
CREATE INDEX runs_queued_due ON runs(min(expires_ns, deadline_ns), id) WHERE state = 'queued';

-- Small and hot: one row for each run that is offered or running.
CREATE TABLE leases (
  run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs(id),
  state TEXT NOT NULL,
  host TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  expires_ns INTEGER NOT NULL,
  deadline_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX leases_by_host ON leases(host);
CREATE INDEX leases_by_boot_id ON leases(boot_id);

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs(id),
  epoch INTEGER NOT NULL,
  host TEXT NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER,
  end_kind TEXT,
  detail TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  chunks_crc32c INTEGER NOT NULL,
  UNIQUE (run_id, epoch)
);
CREATE TABLE plans (
  attempt_id INTEGER PRIMARY KEY REFERENCES attempts(id),
  plan BLOB NOT NULL                 -- benchfleet.v1.RunPlan
);
CREATE TABLE chunks (
  attempt_id INTEGER NOT NULL REFERENCES attempts(id),
  chunk_index INTEGER NOT NULL,
  crc32c INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  PRIMARY KEY (attempt_id, chunk_index)
) WITHOUT ROWID;
-- A round that came in parts has as many rows, in the order they came.
CREATE TABLE rounds (
  attempt_id INTEGER NOT NULL REFERENCES attempts(id),
  part INTEGER NOT NULL,
  round_index INTEGER NOT NULL,
  warmup INTEGER NOT NULL,
  header BLOB NOT NULL,              -- benchfleet.v1.Round without samples
  PRIMARY KEY (attempt_id, part)
) WITHOUT ROWID;
CREATE TABLE samples (
  attempt_id INTEGER NOT NULL REFERENCES attempts(id),
  position INTEGER NOT NULL,
  part INTEGER NOT NULL,
  case_path TEXT NOT NULL,
  variant TEXT NOT NULL,
  sample BLOB NOT NULL,              -- benchfleet.v1.Sample
  PRIMARY KEY (attempt_id, position)
);

-- Figures come back bit by bit, so their columns have no type: REAL drops the sign of -0.0.
CREATE TABLE figures (
  attempt_id INTEGER PRIMARY KEY REFERENCES attempts(id),
  stats_version INTEGER NOT NULL,
  rounds INTEGER NOT NULL,
  failed_samples INTEGER NOT NULL
);
CREATE TABLE summaries (
  attempt_id INTEGER NOT NULL REFERENCES figures(attempt_id),
  ordinal INTEGER NOT NULL,
  case_path TEXT NOT NULL,
  variant TEXT NOT NULL,
  measure TEXT NOT NULL,
  unit TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  median NOT NULL,
  median_lower,
  median_upper,
  min NOT NULL,
  max NOT NULL,
  counters BLOB NOT NULL,            -- google.protobuf.Struct
  PRIMARY KEY (attempt_id, ordinal)
) WITHOUT ROWID;
CREATE TABLE comparisons (
  attempt_id INTEGER NOT NULL REFERENCES figures(attempt_id),
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  base_case_path TEXT NOT NULL,
  base_variant TEXT NOT NULL,
  contender_case_path TEXT NOT NULL,
  contender_variant TEXT NOT NULL,
  measure TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  ratio,
  ratio_lower,
  ratio_upper,
  level NOT NULL,
  verdict TEXT NOT NULL,
  notes BLOB NOT NULL,               -- google.protobuf.ListValue
  PRIMARY KEY (attempt_id, ordinal)
) WITHOUT ROWID;

-- The succeeded runs with the greatest and the least epoch: leases of one host follow one
-- another, so these are the newest and the first.
CREATE TABLE latest_results (
  project TEXT NOT NULL,
  host TEXT NOT NULL,
  suite TEXT NOT NULL,
  run_id TEXT NOT NULL REFERENCES runs(id),
  epoch INTEGER NOT NULL,
  first_run_id TEXT NOT NULL REFERENCES runs(id),
  first_epoch INTEGER NOT NULL,
  PRIMARY KEY (project, host, suite)
) WITHOUT ROWID;

CREATE TABLE events (
  job_id TEXT NOT NULL REFERENCES jobs(id),
  number INTEGER NOT NULL,
  time_ns INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  message TEXT NOT NULL,
  job_state TEXT NOT NULL,
  run_state TEXT,
  host TEXT NOT NULL,
  rounds_done INTEGER NOT NULL,
  rounds_planned INTEGER NOT NULL,
  plan_of INTEGER,
  PRIMARY KEY (job_id, number)
) WITHOUT ROWID;

CREATE TABLE late_results (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  host TEXT NOT NULL,
  time_ns INTEGER NOT NULL,
  payload BLOB NOT NULL
);
CREATE INDEX late_results_by_run ON late_results(run_id, epoch);

CREATE TABLE sessions (
  number INTEGER PRIMARY KEY,        -- in the order they were opened
  id TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  labels BLOB NOT NULL,              -- google.protobuf.Struct
  facts BLOB NOT NULL,               -- benchfleet.v1.HostFacts
  version TEXT NOT NULL,
  open_ns INTEGER NOT NULL,
  last_seen_ns INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL,
  wants_work INTEGER NOT NULL,
  idle_reason TEXT NOT NULL,
  closed INTEGER NOT NULL
);
CREATE TABLE hosts (
  name TEXT NOT NULL PRIMARY KEY,
  newest_session INTEGER NOT NULL REFERENCES sessions(number)
) WITHOUT ROWID;
)sql";

absl::StatusOr<int64_t> SchemaVersion(SqliteConnection& connection) {
  return connection.Guarded([&]() -> absl::StatusOr<int64_t> {
    Query table(connection, "SELECT count(*), count(CASE WHEN name = 'schema_version' THEN 1 END) FROM sqlite_master");
    table.Step();
    if (table.Int() == 0) return 0;
    if (table.Int() == 0) {
      return absl::FailedPreconditionError(
          absl::StrCat(connection.path(), " holds tables of another program: give the coordinator a file of its own"));
    }
    Query version(connection, "SELECT version FROM schema_version");
    if (!version.Step()) return absl::DataLossError(absl::StrCat(connection.path(), ": schema_version is empty"));
    return version.Int();
  });
}

absl::Status Apply(SqliteConnection& connection, const char* statements, int64_t version) {
  BF_RETURN_IF_ERROR(connection.Execute("BEGIN IMMEDIATE"));
  absl::Status status = connection.Guarded([&]() -> absl::Status {
    connection.Script(statements);
    connection.Script(absl::StrCat(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL); DELETE FROM schema_version; "
        "INSERT INTO schema_version VALUES (",
        version, ");"));
    return absl::OkStatus();
  });
  if (status.ok()) status = connection.Execute("COMMIT");
  if (!status.ok() && connection.InTransaction()) connection.Execute("ROLLBACK").IgnoreError();
  return status;
}

}  // namespace

const std::vector<const char*>& SqliteMigrations() {
  static const auto& migrations = *new std::vector<const char*>{kVersion1};
  return migrations;
}

absl::Status Migrate(SqliteConnection& connection, const std::vector<const char*>& migrations) {
  BF_ASSIGN_OR_RETURN(const int64_t found, SchemaVersion(connection));
  const int64_t newest = static_cast<int64_t>(migrations.size());
  if (found > newest) {
    return absl::FailedPreconditionError(absl::StrCat(connection.path(), " is of schema version ", found,
                                                      ", this program knows versions up to ", newest,
                                                      ": start the program that wrote it, or a newer one"));
  }
  for (int64_t version = found; version < newest; ++version) {
    BF_RETURN_IF_ERROR(Apply(connection, migrations[version], version + 1));
  }
  return absl::OkStatus();
}

}  // namespace benchfleet
