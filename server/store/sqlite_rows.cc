#include "server/store/sqlite_rows.h"

#include <string>

#include "server/store/sqlite_codec.h"

namespace benchfleet {
namespace {

absl::StatusOr<JobState> ReadJobState(Query& row, absl::string_view column) {
  const std::string word = row.Text();
  return KnownWord(JobStateFromWord(word), column, word);
}

absl::StatusOr<RunState> ReadRunState(Query& row, absl::string_view column) {
  const std::string word = row.Text();
  return KnownWord(RunStateFromWord(word), column, word);
}

std::optional<Interval> ReadInterval(Query& row) {
  const std::optional<double> lower = row.MaybeDouble();
  const std::optional<double> upper = row.MaybeDouble();
  if (!lower.has_value() || !upper.has_value()) return std::nullopt;
  return Interval{*lower, *upper};
}

int ReadCount(Query& row) { return static_cast<int>(row.Int()); }

}  // namespace

absl::StatusOr<JobRecord> ReadJob(Query& row) {
  JobRecord job;
  job.id = JobId(row.Text());
  BF_ASSIGN_OR_RETURN(job.spec, DecodeJobSpec(row.Text()));
  BF_ASSIGN_OR_RETURN(job.state, ReadJobState(row, "jobs.state"));
  job.create_time = row.Time();
  job.end_time = row.MaybeTime();
  return job;
}

absl::StatusOr<RunRecord> ReadRun(Query& row) {
  RunRecord run;
  run.id = RunId(row.Text());
  run.job_id = JobId(row.Text());
  run.index = ReadCount(row);
  BF_ASSIGN_OR_RETURN(run.selector, SelectorFromColumn(row.Text()));
  run.bound_host = HostName(row.Text());
  BF_ASSIGN_OR_RETURN(run.lease.state, ReadRunState(row, "runs.state"));
  run.lease.epoch = row.Int();
  run.lease.owner.host = HostName(row.Text());
  run.lease.owner.boot_id = row.Text();
  run.lease.expires_at = row.Time();
  run.lease.deadline_at = row.Time();
  run.lease.queue_timeout = row.Duration();
  run.lease.attempts_spent = ReadCount(row);
  run.lease.cancel_requested = row.Bool();
  run.rounds_done = ReadCount(row);
  run.rounds_planned = ReadCount(row);
  run.end_reason = row.Text();
  return run;
}

absl::StatusOr<AttemptRecord> ReadAttempt(Query& row) {
  AttemptRecord attempt;
  attempt.run_id = RunId(row.Text());
  attempt.epoch = row.Int();
  attempt.host = HostName(row.Text());
  attempt.start_time = row.Time();
  attempt.end_time = row.MaybeTime();
  if (const std::optional<std::string> word = row.MaybeText()) {
    BF_ASSIGN_OR_RETURN(attempt.end, KnownWord(AttemptEndFromWord(*word), "attempts.end_kind", *word));
  }
  attempt.detail = row.Text();
  attempt.chunks = ReadCount(row);
  attempt.chunks_crc32c = static_cast<uint32_t>(row.Int());
  return attempt;
}

absl::StatusOr<EventRecord> ReadEvent(Query& row) {
  EventRecord event;
  event.number = row.Int();
  event.time = row.Time();
  event.run_id = RunId(row.Text());
  event.message = row.Text();
  BF_ASSIGN_OR_RETURN(event.job_state, ReadJobState(row, "events.job_state"));
  if (const std::optional<std::string> word = row.MaybeText()) {
    BF_ASSIGN_OR_RETURN(event.run_state, KnownWord(RunStateFromWord(*word), "events.run_state", *word));
  }
  event.host = HostName(row.Text());
  event.rounds_done = ReadCount(row);
  event.rounds_planned = ReadCount(row);
  event.plan_of = row.MaybeInt();
  return event;
}

absl::StatusOr<SessionRecord> ReadSession(Query& row) {
  SessionRecord session;
  session.id = SessionId(row.Text());
  session.host = HostName(row.Text());
  session.worker_id = row.Text();
  BF_ASSIGN_OR_RETURN(session.labels, DecodeLabels(row.Text()));
  BF_ASSIGN_OR_RETURN(session.facts, DecodeHostFacts(row.Text()));
  session.version = row.Text();
  session.open_time = row.Time();
  session.last_seen = row.Time();
  session.last_sequence = row.Int();
  session.wants_work = row.Bool();
  session.idle_reason = row.Text();
  session.closed = row.Bool();
  return session;
}

absl::StatusOr<Summary> ReadSummary(Query& row) {
  Summary summary;
  summary.arm.case_path = row.Text();
  summary.arm.variant = row.Text();
  summary.measure = row.Text();
  summary.unit = row.Text();
  summary.rounds = ReadCount(row);
  summary.median = row.Double();
  summary.median_interval = ReadInterval(row);
  summary.min = row.Double();
  summary.max = row.Double();
  BF_ASSIGN_OR_RETURN(summary.counters, DecodeNumbers(row.Text()));
  return summary;
}

absl::StatusOr<Comparison> ReadComparison(Query& row) {
  Comparison comparison;
  comparison.kind = row.Text();
  comparison.base.case_path = row.Text();
  comparison.base.variant = row.Text();
  comparison.contender.case_path = row.Text();
  comparison.contender.variant = row.Text();
  comparison.measure = row.Text();
  comparison.rounds = ReadCount(row);
  comparison.ratio = row.MaybeDouble();
  comparison.ratio_interval = ReadInterval(row);
  comparison.level = row.Double();
  BF_ASSIGN_OR_RETURN(comparison.verdict, VerdictFromColumn(row.Text()));
  BF_ASSIGN_OR_RETURN(comparison.notes, DecodeTexts(row.Text()));
  return comparison;
}

}  // namespace benchfleet
