// Attempts, their samples and figures.
#include "absl/strings/str_cat.h"
#include "server/store/sqlite_codec.h"
#include "server/store/sqlite_rows.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {
namespace {

constexpr char kInsertSample[] =
    "INSERT INTO samples (attempt_id, position, part, case_path, variant, sample) VALUES (?, ?, ?, ?, ?, ?)";

constexpr char kInsertSummary[] =
    "INSERT INTO summaries (attempt_id, ordinal, case_path, variant, measure, unit, rounds, median, median_lower, "
    "median_upper, min, max, counters) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr char kInsertComparison[] =
    "INSERT INTO comparisons (attempt_id, ordinal, kind, base_case_path, base_variant, contender_case_path, "
    "contender_variant, measure, rounds, ratio, ratio_lower, ratio_upper, level, verdict, notes) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::optional<absl::string_view> MaybeWord(std::optional<AttemptEnd> end) {
  if (!end.has_value()) return std::nullopt;
  return Word(*end);
}

std::optional<double> Lower(const std::optional<Interval>& interval) {
  return interval.has_value() ? std::optional<double>(interval->lower) : std::nullopt;
}

std::optional<double> Upper(const std::optional<Interval>& interval) {
  return interval.has_value() ? std::optional<double>(interval->upper) : std::nullopt;
}

absl::Status BadAttempt(const RunId& id, LeaseEpoch epoch, absl::string_view why) {
  return absl::InternalError(absl::StrCat("attempt ", epoch, " of run ", id.value(), " ", why));
}

}  // namespace

absl::Status SqliteTransaction::InsertAttempt(const AttemptRecord& attempt) {
  return Do([&]() -> absl::Status {
    Query(connection_,
          "INSERT INTO attempts (run_id, epoch, host, start_ns, end_ns, end_kind, detail, chunks, chunks_crc32c) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          attempt.run_id.value(), attempt.epoch, attempt.host.value(), attempt.start_time, attempt.end_time,
          MaybeWord(attempt.end), attempt.detail, attempt.chunks, attempt.chunks_crc32c)
        .Run();
    return absl::OkStatus();
  });
}

absl::Status SqliteTransaction::EndAttempt(const RunId& id, LeaseEpoch epoch, AttemptEnd end, const std::string& detail,
                                           absl::Time now) {
  return Do([&]() -> absl::Status {
    Query query(connection_,
                "UPDATE attempts SET end_ns = ?, end_kind = ?, detail = ? "
                "WHERE run_id = ? AND epoch = ? AND end_kind IS NULL",
                now, Word(end), detail, id.value(), epoch);
    return query.Run() == 1 ? absl::OkStatus() : BadAttempt(id, epoch, "is not open");
  });
}

int64_t SqliteTransaction::NextNumber(const char* sql, int64_t attempt) {
  Query query(connection_, sql, attempt);
  query.Step();
  return query.Int();
}

void SqliteTransaction::InsertRounds(int64_t attempt, const std::vector<Round>& rounds) {
  int64_t part = NextNumber("SELECT coalesce(max(part) + 1, 0) FROM rounds WHERE attempt_id = ?", attempt);
  int64_t position = NextNumber("SELECT coalesce(max(position) + 1, 0) FROM samples WHERE attempt_id = ?", attempt);
  for (const Round& round : rounds) {
    const std::string header = EncodeRoundHeader(round);
    Query(connection_, "INSERT INTO rounds (attempt_id, part, round_index, warmup, header) VALUES (?, ?, ?, ?, ?)",
          attempt, part, round.index, round.warmup, Blob{header})
        .Run();
    for (const Sample& sample : round.samples) {
      const std::string bytes = EncodeSample(sample);
      Query(connection_, kInsertSample, attempt, position++, part, sample.arm.case_path, sample.arm.variant,
            Blob{bytes})
          .Run();
    }
    ++part;
  }
}

absl::Status SqliteTransaction::InsertChunk(const RunId& id, LeaseEpoch epoch, const Chunk& chunk,
                                            uint32_t chunks_crc32c) {
  return Do([&]() -> absl::Status {
    int64_t attempt = 0;
    {
      Query counted(connection_,
                    "UPDATE attempts SET chunks = chunks + 1, chunks_crc32c = ? "
                    "WHERE run_id = ? AND epoch = ? AND chunks = ? RETURNING id",
                    chunks_crc32c, id.value(), epoch, chunk.index);
      if (!counted.Step()) return BadAttempt(id, epoch, absl::StrCat("does not wait for chunk ", chunk.index));
      attempt = counted.Int();
    }
    Query(connection_, "INSERT INTO chunks (attempt_id, chunk_index, crc32c, size_bytes) VALUES (?, ?, ?, ?)", attempt,
          chunk.index, chunk.crc32c, static_cast<int64_t>(chunk.payload.size()))
        .Run();
    if (const RunPlan* plan = std::get_if<RunPlan>(&chunk.content)) {
      const std::string bytes = EncodePlan(*plan);
      Query(connection_, "INSERT INTO plans (attempt_id, plan) VALUES (?, ?)", attempt, Blob{bytes}).Run();
    } else {
      InsertRounds(attempt, std::get<std::vector<Round>>(chunk.content));
    }
    return absl::OkStatus();
  });
}

absl::Status SqliteTransaction::InsertLateResult(const RunId& id, LeaseEpoch epoch, const HostName& host,
                                                 const std::string& payload, absl::Time now) {
  return Do([&]() -> absl::Status {
    Query(connection_, "INSERT INTO late_results (run_id, epoch, host, time_ns, payload) VALUES (?, ?, ?, ?, ?)",
          id.value(), epoch, host.value(), now, Blob{payload})
        .Run();
    return absl::OkStatus();
  });
}

void SqliteTransaction::InsertSummary(int64_t attempt, int ordinal, const Summary& summary) {
  const std::string counters = EncodeNumbers(summary.counters);
  Query(connection_, kInsertSummary, attempt, ordinal, summary.arm.case_path, summary.arm.variant, summary.measure,
        summary.unit, summary.rounds, summary.median, Lower(summary.median_interval), Upper(summary.median_interval),
        summary.min, summary.max, Blob{counters})
      .Run();
}

void SqliteTransaction::InsertComparison(int64_t attempt, int ordinal, const Comparison& comparison) {
  const std::string notes = EncodeTexts(comparison.notes);
  Query(connection_, kInsertComparison, attempt, ordinal, comparison.kind, comparison.base.case_path,
        comparison.base.variant, comparison.contender.case_path, comparison.contender.variant, comparison.measure,
        comparison.rounds, comparison.ratio, Lower(comparison.ratio_interval), Upper(comparison.ratio_interval),
        comparison.level, Word(comparison.verdict), Blob{notes})
      .Run();
}

absl::Status SqliteTransaction::InsertFigures(const RunId& id, LeaseEpoch epoch, const RunFigures& figures) {
  return Do([&]() -> absl::Status {
    const std::optional<int64_t> attempt = AttemptRow(id, epoch);
    if (!attempt.has_value()) return BadAttempt(id, epoch, "is unknown");
    Query(connection_, "INSERT INTO figures (attempt_id, stats_version, rounds, failed_samples) VALUES (?, ?, ?, ?)",
          *attempt, kStatsVersion, figures.rounds, figures.failed_samples)
        .Run();
    int ordinal = 0;
    for (const Summary& summary : figures.summaries) InsertSummary(*attempt, ordinal++, summary);
    ordinal = 0;
    for (const Comparison& comparison : figures.comparisons) InsertComparison(*attempt, ordinal++, comparison);
    return absl::OkStatus();
  });
}

}  // namespace benchfleet
