// Attempts, their samples and figures.
#include "server/store/sqlite_codec.h"
#include "server/store/sqlite_rows.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {
namespace {

// The newest figures; an attempt without any is passed over.
constexpr char kNewestFigures[] =
    "SELECT a.id FROM attempts a CROSS JOIN figures f ON f.attempt_id = a.id WHERE a.run_id = ? "
    "ORDER BY a.epoch DESC LIMIT 1";

constexpr char kSamples[] =
    "SELECT s.position, r.round_index, r.warmup, s.sample FROM samples s "
    "CROSS JOIN rounds r ON r.attempt_id = s.attempt_id AND r.part = s.part "
    "WHERE s.attempt_id = ? AND s.position > ? AND (?3 = '' OR s.case_path = ?3) AND (?4 = '' OR s.variant = ?4) "
    "ORDER BY s.position LIMIT ?";

}  // namespace

std::optional<int64_t> SqliteTransaction::AttemptRow(const RunId& id, LeaseEpoch epoch) {
  Query query(connection_, "SELECT id FROM attempts WHERE run_id = ? AND epoch = ?", id.value(), epoch);
  if (!query.Step()) return std::nullopt;
  return query.Int();
}

absl::StatusOr<std::vector<AttemptRecord>> SqliteTransaction::AttemptsOfRun(const RunId& id) {
  return Do([&] {
    Query query(connection_, BF_SELECT_ATTEMPTS "WHERE run_id = ? ORDER BY epoch", id.value());
    return AllRows(query, ReadAttempt);
  });
}

absl::StatusOr<std::optional<AttemptRecord>> SqliteTransaction::FindAttempt(const RunId& id, LeaseEpoch epoch) {
  return Do([&] {
    Query query(connection_, BF_SELECT_ATTEMPTS "WHERE run_id = ? AND epoch = ?", id.value(), epoch);
    return MaybeRow(query, ReadAttempt);
  });
}

absl::StatusOr<std::optional<uint32_t>> SqliteTransaction::ChunkCrc(const RunId& id, LeaseEpoch epoch, int index) {
  return Do([&]() -> absl::StatusOr<std::optional<uint32_t>> {
    const std::optional<int64_t> attempt = AttemptRow(id, epoch);
    if (!attempt.has_value()) return std::nullopt;
    Query query(connection_, "SELECT crc32c FROM chunks WHERE attempt_id = ? AND chunk_index = ?", *attempt, index);
    if (!query.Step()) return std::nullopt;
    return static_cast<uint32_t>(query.Int());
  });
}

absl::StatusOr<std::optional<RunPlan>> SqliteTransaction::PlanOfAttempt(const RunId& id, LeaseEpoch epoch) {
  return Do([&]() -> absl::StatusOr<std::optional<RunPlan>> {
    const std::optional<int64_t> attempt = AttemptRow(id, epoch);
    if (!attempt.has_value()) return std::nullopt;
    Query query(connection_, "SELECT plan FROM plans WHERE attempt_id = ?", *attempt);
    if (!query.Step()) return std::nullopt;
    BF_ASSIGN_OR_RETURN(RunPlan plan, DecodePlan(query.Text()));
    return std::optional<RunPlan>(std::move(plan));
  });
}

absl::StatusOr<std::vector<Round>> SqliteTransaction::RoundsOfAttempt(const RunId& id, LeaseEpoch epoch) {
  return Do([&]() -> absl::StatusOr<std::vector<Round>> {
    std::vector<Round> rounds;
    const std::optional<int64_t> attempt = AttemptRow(id, epoch);
    if (!attempt.has_value()) return rounds;
    Query headers(connection_, "SELECT header FROM rounds WHERE attempt_id = ? ORDER BY part", *attempt);
    while (headers.Step()) {
      BF_ASSIGN_OR_RETURN(Round round, DecodeRoundHeader(headers.Text()));
      rounds.push_back(std::move(round));
    }
    Query samples(connection_, "SELECT part, sample FROM samples WHERE attempt_id = ? ORDER BY position", *attempt);
    while (samples.Step()) {
      const size_t part = static_cast<size_t>(samples.Int());
      if (part >= rounds.size()) return BadColumn("samples.part", absl::StrCat(part));
      BF_ASSIGN_OR_RETURN(Sample sample, DecodeSample(samples.Text()));
      rounds[part].samples.push_back(std::move(sample));
    }
    return rounds;
  });
}

