#include "common/os/program_search.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"

namespace benchfleet {

std::string EnvironmentVariable(const char* name) {
  const char* value = ::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> PathFolders() {
  std::vector<std::string> folders = absl::StrSplit(EnvironmentVariable("PATH"), ':', absl::SkipEmpty());
  std::erase_if(folders, [](const std::string& folder) { return folder[0] != '/'; });
  return folders;
}

std::optional<std::string> RealExecutable(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), ::free);
  if (real == nullptr || ::access(real.get(), X_OK) != 0) return std::nullopt;
  return std::string(real.get());
}

std::vector<std::string> SortedEntries(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open.get())) {
    if (entry->d_name[0] != '.') names.push_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool IsDigits(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

}  // namespace benchfleet
