PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES('lease_epoch',1700000000000000);
CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  project TEXT NOT NULL,
  suite TEXT NOT NULL,
  state TEXT NOT NULL,
  create_ns INTEGER NOT NULL,
  end_ns INTEGER,
  spec BLOB NOT NULL                 -- benchfleet.v1.JobSpec
);
INSERT INTO jobs VALUES('0190a5c2-0000-7000-8000-000000000001','default','wake','queued',1700000001123456789,NULL,X'0a0764656661756c74120f0a047465616d120772756e74696d651a02633122046d61696e30013a040880a30542260809120308b401197b14ae47e17a943f21666666666666ee3f291032547698badcfe3202083c8201500a0565706f6c6c0a076173796e63696f1204332e31311a1368616e646c655f63616c6c2e696e5f6c6f6f701a0b6672616d652e72656164792206736f636b657422066c6f6f6b75702a066c6f6f6b7570');
CREATE TABLE requests (
  id TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs(id),
  time_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE queue_groups (
  id INTEGER PRIMARY KEY,
  selector TEXT NOT NULL,
  bound_host TEXT NOT NULL,
  UNIQUE (selector, bound_host)
);
INSERT INTO queue_groups VALUES(1,'arch=x86_64','a');
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
INSERT INTO runs VALUES('0190a5c2-0000-7000-8000-000000000001/0','0190a5c2-0000-7000-8000-000000000001',0,1,1700000001123456789,'queued',0,'','',1700086401123456789,9223372036854775807,86400000000000,0,0,0,0,'');
CREATE TABLE leases (
  run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs(id),
  state TEXT NOT NULL,
  host TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  expires_ns INTEGER NOT NULL,
  deadline_ns INTEGER NOT NULL
) WITHOUT ROWID;
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
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES(1);
CREATE INDEX jobs_by_project ON jobs(project, id);
CREATE INDEX jobs_by_state ON jobs(state, id);
CREATE INDEX jobs_by_project_and_state ON jobs(project, state, id);
CREATE INDEX runs_queued ON runs(group_id, create_ns, job_id, run_index) WHERE state = 'queued';
CREATE INDEX runs_queued_due ON runs(min(expires_ns, deadline_ns), id) WHERE state = 'queued';
CREATE INDEX leases_by_host ON leases(host);
CREATE INDEX leases_by_boot_id ON leases(boot_id);
CREATE INDEX late_results_by_run ON late_results(run_id, epoch);
COMMIT;
