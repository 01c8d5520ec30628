#include "server/store/sqlite_codec.h"

#include "common/base/status_macros.h"
#include "common/wire/host_wire.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "google/protobuf/struct.pb.h"

namespace benchfleet {
namespace {

constexpr size_t kShownBytes = 80;

// Reads `Message` from bytes and turns it into a value by `parse`.
template <typename Message, typename Parse>
auto Decode(absl::string_view column, const std::string& bytes, Parse parse)
    -> decltype(parse(std::declval<const Message&>())) {
  Message message;
  if (!message.ParseFromString(bytes)) return BadColumn(column, "unreadable message");
  auto value = parse(message);
  if (!value.ok()) return BadColumn(column, value.status().message());
  return value;
}

}  // namespace

absl::Status BadColumn(absl::string_view column, absl::string_view text) {
  return absl::InternalError(absl::StrCat("stored ", column, " is wrong: ", text.substr(0, kShownBytes)));
}

absl::StatusOr<Verdict> VerdictFromColumn(const std::string& word) {
  for (Verdict verdict : {Verdict::kFaster, Verdict::kSlower, Verdict::kSame, Verdict::kInconclusive}) {
    if (Word(verdict) == word) return verdict;
  }
  return BadColumn("comparisons.verdict", word);
}

absl::StatusOr<Selector> SelectorFromColumn(const std::string& text) {
  absl::StatusOr<Selector> selector = Selector::Parse(text);
  if (!selector.ok()) return BadColumn("queue_groups.selector", text);
  return selector;
}

absl::StatusOr<JobSpec> DecodeJobSpec(const std::string& bytes) {
  return Decode<v1::JobSpec>("jobs.spec", bytes, [](const v1::JobSpec& proto) { return ParseJobSpec(proto); });
}

std::string EncodePlan(const RunPlan& plan) { return ToProto(plan).SerializeAsString(); }

absl::StatusOr<RunPlan> DecodePlan(const std::string& bytes) {
  return Decode<v1::RunPlan>("plans.plan", bytes, [](const v1::RunPlan& proto) { return ParseRunPlan(proto); });
}

std::string EncodeSample(const Sample& sample) { return ToProto(sample).SerializeAsString(); }

absl::StatusOr<Sample> DecodeSample(const std::string& bytes) {
  return Decode<v1::Sample>("samples.sample", bytes, [](const v1::Sample& proto) { return ParseSample(proto); });
}

std::string EncodeRoundHeader(const Round& round) {
  Round header;
  header.index = round.index;
  header.warmup = round.warmup;
  header.start_time = round.start_time;
  header.before = round.before;
  header.after = round.after;
  return ToProto(header).SerializeAsString();
}

absl::StatusOr<Round> DecodeRoundHeader(const std::string& bytes) {
  return Decode<v1::Round>("rounds.header", bytes, [](const v1::Round& proto) { return ParseRound(proto); });
}

std::string EncodeHostFacts(const HostFacts& facts) { return ToProto(facts).SerializeAsString(); }

absl::StatusOr<HostFacts> DecodeHostFacts(const std::string& bytes) {
  return Decode<v1::HostFacts>("sessions.facts", bytes,
                               [](const v1::HostFacts& proto) { return ParseHostFacts(proto); });
}

std::string EncodeLabels(const Labels& labels) {
  google::protobuf::Struct proto;
  for (const auto& [key, value] : labels) (*proto.mutable_fields())[key].set_string_value(value);
  return proto.SerializeAsString();
}

absl::StatusOr<Labels> DecodeLabels(const std::string& bytes) {
  google::protobuf::Struct proto;
  if (!proto.ParseFromString(bytes)) return BadColumn("sessions.labels", "unreadable message");
  Labels labels;
  for (const auto& [key, value] : proto.fields()) labels[key] = value.string_value();
  return labels;
}

std::string EncodeNumbers(const std::map<std::string, double>& numbers) {
  google::protobuf::Struct proto;
  for (const auto& [name, value] : numbers) (*proto.mutable_fields())[name].set_number_value(value);
  return proto.SerializeAsString();
}

absl::StatusOr<std::map<std::string, double>> DecodeNumbers(const std::string& bytes) {
  google::protobuf::Struct proto;
  if (!proto.ParseFromString(bytes)) return BadColumn("summaries.counters", "unreadable message");
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : proto.fields()) numbers[name] = value.number_value();
  return numbers;
}

std::string EncodeTexts(const std::vector<std::string>& texts) {
  google::protobuf::ListValue proto;
  for (const std::string& text : texts) proto.add_values()->set_string_value(text);
  return proto.SerializeAsString();
}

absl::StatusOr<std::vector<std::string>> DecodeTexts(const std::string& bytes) {
  google::protobuf::ListValue proto;
  if (!proto.ParseFromString(bytes)) return BadColumn("comparisons.notes", "unreadable message");
  std::vector<std::string> texts;
  for (const google::protobuf::Value& value : proto.values()) texts.push_back(value.string_value());
  return texts;
}

}  // namespace benchfleet
