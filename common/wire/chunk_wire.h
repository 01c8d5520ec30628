// The parts of an attempt as they are spooled, sent and stored: serialised
// benchfleet.runner.v1.AttemptChunk.
#ifndef BENCHFLEET_COMMON_WIRE_CHUNK_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_CHUNK_WIRE_H_

#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

// Any one sample fits into this, so no smaller limit may be asked of EncodeChunks().
inline constexpr size_t kMinChunkBytes = 128 * 1024;

// Chunk 0.
std::string EncodeChunk(const RunPlan& plan);

// One round as one chunk, or as several of at most `max_bytes` (>= kMinChunkBytes) with
// its samples spread over them in order. Deterministic.
std::vector<std::string> EncodeChunks(const Round& round, size_t max_bytes);

// kInvalidArgument: not a chunk, empty, or with a content that its parser refuses.
absl::StatusOr<std::variant<RunPlan, std::vector<Round>>> DecodeChunk(absl::string_view bytes);

// Appends decoded rounds in order; the next part of a split round joins its earlier part.
// kInvalidArgument: an index that goes back, or too many samples in one round.
absl::Status AppendRounds(std::vector<Round> part, std::vector<Round>& rounds);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_CHUNK_WIRE_H_
