#include "worker/suites/compile/compiler_command.h"

#include "absl/strings/str_cat.h"
#include "common/model/compile.h"
#include "common/os/process.h"

namespace benchfleet {

namespace {

// A function or type that older C declares by its use would make a probe pass that tests nothing.
constexpr const char* kStrictC[] = {"-Werror=implicit-function-declaration", "-Werror=implicit-int"};

// Where a Fortran compiler shall put module files; "" where there are none.
absl::string_view ModuleFolderFlag(const Compiler& compiler) {
  if (compiler.language != compile::kFortran) return "";
  if (compiler.name == "gfortran") return "-J";
  if (compiler.name == "flang") return "-module-dir";
  return "-module";  // ifx, nvfortran
}

}  // namespace

std::string OutputPath(absl::string_view mode, const std::string& output_folder) {
  return absl::StrCat(output_folder, mode == compile::kCompile ? "/out.o" : "/out");
}

std::vector<std::string> CompilerArgv(const Compiler& compiler, absl::string_view mode, const Probe& probe,
                                      const std::string& probes_folder, const std::string& output_folder) {
  std::vector<std::string> argv = {compiler.path};
  if (mode == compile::kCompile) argv.push_back("-c");
  if (!probe.flag.empty()) argv.emplace_back(probe.flag);
  if (compiler.language == compile::kC) argv.insert(argv.end(), std::begin(kStrictC), std::end(kStrictC));
  if (const absl::string_view flag = ModuleFolderFlag(compiler); !flag.empty()) {
    argv.emplace_back(flag);
    argv.push_back(output_folder);
  }
  argv.insert(argv.end(), {"-o", OutputPath(mode, output_folder), absl::StrCat(probes_folder, "/", probe.file)});
  return argv;
}

std::vector<std::string> MakeEnvironment(const CompileEnvironment& environment) {
  return {"LC_ALL=C",
          "PATH=/usr/local/bin:/usr/bin:/bin",
          absl::StrCat("HOME=", environment.home),
          absl::StrCat("TMPDIR=", environment.temporary_folder),
          "CCACHE_DISABLE=1",
          "SOURCE_DATE_EPOCH=0",
          absl::StrCat(kAttemptVariable, "=", environment.attempt_token),
          absl::StrCat("BENCHFLEET_PADDING=", std::string(static_cast<size_t>(environment.padding_bytes), 'x'))};
}

}  // namespace benchfleet
