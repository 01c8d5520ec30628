#include "worker/suites/compile/compile_programs.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/model/compile.h"
#include "worker/suites/compile/probes.h"

namespace benchfleet {

namespace {

namespace fs = std::filesystem;

// The first that is not a file; empty when all are there.
std::string MissingFile(const CompilePrograms& programs) {
  std::vector<std::string> paths = {programs.pass_program, programs.python_driver};
  for (const absl::string_view language : {compile::kFortran, compile::kC}) {
    for (const Probe& probe : ProbesOf(language))
      paths.push_back(absl::StrCat(programs.probes_folder, "/", probe.file));
  }
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return path;
  }
  return "";
}

}  // namespace

absl::StatusOr<CompilePrograms> FindCompileProgramsFrom(const std::string& folder) {
  std::string missing;
  for (const fs::path& place : {fs::path(folder), fs::path(folder) / ".." / "libexec" / "benchfleet"}) {
    const fs::path base = place.lexically_normal();
    CompilePrograms programs;
    programs.pass_program = base / "benchfleet-compile-pass";
    programs.python_driver = base / "compile_driver.py";
    programs.probes_folder = base / "probes";
    const std::string absent = MissingFile(programs);
    if (absent.empty()) return programs;
    absl::StrAppend(&missing, missing.empty() ? "" : ", ", absent);
  }
  return absl::NotFoundError(absl::StrCat("the programs of the compile suite are not installed: no ", missing));
}

absl::StatusOr<CompilePrograms> FindCompilePrograms() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return absl::NotFoundError(absl::StrCat("/proc/self/exe: ", error.message()));
  return FindCompileProgramsFrom(self.parent_path());
}

}  // namespace benchfleet
