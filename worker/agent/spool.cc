#include "worker/agent/spool.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchfleet/v1/worker_service.pb.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/os/digest.h"
#include "common/os/file.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxChunkFileBytes = 4 << 20;  // gRPC's bound on a message
constexpr size_t kMaxCompletionFileBytes = 64 << 10;
constexpr size_t kUuidBytes = 36;
constexpr size_t kMaxIndexDigits = 9;
constexpr char kDropped[] = ".dropped";
constexpr char kCompletion[] = "completion";

bool IsNumber(absl::string_view text, size_t max_digits) {
  return !text.empty() && text.size() <= max_digits &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isdigit(c); });
}

std::string FolderName(const LeaseKey& lease) {
  return absl::StrCat(absl::StrReplaceAll(lease.run_id.value(), {{"/", "_"}}), "-", lease.epoch);
}

std::optional<LeaseKey> ParseFolderName(const std::string& name) {
  const size_t dash = name.rfind('-');
  if (dash == std::string::npos || !IsNumber(absl::string_view(name).substr(dash + 1), 19)) return std::nullopt;
  LeaseKey lease;
  lease.run_id = RunId(absl::StrReplaceAll(name.substr(0, dash), {{"_", "/"}}));
  if (!IsRunId(lease.run_id.value()) || !absl::SimpleAtoi(name.substr(dash + 1), &lease.epoch)) return std::nullopt;
  return lease;
}

absl::Status RemoveTree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  return error ? ErrnoStatus(error.value(), absl::StrCat("remove ", path)) : absl::OkStatus();
}

absl::Status ListFolder(const std::string& path, std::vector<std::string>& names) {
  std::error_code error;
  std::filesystem::directory_iterator it(path, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  return error ? ErrnoStatus(error.value(), absl::StrCat("list ", path)) : absl::OkStatus();
}

std::string Serialize(const AttemptCompletion& completion) {
  v1::CompleteAttemptRequest record;
  record.set_run_id(completion.lease.run_id.value());
  record.set_lease_epoch(completion.lease.epoch);
  record.set_end(ToProto(completion.end));
  record.set_detail(completion.detail);
  record.set_chunk_count(completion.chunk_count);
  record.set_chunks_crc32c(completion.chunks_crc32c);
  return record.SerializeAsString();
}

absl::StatusOr<AttemptCompletion> ParseCompletion(const std::string& bytes, const LeaseKey& lease) {
  v1::CompleteAttemptRequest record;
  if (!record.ParseFromString(bytes)) return absl::DataLossError("not a completion record");
  AttemptCompletion completion;
  completion.lease = lease;
  BF_ASSIGN_OR_RETURN(completion.end, ParseAttemptEnd(record.end()));
  completion.detail = record.detail();
  completion.chunk_count = record.chunk_count();
  completion.chunks_crc32c = record.chunks_crc32c();
  return completion;
}

}  // namespace

bool IsRunId(absl::string_view text) {
  return text.size() > kUuidBytes + 1 && IsUuid(text.substr(0, kUuidBytes)) && text[kUuidBytes] == '/' &&
         IsNumber(text.substr(kUuidBytes + 1), kMaxIndexDigits);
}

SpoolEntry::SpoolEntry(Spool* spool, std::string folder, LeaseKey lease)
    : spool_(spool), folder_(std::move(folder)), lease_(std::move(lease)) {}

SpoolEntry::~SpoolEntry() { spool_->Release(bytes_); }

std::string SpoolEntry::ChunkPath(int index) const { return absl::StrCat(folder_, "/chunk-", index); }

absl::Status SpoolEntry::AddChunk(absl::string_view payload) {
  if (chunk_count_ == kMaxChunksPerAttempt) {
    return absl::ResourceExhaustedError(
        absl::StrCat("spool: an attempt has at most ", kMaxChunksPerAttempt, " chunks"));
  }
  if (payload.size() > kMaxChunkFileBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("spool: a chunk of ", payload.size(), " bytes is over ", kMaxChunkFileBytes));
  }
  const auto bytes = static_cast<int64_t>(payload.size());
  BF_RETURN_IF_ERROR(spool_->Reserve(bytes));
  bytes_ += bytes;
  BF_RETURN_IF_ERROR(WriteFileDurably(ChunkPath(chunk_count_), payload));
  ++chunk_count_;
  chunks_crc32c_ = Crc32c(payload, chunks_crc32c_);
  return absl::OkStatus();
}

absl::StatusOr<std::string> SpoolEntry::ReadChunk(int index) const {
  return ReadFile(ChunkPath(index), kMaxChunkFileBytes);
}

