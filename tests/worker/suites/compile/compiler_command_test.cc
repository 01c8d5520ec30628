#include "worker/suites/compile/compiler_command.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;

constexpr Probe kFortranProbe = {"fortran", "minimal", "fortran/minimal.f90", "", ProbeKind::kMinimal};
constexpr Probe kCProbe = {"c", "c23_bitint", "c/c23_bitint.c", "-std=c2x", ProbeKind::kFeature};

Compiler Named(const char* name, const char* language) {
  Compiler compiler;
  compiler.name = name;
  compiler.language = language;
  compiler.path = absl::StrCat("/bin/", name);
  return compiler;
}

std::vector<std::string> Argv(const char* name, absl::string_view mode) {
  return CompilerArgv(Named(name, "fortran"), mode, kFortranProbe, "/p", "/o");
}

TEST(CompilerCommandTest, ModuleFilesGoWhereTheOutputGoes) {
  EXPECT_THAT(Argv("gfortran", "compile"),
              ElementsAre("/bin/gfortran", "-c", "-J", "/o", "-o", "/o/out.o", "/p/fortran/minimal.f90"));
  EXPECT_THAT(Argv("flang", "link"),
              ElementsAre("/bin/flang", "-module-dir", "/o", "-o", "/o/out", "/p/fortran/minimal.f90"));
  for (const char* name : {"ifx", "nvfortran"}) {
    EXPECT_THAT(Argv(name, "link"),
                ElementsAre(absl::StrCat("/bin/", name), "-module", "/o", "-o", "/o/out", "/p/fortran/minimal.f90"));
  }
}

TEST(CompilerCommandTest, CIsStrictAboutWhatItDoesNotKnow) {
  for (const char* name : {"gcc", "clang", "icx", "tcc"}) {
    EXPECT_THAT(CompilerArgv(Named(name, "c"), "compile", kCProbe, "/p", "/o"),
                ElementsAre(absl::StrCat("/bin/", name), "-c", "-std=c2x", "-Werror=implicit-function-declaration",
                            "-Werror=implicit-int", "-o", "/o/out.o", "/p/c/c23_bitint.c"));
  }
}

TEST(CompilerCommandTest, EnvironmentIsWhole) {
  EXPECT_THAT(MakeEnvironment({"/h", "/t", "token", 3}),
              ElementsAre("LC_ALL=C", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/h", "TMPDIR=/t", "CCACHE_DISABLE=1",
                          "SOURCE_DATE_EPOCH=0", "BENCHFLEET_ATTEMPT=token", "BENCHFLEET_PADDING=xxx"));
}

}  // namespace
}  // namespace benchfleet
