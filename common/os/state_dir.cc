#include "common/os/state_dir.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

absl::StatusOr<std::string> StateDir(absl::string_view flag, absl::string_view name) {
  if (!flag.empty()) return std::string(flag);
  // systemd separates several folders by ':'; ours has one.
  if (std::string dir = Environment("STATE_DIRECTORY"); !dir.empty()) return dir.substr(0, dir.find(':'));
  if (geteuid() == 0) return absl::StrCat("/var/lib/benchfleet/", name);
  if (std::string dir = Environment("XDG_STATE_HOME"); !dir.empty()) return absl::StrCat(dir, "/benchfleet/", name);
  if (std::string home = Environment("HOME"); !home.empty()) {
    return absl::StrCat(home, "/.local/state/benchfleet/", name);
  }
  return absl::FailedPreconditionError(
      "state-dir: is not given, and neither STATE_DIRECTORY, XDG_STATE_HOME nor HOME is set");
}

}  // namespace benchfleet
