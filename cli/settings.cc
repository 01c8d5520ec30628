#include "cli/settings.h"

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "common/jobfile/flat_yaml.h"
#include "common/jobfile/yaml_tree.h"
#include "common/os/file.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Empty where there is neither variable.
std::string ConfigPath() {
  if (const std::string config = Environment("XDG_CONFIG_HOME"); !config.empty()) {
    return config + "/benchfleet/config.yaml";
  }
  const std::string home = Environment("HOME");
  return home.empty() ? "" : home + "/.config/benchfleet/config.yaml";
}

// The file's `server`; empty without a file or without the key.
absl::StatusOr<std::string> ServerFromFile(const std::string& path) {
  if (path.empty()) return "";
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxYamlBytes);
  if (absl::IsNotFound(text.status())) return "";
  BF_RETURN_IF_ERROR(text.status());
  BF_ASSIGN_OR_RETURN(const auto values, ParseFlatYaml(*text, path, {"server"}));
  const auto server = values.find("server");
  return server == values.end() ? "" : server->second;
}

absl::StatusOr<std::string> Checked(const std::string& address, absl::string_view source) {
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon != std::string::npos && colon > 0 && absl::SimpleAtoi(address.substr(colon + 1), &port) && port > 0 &&
      port < 65536) {
    return address;
  }
  return absl::InvalidArgumentError(absl::StrCat(source, ": must be HOST:PORT, is ", Quoted(address)));
}

}  // namespace

absl::StatusOr<std::string> ServerAddress(const std::string& flag) {
  if (!flag.empty()) return Checked(flag, "--server");
  if (const std::string value = Environment("BENCHFLEET_SERVER"); !value.empty()) {
    return Checked(value, "BENCHFLEET_SERVER");
  }
  const std::string path = ConfigPath();
  BF_ASSIGN_OR_RETURN(const std::string from_file, ServerFromFile(path));
  return from_file.empty() ? std::string(kDefaultServer) : Checked(from_file, path);
}

}  // namespace benchfleet
