// Every field of a record as one text, equal only for equal records: doubles by their
// bits, maps in order.
#ifndef BENCHFLEET_TESTS_CONTRACT_RECORD_TEXT_H_
#define BENCHFLEET_TESTS_CONTRACT_RECORD_TEXT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/wire/host_wire.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "server/core/job_store.h"

namespace benchfleet {

inline std::string Text(const std::string& value) { return absl::StrCat("'", absl::CEscape(value), "'"); }
inline std::string Text(bool value) { return value ? "true" : "false"; }
inline std::string Text(int value) { return absl::StrCat(value); }
inline std::string Text(uint32_t value) { return absl::StrCat(value); }
inline std::string Text(int64_t value) { return absl::StrCat(value); }
inline std::string Text(double value) { return absl::StrCat(absl::Hex(absl::bit_cast<uint64_t>(value))); }
inline std::string Text(absl::Duration value) { return absl::FormatDuration(value); }
inline std::string Text(absl::Time value) { return absl::FormatTime(value, absl::UTCTimeZone()); }
inline std::string Text(RunState value) { return std::string(Word(value)); }
inline std::string Text(JobState value) { return std::string(Word(value)); }
inline std::string Text(AttemptEnd value) { return std::string(Word(value)); }
inline std::string Text(Verdict value) { return std::string(Word(value)); }
inline std::string Text(const Selector& value) { return Text(value.canonical()); }
inline std::string Text(const google::protobuf::MessageLite& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return Text(bytes);
}
template <typename Tag>
std::string Text(const Id<Tag>& value) {
  return Text(value.value());
}

template <typename T>
std::string Text(const std::optional<T>& value);
template <typename T>
std::string Text(const std::vector<T>& values);
template <typename K, typename V>
std::string Text(const std::map<K, V>& values);

template <typename... Fields>
std::string TextOf(const Fields&... fields) {
  std::string text = "{";
  (absl::StrAppend(&text, Text(fields), " "), ...);
  return text + "}";
}

inline std::string Text(const JobSpec& spec) { return Text(SerializeJobSpec(spec)); }
inline std::string Text(const RunPlan& plan) { return Text(ToProto(plan)); }
inline std::string Text(const Round& round) { return Text(ToProto(round)); }
inline std::string Text(const Sample& sample) { return Text(ToProto(sample)); }
inline std::string Text(const HostFacts& facts) { return Text(ToProto(facts)); }
inline std::string Text(const Arm& arm) { return TextOf(arm.case_path, arm.variant); }
inline std::string Text(const Interval& interval) { return TextOf(interval.lower, interval.upper); }
inline std::string Text(const JobRecord& r) { return TextOf(r.id, r.spec, r.state, r.create_time, r.end_time); }
inline std::string Text(const RunLease& l) {
  return TextOf(l.state, l.epoch, l.owner.host, l.owner.boot_id, l.expires_at, l.deadline_at, l.queue_timeout,
                l.attempts_spent, l.cancel_requested);
}
inline std::string Text(const RunRecord& r) {
  return TextOf(r.id, r.job_id, r.index, r.selector, r.bound_host, r.lease, r.rounds_done, r.rounds_planned,
                r.end_reason);
}
inline std::string Text(const AttemptRecord& r) {
  return TextOf(r.run_id, r.epoch, r.host, r.start_time, r.end_time, r.end, r.detail, r.chunks, r.chunks_crc32c);
}
inline std::string Text(const SessionRecord& r) {
  return TextOf(r.id, r.host, r.worker_id, r.labels, r.facts, r.version, r.open_time, r.last_seen, r.last_sequence,
                r.wants_work, r.idle_reason, r.closed);
}
inline std::string Text(const EventRecord& r) {
  return TextOf(r.number, r.time, r.run_id, r.message, r.job_state, r.run_state, r.host, r.rounds_done,
                r.rounds_planned, r.plan_of);
}
inline std::string Text(const SampleRecord& r) { return TextOf(r.position, r.epoch, r.round, r.warmup, r.sample); }
inline std::string Text(const QueueGroup& r) { return TextOf(r.id, r.selector, r.bound_host); }
inline std::string Text(const StoreReader::RequestRecord& r) { return TextOf(r.digest, r.job_id); }
inline std::string Text(const Summary& s) {
  return TextOf(s.arm, s.measure, s.unit, s.rounds, s.median, s.median_interval, s.min, s.max, s.counters);
}
inline std::string Text(const Comparison& c) {
  return TextOf(c.kind, c.base, c.contender, c.measure, c.rounds, c.ratio, c.ratio_interval, c.level, c.verdict,
                c.notes);
}
inline std::string Text(const RunFigures& f) { return TextOf(f.rounds, f.failed_samples, f.summaries, f.comparisons); }
inline std::string Text(const ResultRecord& r) {
  return TextOf(r.job, r.run, r.host, r.end_time, r.first_end_time, r.plan, r.figures);
}

template <typename T>
std::string Text(const std::optional<T>& value) {
  return value.has_value() ? Text(*value) : "none";
}
template <typename T>
std::string Text(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) absl::StrAppend(&text, Text(value), "\n");
  return text + "]";
}
template <typename K, typename V>
std::string Text(const std::map<K, V>& values) {
  std::string text = "[";
  for (const auto& [key, value] : values) absl::StrAppend(&text, Text(key), ": ", Text(value), "\n");
  return text + "]";
}
// Engines say the same by code; their messages may differ.
inline std::string Text(const absl::Status& status) { return absl::StatusCodeToString(status.code()); }
template <typename T>
std::string Text(const absl::StatusOr<T>& result) {
  return result.ok() ? Text(*result) : Text(result.status());
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_CONTRACT_RECORD_TEXT_H_
