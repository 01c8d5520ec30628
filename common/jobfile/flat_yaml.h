// Small settings files: one map of known keys to words.
#ifndef BENCHFLEET_COMMON_JOBFILE_FLAT_YAML_H_
#define BENCHFLEET_COMMON_JOBFILE_FLAT_YAML_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

// The keys that are given, with their values. kInvalidArgument: "FILE:LINE: what", for
// an unknown or duplicate key and for a value that is not one word or number.
absl::StatusOr<std::map<std::string, std::string>> ParseFlatYaml(absl::string_view text, absl::string_view file_name,
                                                                 const std::vector<std::string>& known_keys);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_JOBFILE_FLAT_YAML_H_
