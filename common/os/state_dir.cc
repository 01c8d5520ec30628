#include "common/os/state_dir.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

std::optional<std::string> Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

absl::StatusOr<std::string> ChooseStateDir(absl::string_view flag, absl::string_view program, bool is_root,
                                           const EnvironmentFunction& environment) {
  if (!flag.empty()) return std::string(flag);
  if (const auto systemd = environment("STATE_DIRECTORY")) {
    const std::string first = systemd->substr(0, systemd->find(':'));
    if (!first.empty()) return first;
  }
  if (is_root) return absl::StrCat("/var/lib/benchfleet/", program);
  if (const auto xdg = environment("XDG_STATE_HOME")) return absl::StrCat(*xdg, "/benchfleet/", program);
  if (const auto home = environment("HOME")) return absl::StrCat(*home, "/.local/state/benchfleet/", program);
  return absl::FailedPreconditionError(
      "state directory: --state-dir is not given, and neither STATE_DIRECTORY, XDG_STATE_HOME nor HOME is set");
}

absl::StatusOr<std::string> ChooseStateDir(absl::string_view flag, absl::string_view program) {
  return ChooseStateDir(flag, program, ::geteuid() == 0, Environment);
}

}  // namespace benchfleet
