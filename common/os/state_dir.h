// Where a program keeps its state.
#ifndef BENCHFLEET_COMMON_OS_STATE_DIR_H_
#define BENCHFLEET_COMMON_OS_STATE_DIR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

// The first of: `flag` when it is not empty, $STATE_DIRECTORY (systemd's), for root
// /var/lib/benchfleet/NAME, else $XDG_STATE_HOME or ~/.local/state with /benchfleet/NAME.
// kFailedPrecondition: none of them is set.
absl::StatusOr<std::string> StateDir(absl::string_view flag, absl::string_view name);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_STATE_DIR_H_
