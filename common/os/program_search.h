// Looks for programs where a user's shell would.
#ifndef BENCHFLEET_COMMON_OS_PROGRAM_SEARCH_H_
#define BENCHFLEET_COMMON_OS_PROGRAM_SEARCH_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace benchfleet {

// Empty when it is not set.
std::string EnvironmentVariable(const char* name);

// The folders of PATH in order. Without relative ones: they would mean another folder
// each time.
std::vector<std::string> PathFolders();

// The path without symbolic links; nullopt when it is no executable file.
std::optional<std::string> RealExecutable(const std::string& path);

// The names in a folder, sorted, without hidden ones; empty when it cannot be read.
std::vector<std::string> SortedEntries(const std::string& folder);

// One or more decimal digits.
bool IsDigits(absl::string_view text);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_PROGRAM_SEARCH_H_
