#include "common/runner/host_lock.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "common/os/file.h"

namespace benchfleet {

std::vector<std::string> HostLockPaths() {
  std::vector<std::string> paths = {"/run/lock/benchfleet.lock"};
  const char* runtime_dir = std::getenv("XDG_RUNTIME_DIR");
  if (runtime_dir != nullptr && *runtime_dir == '/') {
    paths.push_back(absl::StrCat(runtime_dir, "/benchfleet.lock"));
  } else {
    paths.push_back(absl::StrCat("/tmp/benchfleet-", ::getuid(), ".lock"));
  }
  return paths;
}

absl::StatusOr<UniqueFd> LockHost(const std::vector<std::string>& paths) {
  absl::Status last = absl::PermissionDeniedError("no place for the host lock");
  for (const std::string& path : paths) {
    absl::StatusOr<UniqueFd> lock = LockFile(path);
    if (lock.ok() || absl::IsFailedPrecondition(lock.status())) return lock;
    last = lock.status();
  }
  return last;
}

}  // namespace benchfleet
