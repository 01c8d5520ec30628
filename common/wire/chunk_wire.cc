#include "common/wire/chunk_wire.h"

#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "common/base/status_macros.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace benchfleet {
namespace {

// Tags and lengths of a sample within a round within a batch within a chunk.
constexpr size_t kFramingBytes = 32;

std::string Serialize(const runner::v1::AttemptChunk& chunk) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    chunk.SerializeToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace

std::string EncodeChunk(const RunPlan& plan) {
  runner::v1::AttemptChunk chunk;
  *chunk.mutable_plan() = ToProto(plan);
  return Serialize(chunk);
}

std::vector<std::string> EncodeChunks(const Round& round, size_t max_bytes) {
  v1::Round whole = ToProto(round);
  v1::Round head = whole;
  head.clear_samples();
  const size_t head_bytes = head.ByteSizeLong() + kFramingBytes;

  std::vector<std::string> chunks;
  runner::v1::AttemptChunk chunk;
  v1::Round* part = chunk.mutable_rounds()->add_rounds();
  *part = head;
  size_t bytes = head_bytes;
  for (v1::Sample& sample : *whole.mutable_samples()) {
    const size_t sample_bytes = sample.ByteSizeLong() + kFramingBytes;
    if (part->samples_size() > 0 && bytes + sample_bytes > max_bytes) {
      chunks.push_back(Serialize(chunk));
      *part = head;
      bytes = head_bytes;
    }
    *part->add_samples() = std::move(sample);
    bytes += sample_bytes;
  }
  chunks.push_back(Serialize(chunk));
  return chunks;
}

absl::StatusOr<std::variant<RunPlan, std::vector<Round>>> DecodeChunk(absl::string_view bytes) {
  runner::v1::AttemptChunk chunk;
  if (!chunk.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError(absl::StrCat("chunk of ", bytes.size(), " bytes is not an AttemptChunk"));
  }
  if (chunk.has_plan()) {
    BF_ASSIGN_OR_RETURN(RunPlan plan, ParseRunPlan(chunk.plan()));
    return plan;
  }
  if (chunk.rounds().rounds().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("chunk of ", bytes.size(), " bytes holds neither a plan nor a round"));
  }
  std::vector<Round> rounds;
  for (const v1::Round& proto : chunk.rounds().rounds()) {
    BF_ASSIGN_OR_RETURN(Round round, ParseRound(proto));
    rounds.push_back(std::move(round));
  }
  return rounds;
}

absl::Status AppendRounds(std::vector<Round> part, std::vector<Round>& rounds) {
  for (Round& round : part) {
    if (rounds.empty() || round.index > rounds.back().index) {
      rounds.push_back(std::move(round));
      continue;
    }
    Round& last = rounds.back();
    if (round.index < last.index) {
      return absl::InvalidArgumentError(absl::StrCat("round ", round.index, " comes after round ", last.index));
    }
    if (last.samples.size() + round.samples.size() > kMaxSamplesPerRound) {
      return absl::InvalidArgumentError(
          absl::StrCat("round ", last.index, " has more than ", kMaxSamplesPerRound, " samples"));
    }
    last.samples.insert(last.samples.end(), std::make_move_iterator(round.samples.begin()),
                        std::make_move_iterator(round.samples.end()));
  }
  return absl::OkStatus();
}

}  // namespace benchfleet
