// Where the server is: flag > environment > configuration file > default.
#ifndef BENCHFLEET_CLI_SETTINGS_H_
#define BENCHFLEET_CLI_SETTINGS_H_

#include <string>

#include "absl/status/statusor.h"

namespace benchfleet {

inline constexpr char kDefaultServer[] = "127.0.0.1:7480";

// `flag` is empty when it was not given. Reads BENCHFLEET_SERVER and `server` of
// $XDG_CONFIG_HOME/benchfleet/config.yaml (~/.config by default). kInvalidArgument: the
// file is wrong, or an address is not HOST:PORT; names which.
absl::StatusOr<std::string> ServerAddress(const std::string& flag);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_SETTINGS_H_
