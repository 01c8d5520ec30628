// Fills a protobuf message from a YAML tree, for any message: the one walker.
//
// Keys are the fields' snake_case names. Durations are written "90s" or "1h30m", enum
// values as lower-case words without their type's prefix ("all" for FAN_OUT_ALL). A
// message or list without a value (`wake:`) is one with nothing in it.
#ifndef BENCHFLEET_COMMON_JOBFILE_PROTO_WALKER_H_
#define BENCHFLEET_COMMON_JOBFILE_PROTO_WALKER_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/jobfile/yaml_tree.h"
#include "google/protobuf/message.h"

namespace benchfleet {

struct LineError {
  int line;          // from 1
  std::string path;  // "wake.cases[1]"; empty for the whole file
  std::string what;
};

struct WalkResult {
  std::vector<LineError> errors;     // all that were found, in the order of the text
  std::map<std::string, int> lines;  // of every field that is set, by path
};

WalkResult FillMessage(const YamlNode& root, google::protobuf::Message& message);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_JOBFILE_PROTO_WALKER_H_
