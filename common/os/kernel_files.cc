#include "common/os/kernel_files.h"

#include <sys/stat.h>

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/os/file.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxKernelFileBytes = 4 << 20;  // /proc/cpuinfo of some thousand CPUs

bool IsFile(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

// "/a/b" as {mount/a/b, mount/a, mount}.
std::vector<std::string> UpFrom(const std::string& mount, absl::string_view path) {
  std::vector<std::string> folders;
  while (path.size() > 1) {
    folders.push_back(absl::StrCat(mount, path));
    path = path.substr(0, path.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

std::vector<std::string> OnlyWith(std::vector<std::string> folders, absl::string_view file) {
  std::vector<std::string> kept;
  for (std::string& folder : folders) {
    if (IsFile(absl::StrCat(folder, "/", file))) kept.push_back(std::move(folder));
  }
  return kept;
}

}  // namespace

std::optional<std::string> ReadText(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path, kMaxKernelFileBytes);
  if (!text.ok()) return std::nullopt;
  absl::StripAsciiWhitespace(&*text);
  return *std::move(text);
}

std::optional<int64_t> ReadNumber(const std::string& path) {
  const std::optional<std::string> text = ReadText(path);
  int64_t number = 0;
  if (!text.has_value() || !absl::SimpleAtoi(*text, &number)) return std::nullopt;
  return number;
}

std::optional<std::string> FindValue(absl::string_view text, absl::string_view name, char separator) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(separator, 1));
    if (absl::StripAsciiWhitespace(parts.first) == name && parts.first.size() < line.size()) {
      return std::string(absl::StripAsciiWhitespace(parts.second));
    }
  }
  return std::nullopt;
}

std::optional<std::set<int>> ParseCpuList(absl::string_view text) {
  std::set<int> cpus;
  for (absl::string_view range : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(range, '-');
    int first = 0;
    int last = 0;
    if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first) || !absl::SimpleAtoi(ends.back(), &last)) {
      return std::nullopt;
    }
    if (first < 0 || last < first || last > kMaxCpuNumber) return std::nullopt;
    for (int cpu = first; cpu <= last; ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

CgroupFolders FindCgroup(const std::string& root, absl::string_view controller) {
  const std::string text = ReadText(absl::StrCat(root, "/proc/self/cgroup")).value_or("");
  const std::string mount = absl::StrCat(root, "/sys/fs/cgroup");
  std::string v1_path;
  std::string v2_path = "/";
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    if (parts[0] == "0" && parts[1].empty()) v2_path = std::string(parts[2]);
    for (absl::string_view name : absl::StrSplit(parts[1], ',')) {
      if (name == controller) v1_path = std::string(parts[2]);
    }
  }
  CgroupFolders found;
  // A v1 controller is not available in v2 at the same time.
  if (!v1_path.empty()) {
    found.folders = OnlyWith(UpFrom(absl::StrCat(mount, "/", controller), v1_path), absl::StrCat(controller, ".stat"));
    return found;
  }
  found.v2 = true;
  found.folders = OnlyWith(UpFrom(mount, v2_path), absl::StrCat(controller, ".stat"));
  return found;
}

}  // namespace benchfleet
