#include "common/jobfile/flat_yaml.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/status_macros.h"
#include "common/jobfile/yaml_tree.h"
#include "common/wire/text_wire.h"

namespace benchfleet {

absl::StatusOr<std::map<std::string, std::string>> ParseFlatYaml(absl::string_view text, absl::string_view file_name,
                                                                 const std::vector<std::string>& known_keys) {
  BF_ASSIGN_OR_RETURN(const YamlNode root, ParseYaml(text, file_name));
  const auto error = [&](int line, absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(file_name, ":", line, ": ", what));
  };
  if (root.kind != YamlNode::Kind::kMap) return error(root.line, "must be a map");
  std::map<std::string, std::string> values;
  for (size_t i = 0; i < root.keys.size(); ++i) {
    const std::string& key = root.keys[i];
    const int line = root.key_lines[i];
    if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) {
      return error(line, absl::StrCat(Quoted(key), " is unknown, must be one of ", absl::StrJoin(known_keys, ", ")));
    }
    if (root.values[i].kind != YamlNode::Kind::kScalar) return error(line, absl::StrCat(key, " must be one word"));
    if (!values.emplace(key, root.values[i].text).second) return error(line, absl::StrCat(key, " is given twice"));
  }
  return values;
}

}  // namespace benchfleet
