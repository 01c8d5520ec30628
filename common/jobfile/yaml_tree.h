// A YAML or JSON text as a tree that knows its lines. Anchors, aliases and tags are
// refused: no job needs them, and a few bytes of aliases can stand for gigabytes.
#ifndef BENCHFLEET_COMMON_JOBFILE_YAML_TREE_H_
#define BENCHFLEET_COMMON_JOBFILE_YAML_TREE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

inline constexpr size_t kMaxYamlBytes = 256 * 1024;
inline constexpr int kMaxYamlDepth = 16;      // maps and lists inside each other
inline constexpr int kMaxYamlNodes = 20'000;  // keys included

struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  int line = 1;                   // from 1
  std::string text;               // of a scalar
  bool quoted = false;            // a scalar that can only be a string
  std::vector<std::string> keys;  // of a map, in order, perhaps with duplicates
  std::vector<int> key_lines;     // of a map
  std::vector<YamlNode> values;   // of a map or a list
};

// One document. kInvalidArgument: "FILE:LINE: what".
absl::StatusOr<YamlNode> ParseYaml(absl::string_view text, absl::string_view file_name);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_JOBFILE_YAML_TREE_H_
