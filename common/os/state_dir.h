// Where a program keeps its state.
#ifndef BENCHFLEET_COMMON_OS_STATE_DIR_H_
#define BENCHFLEET_COMMON_OS_STATE_DIR_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

// Reads one environment variable; nullopt when it is not set or empty.
using EnvironmentFunction = std::function<std::optional<std::string>(const char* name)>;

// The first of: `flag` when it is not empty, $STATE_DIRECTORY (systemd's; the first when
// it gives several), for root /var/lib/benchfleet/PROGRAM, else $XDG_STATE_HOME or
// ~/.local/state with /benchfleet/PROGRAM.
// kFailedPrecondition: none of them is known.
absl::StatusOr<std::string> ChooseStateDir(absl::string_view flag, absl::string_view program, bool is_root,
                                           const EnvironmentFunction& environment);
// The same for the user and the environment of this process.
absl::StatusOr<std::string> ChooseStateDir(absl::string_view flag, absl::string_view program);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_STATE_DIR_H_