absl::Status SpoolEntry::Complete(AttemptEnd end, absl::string_view detail) {
  constexpr size_t kMaxDetailBytes = 4096;
  completion_ = AttemptCompletion{lease_, end, ToUtf8(detail.substr(0, kMaxDetailBytes)), chunk_count_, chunks_crc32c_};
  return WriteFileDurably(absl::StrCat(folder_, "/", kCompletion), Serialize(*completion_));
}

absl::Status SpoolEntry::Drop() {
  spool_->Release(std::exchange(bytes_, 0));
  // Under its new name it is no entry any more, however far the removal comes.
  const std::string dropped = absl::StrCat(folder_, kDropped);
  if (::rename(folder_.c_str(), dropped.c_str()) != 0) return ErrnoStatus(errno, absl::StrCat("rename ", folder_));
  return RemoveTree(dropped);
}

absl::Status SpoolEntry::Load() {
  for (; chunk_count_ < kMaxChunksPerAttempt; ++chunk_count_) {
    const absl::StatusOr<std::string> payload = ReadChunk(chunk_count_);
    if (absl::IsNotFound(payload.status())) break;
    BF_RETURN_IF_ERROR(payload.status());
    const auto bytes = static_cast<int64_t>(payload->size());
    BF_RETURN_IF_ERROR(spool_->Reserve(bytes));
    bytes_ += bytes;
    chunks_crc32c_ = Crc32c(*payload, chunks_crc32c_);
  }
  const std::string path = absl::StrCat(folder_, "/", kCompletion);
  const absl::StatusOr<std::string> record = ReadFile(path, kMaxCompletionFileBytes);
  if (absl::IsNotFound(record.status())) return absl::OkStatus();
  BF_RETURN_IF_ERROR(record.status());
  BF_ASSIGN_OR_RETURN(completion_, ParseCompletion(*record, lease_));
  if (completion_->chunk_count != chunk_count_ || completion_->chunks_crc32c != chunks_crc32c_) {
    return absl::DataLossError(absl::StrCat("spool entry ", folder_, ": its ", chunk_count_,
                                            " chunks are not those of its completion record"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Spool>> Spool::Open(std::string folder, int64_t max_bytes) {
  BF_RETURN_IF_ERROR(MakeFolders(folder));
  return std::unique_ptr<Spool>(new Spool(std::move(folder), max_bytes));
}

absl::StatusOr<std::unique_ptr<SpoolEntry>> Spool::Begin(const LeaseKey& lease) {
  if (!IsRunId(lease.run_id.value())) {
    return absl::InvalidArgumentError(absl::StrCat("run_id: ", Quoted(lease.run_id.value()), " is not a run id"));
  }
  const std::string folder = absl::StrCat(folder_, "/", FolderName(lease));
  if (::mkdir(folder.c_str(), 0700) != 0) {
    if (errno == EEXIST) return absl::AlreadyExistsError(absl::StrCat("spool entry ", folder, " is there already"));
    return ErrnoStatus(errno, absl::StrCat("make folder ", folder));
  }
  return std::unique_ptr<SpoolEntry>(new SpoolEntry(this, folder, lease));
}

std::vector<std::unique_ptr<SpoolEntry>> Spool::Recover(std::vector<absl::Status>& problems) {
  std::vector<std::unique_ptr<SpoolEntry>> entries;
  std::vector<std::string> names;
  if (absl::Status listed = ListFolder(folder_, names); !listed.ok()) problems.push_back(std::move(listed));
  for (const std::string& name : names) {
    const std::string path = absl::StrCat(folder_, "/", name);
    if (absl::EndsWith(name, kDropped)) {
      if (absl::Status removed = RemoveTree(path); !removed.ok()) problems.push_back(std::move(removed));
      continue;
    }
    const std::optional<LeaseKey> lease = ParseFolderName(name);
    if (!lease.has_value()) continue;
    std::unique_ptr<SpoolEntry> entry(new SpoolEntry(this, path, *lease));
    if (absl::Status loaded = entry->Load(); !loaded.ok()) {
      problems.push_back(std::move(loaded));
      continue;
    }
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a->lease().epoch < b->lease().epoch; });
  return entries;
}

absl::Status Spool::Reserve(int64_t bytes) {
  MutexLock lock(mutex_);
  if (bytes_ + bytes > max_bytes_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("spool ", folder_, ": full, ", bytes_, " of ", max_bytes_, " bytes wait for the coordinator"));
  }
  bytes_ += bytes;
  return absl::OkStatus();
}

void Spool::Release(int64_t bytes) {
  MutexLock lock(mutex_);
  bytes_ -= bytes;
}

}  // namespace benchfleet
