#include "worker/suites/wake/wake_programs.h"

#include <sched.h>

#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"

namespace benchfleet {

namespace {

namespace fs = std::filesystem;

std::optional<int> LastAllowedCpu() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return std::nullopt;
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu) {
    if (CPU_ISSET(cpu, &allowed)) return cpu;
  }
  return std::nullopt;
}

// The first that is not a file; empty when all are there.
std::string MissingFile(const WakePrograms& programs) {
  for (const std::string* path :
       {&programs.epoll_program, &programs.runtime_library, &programs.python_module, &programs.python_driver}) {
    std::error_code error;
    if (!fs::is_regular_file(*path, error)) return *path;
  }
  return "";
}

}  // namespace

absl::StatusOr<WakePrograms> FindWakeProgramsFrom(const std::string& folder) {
  std::string missing;
  for (const fs::path& place : {fs::path(folder), fs::path(folder) / ".." / "libexec" / "benchfleet"}) {
    const fs::path base = place.lexically_normal();
    WakePrograms programs;
    programs.epoll_program = base / "benchfleet-wake-epoll";
    programs.runtime_library = base / "libbenchfleet_wake.so";
    programs.python_module = base / "benchfleet_wake.abi3.so";
    programs.python_driver = base / "wake_driver.py";
    const std::string absent = MissingFile(programs);
    if (absent.empty()) return programs;
    absl::StrAppend(&missing, missing.empty() ? "" : ", ", absent);
  }
  return absl::NotFoundError(absl::StrCat("the programs of the wake suite are not installed: no ", missing));
}

absl::StatusOr<WakePrograms> FindWakePrograms() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return absl::NotFoundError(absl::StrCat("/proc/self/exe: ", error.message()));
  BF_ASSIGN_OR_RETURN(WakePrograms programs, FindWakeProgramsFrom(self.parent_path()));
  programs.cpu = LastAllowedCpu();
  return programs;
}

}  // namespace benchfleet
