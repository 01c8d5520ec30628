#include "worker/agent/state_dir.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/os/file.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxWorkerIdFileBytes = 64;

absl::StatusOr<std::string> KeptWorkerId(const std::string& path) {
  absl::StatusOr<std::string> kept = ReadFile(path, kMaxWorkerIdFileBytes);
  if (absl::IsNotFound(kept.status())) {
    const std::string made = UuidV4();
    BF_RETURN_IF_ERROR(WriteFileDurably(path, made + "\n"));
    return made;
  }
  BF_RETURN_IF_ERROR(kept.status());
  const std::string id = absl::AsciiStrToLower(absl::StripAsciiWhitespace(*kept));
  if (!IsUuid(id)) return absl::DataLossError(absl::StrCat(path, ": ", Quoted(id), " is not a UUID"));
  return id;
}

}  // namespace

absl::StatusOr<StateDir> OpenStateDir(const std::string& path) {
  StateDir state;
  state.path = path;
  BF_RETURN_IF_ERROR(MakeFolders(path));
  BF_ASSIGN_OR_RETURN(state.lock, LockFile(absl::StrCat(path, "/worker.lock")));
  BF_ASSIGN_OR_RETURN(state.worker_id, KeptWorkerId(absl::StrCat(path, "/worker_id")));
  return state;
}

}  // namespace benchfleet