absl::StatusOr<std::vector<SampleRecord>> SqliteTransaction::ListSamples(const SampleQuery& query) {
  return Do([&]() -> absl::StatusOr<std::vector<SampleRecord>> {
    std::vector<SampleRecord> samples;
    const std::optional<int64_t> attempt = AttemptRow(query.run_id, query.epoch);
    if (!attempt.has_value()) return samples;
    Query rows(connection_, kSamples, *attempt, query.after_position, query.case_path, query.variant,
               RowLimit(query.limit));
    while (rows.Step()) {
      SampleRecord record;
      record.position = rows.Int();
      record.epoch = query.epoch;
      record.round = static_cast<int>(rows.Int());
      record.warmup = rows.Bool();
      BF_ASSIGN_OR_RETURN(record.sample, DecodeSample(rows.Text()));
      samples.push_back(std::move(record));
    }
    return samples;
  });
}

absl::StatusOr<RunFigures> SqliteTransaction::FiguresOfAttempt(int64_t attempt) {
  RunFigures figures;
  Query head(connection_, "SELECT rounds, failed_samples FROM figures WHERE attempt_id = ?", attempt);
  if (!head.Step()) return BadColumn("figures", "missing");
  figures.rounds = static_cast<int>(head.Int());
  figures.failed_samples = static_cast<int>(head.Int());
  Query summaries(connection_, BF_SELECT_SUMMARIES "WHERE attempt_id = ? ORDER BY ordinal", attempt);
  BF_ASSIGN_OR_RETURN(figures.summaries, AllRows(summaries, ReadSummary));
  Query comparisons(connection_, BF_SELECT_COMPARISONS "WHERE attempt_id = ? ORDER BY ordinal", attempt);
  BF_ASSIGN_OR_RETURN(figures.comparisons, AllRows(comparisons, ReadComparison));
  return figures;
}

absl::StatusOr<std::optional<RunFigures>> SqliteTransaction::FiguresOfRun(const RunId& id) {
  return Do([&]() -> absl::StatusOr<std::optional<RunFigures>> {
    Query query(connection_, kNewestFigures, id.value());
    if (!query.Step()) return std::nullopt;
    BF_ASSIGN_OR_RETURN(RunFigures figures, FiguresOfAttempt(query.Int()));
    return std::optional<RunFigures>(std::move(figures));
  });
}

absl::StatusOr<std::vector<ResultRecord>> SqliteTransaction::LatestResults() {
  return Do([&]() -> absl::StatusOr<std::vector<ResultRecord>> {
    std::vector<ResultRecord> results;
    Query latest(connection_,
                 "SELECT l.run_id, l.host, a.id, a.end_ns, coalesce(f.end_ns, a.end_ns), p.plan FROM latest_results l "
                 "CROSS JOIN attempts a ON a.run_id = l.run_id AND a.epoch = l.epoch "
                 "CROSS JOIN plans p ON p.attempt_id = a.id CROSS JOIN figures ON figures.attempt_id = a.id "
                 "LEFT JOIN attempts f ON f.run_id = l.first_run_id AND f.epoch = l.first_epoch "
                 "WHERE a.end_ns IS NOT NULL ORDER BY l.project, l.host, l.suite");
    while (latest.Step()) {
      ResultRecord result;
      BF_ASSIGN_OR_RETURN(std::optional<RunRecord> run, FindRun(RunId(latest.Text())));
      if (!run.has_value()) return BadColumn("latest_results.run_id", "no such run");
      BF_ASSIGN_OR_RETURN(std::optional<JobRecord> job, FindJob(run->job_id));
      if (!job.has_value()) return BadColumn("runs.job_id", "no such job");
      result.job = *std::move(job);
      result.run = *std::move(run);
      result.host = HostName(latest.Text());
      BF_ASSIGN_OR_RETURN(result.figures, FiguresOfAttempt(latest.Int()));
      result.end_time = latest.Time();
      result.first_end_time = latest.Time();
      BF_ASSIGN_OR_RETURN(result.plan, DecodePlan(latest.Text()));
      results.push_back(std::move(result));
    }
    return results;
  });
}

}  // namespace benchfleet
