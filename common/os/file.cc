#include "common/os/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

absl::StatusCode CodeOfErrno(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case EAGAIN:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
      return absl::StatusCode::kResourceExhausted;
    default:
      return absl::StatusCode::kUnavailable;
  }
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::Status WriteAll(int fd, absl::string_view data, const std::string& path) {
  while (!data.empty()) {
    const ssize_t written = ::write(fd, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return ErrnoStatus(errno, absl::StrCat("write ", path));
    data.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status SyncFolder(const std::string& folder) {
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus(errno, absl::StrCat("open ", folder));
  if (::fsync(fd.get()) != 0) return ErrnoStatus(errno, absl::StrCat("sync ", folder));
  return absl::OkStatus();
}

absl::Status WriteAndSync(const std::string& path, absl::string_view data) {
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return ErrnoStatus(errno, absl::StrCat("create ", path));
  BF_RETURN_IF_ERROR(WriteAll(fd.get(), data, path));
  if (::fsync(fd.get()) != 0) return ErrnoStatus(errno, absl::StrCat("sync ", path));
  return absl::OkStatus();
}

// An existing file is opened without O_CREAT: in a sticky folder such as /run/lock the
// kernel may refuse O_CREAT on a file of another user.
absl::StatusOr<UniqueFd> OpenOrCreate(const std::string& path) {
  for (;;) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (fd.valid()) return fd;
    if (errno != ENOENT) return ErrnoStatus(errno, absl::StrCat("open ", path));
    UniqueFd made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (made.valid()) {
      // Whoever may start a worker here must meet the same lock, whatever the umask.
      if (::fchmod(made.get(), 0666) != 0) return ErrnoStatus(errno, absl::StrCat("change the mode of ", path));
      return made;
    }
    if (errno != EEXIST) return ErrnoStatus(errno, absl::StrCat("create ", path));
  }
}

}  // namespace

absl::Status ErrnoStatus(int error, absl::string_view what) {
  return absl::Status(CodeOfErrno(error), absl::StrCat(what, ": ", std::generic_category().message(error)));
}

absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus(errno, absl::StrCat("open ", path));
  std::string data;
  char buffer[16384];
  for (;;) {
    // Files of /proc have no size, so the end is where read() says it is.
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, absl::StrCat("read ", path));
    if (got == 0) return data;
    if (data.size() + static_cast<size_t>(got) > max_bytes) {
      return absl::OutOfRangeError(absl::StrCat("read ", path, ": longer than ", max_bytes, " bytes"));
    }
    data.append(buffer, static_cast<size_t>(got));
  }
}

absl::Status WriteFileDurably(const std::string& path, absl::string_view data) {
  const std::string temporary = absl::StrCat(path, ".", ::getpid(), ".tmp");
  absl::Status written = WriteAndSync(temporary, data);
  if (written.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = ErrnoStatus(errno, absl::StrCat("rename ", temporary, " to ", path));
  }
  if (!written.ok()) {
    ::unlink(temporary.c_str());
    return written;
  }
  return SyncFolder(FolderOf(path));
}

absl::Status MakeFolders(const std::string& path) {
  for (size_t end = 1; end <= path.size(); ++end) {
    if (end != path.size() && path[end] != '/') continue;
    const std::string folder = path.substr(0, end);
    if (::mkdir(folder.c_str(), 0700) == 0) continue;
    const int error = errno;
    struct stat found;
    // Not only EEXIST: of an existing folder below a read-only one mkdir may say EROFS.
    if (::stat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) continue;
    return ErrnoStatus(error, absl::StrCat("make folder ", folder));
  }
  return absl::OkStatus();
}

absl::StatusOr<UniqueFd> LockFile(const std::string& path) {
  BF_ASSIGN_OR_RETURN(UniqueFd fd, OpenOrCreate(path));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoStatus(errno, absl::StrCat("lock ", path));
    const absl::StatusOr<std::string> holder = ReadFile(path, 32);
    int pid = 0;
    const bool known = holder.ok() && absl::SimpleAtoi(absl::StripAsciiWhitespace(*holder), &pid);
    return absl::FailedPreconditionError(
        absl::StrCat("lock ", path, ": held by ", known ? absl::StrCat("process ", pid) : "another process"));
  }
  if (::ftruncate(fd.get(), 0) != 0) return ErrnoStatus(errno, absl::StrCat("truncate ", path));
  BF_RETURN_IF_ERROR(WriteAll(fd.get(), absl::StrCat(::getpid(), "\n"), path));
  return fd;
}

}  // namespace benchfleet
