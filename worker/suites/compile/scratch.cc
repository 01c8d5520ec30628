#include "worker/suites/compile/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"

namespace benchfleet {

namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "benchfleet-compile-";
constexpr char kPattern[] = "XXXXXX";
// Another runner may take a new folder for a leftover, between its making and its locking.
constexpr int kMaxAttempts = 10;

// nullopt: somebody holds it, it is not ours, or it is no folder.
std::optional<UniqueFd> LockFolder(const std::string& path) {
  UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat opened;
  if (!folder.valid() || ::fstat(folder.get(), &opened) != 0 || opened.st_uid != ::geteuid()) return std::nullopt;
  if (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return folder;
}

bool StillThere(const std::string& path) {
  struct stat found;
  return ::lstat(path.c_str(), &found) == 0;
}

bool IsOurName(const std::string& name) {
  return absl::StartsWith(name, kPrefix) && name.size() == strlen(kPrefix) + strlen(kPattern);
}

// A leftover that cannot be removed harms nobody.
void RemoveLeftovers(const std::string& base) {
  std::error_code error;
  for (fs::directory_iterator entry(base, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!IsOurName(entry->path().filename())) continue;
    const std::optional<UniqueFd> lock = LockFolder(entry->path());
    std::error_code ignored;
    if (lock.has_value()) fs::remove_all(entry->path(), ignored);
  }
}

absl::Status Remove(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  return error ? ErrnoStatus(error.value(), absl::StrCat("empty ", path)) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Scratch>> Scratch::Create(const std::string& base) {
  RemoveLeftovers(base);
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string path = absl::StrCat(base, "/", kPrefix, kPattern);
    if (::mkdtemp(path.data()) == nullptr) return ErrnoStatus(errno, absl::StrCat("make ", path));
    std::optional<UniqueFd> lock = LockFolder(path);
    if (lock.has_value() && StillThere(path)) {
      return std::unique_ptr<Scratch>(new Scratch(std::move(path), *std::move(lock)));
    }
  }
  return absl::UnavailableError(absl::StrCat("no folder ", base, "/", kPrefix, kPattern, " stays ours"));
}

absl::StatusOr<std::unique_ptr<Scratch>> Scratch::Create() {
  const char* const named = ::getenv("TMPDIR");
  return Create(named != nullptr && named[0] == '/' ? named : "/tmp");
}

Scratch::~Scratch() { Remove(path_).IgnoreError(); }

absl::Status Scratch::Prepare(int compiles) const {
  BF_RETURN_IF_ERROR(Remove(absl::StrCat(path_, "/pass")));
  for (const std::string& folder : {working_folder(), home(), temporary_folder(), absl::StrCat(path_, "/pass/log")}) {
    BF_RETURN_IF_ERROR(MakeFolders(folder));
  }
  for (int compile = 0; compile < compiles; ++compile) BF_RETURN_IF_ERROR(MakeFolders(output_folder(compile)));
  return absl::OkStatus();
}

std::string Scratch::output_folder(int compile) const { return absl::StrFormat("%s/pass/out/%05d", path_, compile); }

std::string Scratch::log(int compile) const { return absl::StrFormat("%s/pass/log/%05d", path_, compile); }

}  // namespace benchfleet
