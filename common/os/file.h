// Files: whole reads and writes that survive a crash.
#ifndef BENCHFLEET_COMMON_OS_FILE_H_
#define BENCHFLEET_COMMON_OS_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

// The whole file. kNotFound, kPermissionDenied, kOutOfRange (over `max_bytes`) or
// kUnavailable, naming the path.
absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes);

// Writes beside `path`, syncs, renames over it and syncs the folder: afterwards either
// the old or the new content is there, also after a power cut. Mode 0600.
// kResourceExhausted: no space; kPermissionDenied; kUnavailable. Names the path.
absl::Status WriteFileDurably(const std::string& path, absl::string_view data);

// Makes the folder and its parents, mode 0700. Errors as above.
absl::Status MakeFolders(const std::string& path);

// An exclusive flock on `path`, made when it is missing; held while the descriptor
// lives, and freed by the kernel however the process ends. The file then holds our pid.
// kFailedPrecondition names the path and, where readable, the holder's pid.
absl::StatusOr<UniqueFd> LockFile(const std::string& path);

// The status for `error` (an errno) about `what`.
absl::Status ErrnoStatus(int error, absl::string_view what);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_FILE_H_
