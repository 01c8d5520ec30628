// Small readers for the text files of /proc and /sys.
#ifndef BENCHFLEET_COMMON_OS_KERNEL_FILES_H_
#define BENCHFLEET_COMMON_OS_KERNEL_FILES_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace benchfleet {

// All of it without surrounding white space; nullopt when it cannot be read.
std::optional<std::string> ReadText(const std::string& path);
// As ReadText(), for a file that holds one number.
std::optional<int64_t> ReadNumber(const std::string& path);

// The value of the first line "name<separator>value", trimmed.
std::optional<std::string> FindValue(absl::string_view text, absl::string_view name, char separator);

// "0-2,8" as CPU numbers; nullopt when it is anything else. Numbers up to kMaxCpuNumber.
inline constexpr int kMaxCpuNumber = 65535;
std::optional<std::set<int>> ParseCpuList(absl::string_view text);

// The folders below `root` that hold the limits of our cgroup for `controller`, from our
// own up to the top; cgroup v2, else v1. Empty when there is none.
struct CgroupFolders {
  bool v2 = false;
  std::vector<std::string> folders;
};
CgroupFolders FindCgroup(const std::string& root, absl::string_view controller);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_KERNEL_FILES_H_
