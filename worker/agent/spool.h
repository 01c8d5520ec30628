// Attempts on disk until the coordinator has acknowledged or refused their end, so that
// neither a dead network nor a killed worker loses a sample.
//
// STATE/spool/<run id, '/' as '_'>-<lease epoch>/chunk-<index>   payload as it is sent
//                                               /completion     the end, once there is one
// The folder is there from before the runner starts: what is found without a completion
// after a restart was cut off, and its processes may still run.
#ifndef BENCHFLEET_WORKER_AGENT_SPOOL_H_
#define BENCHFLEET_WORKER_AGENT_SPOOL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/base/mutex.h"
#include "worker/agent/coordinator_link.h"

namespace benchfleet {

// Of all attempts together. A round of a large plan is some 100 KiB.
inline constexpr int64_t kMaxSpoolBytes = int64_t{256} << 20;
inline constexpr int kMaxChunksPerAttempt = 100'000;

// "<UUID>/<index>": safe in a path.
bool IsRunId(absl::string_view text);

class Spool;

// One attempt's folder. Made by Spool and living no longer than it.
//
// Thread-safety: none.
// Errors: kResourceExhausted, the disk or the spool is full (the attempt cannot go on);
// kUnavailable, kPermissionDenied: the folder cannot be written. Each names the path.
class SpoolEntry {
 public:
  ~SpoolEntry();
  SpoolEntry(const SpoolEntry&) = delete;
  SpoolEntry& operator=(const SpoolEntry&) = delete;

  const LeaseKey& lease() const { return lease_; }
  int chunk_count() const { return chunk_count_; }
  uint32_t chunks_crc32c() const { return chunks_crc32c_; }

  // Appends a chunk; it is durable when this returns.
  absl::Status AddChunk(absl::string_view payload);
  absl::StatusOr<std::string> ReadChunk(int index) const;

  // Fills in chunk count and checksum, and writes the end down. Even when that fails the
  // completion is kept in memory and may be sent.
  absl::Status Complete(AttemptEnd end, absl::string_view detail);
  const std::optional<AttemptCompletion>& completion() const { return completion_; }

  // Removes everything, at once as far as a later recovery is concerned.
  absl::Status Drop();

 private:
  friend class Spool;
  SpoolEntry(Spool* spool, std::string folder, LeaseKey lease);
  absl::Status Load();
  std::string ChunkPath(int index) const;

  Spool* const spool_;
  const std::string folder_;
  const LeaseKey lease_;
  int chunk_count_ = 0;
  uint32_t chunks_crc32c_ = 0;
  int64_t bytes_ = 0;
  std::optional<AttemptCompletion> completion_;
};

// Thread-safety: safe; each entry is used by one thread at a time.
class Spool {
 public:
  // `folder` is made when it is missing.
  static absl::StatusOr<std::unique_ptr<Spool>> Open(std::string folder, int64_t max_bytes = kMaxSpoolBytes);

  // A new, empty entry. kAlreadyExists: the attempt is here already.
  absl::StatusOr<std::unique_ptr<SpoolEntry>> Begin(const LeaseKey& lease);

  // What an earlier process left, oldest epoch first, and clears away what it had begun
  // to remove. Chunks after a gap, unfinished files and strange names are not part of an
  // entry; an entry that cannot be read is left alone and named in `problems`.
  std::vector<std::unique_ptr<SpoolEntry>> Recover(std::vector<absl::Status>& problems);

 private:
  friend class SpoolEntry;
  Spool(std::string folder, int64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}
  absl::Status Reserve(int64_t bytes);
  void Release(int64_t bytes);

  const std::string folder_;
  const int64_t max_bytes_;
  Mutex mutex_;
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_SPOOL_H_
