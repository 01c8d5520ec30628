#include "worker/suites/compile/compile_programs.h"

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

void Install(const TempFolder& folder, const std::string& place) {
  folder.Write(place + "/benchfleet-compile-pass", "");
  folder.Write(place + "/compile_driver.py", "");
  fs::copy(BENCHFLEET_SOURCE_DIR "/worker/suites/compile/probes", folder / (place + "/probes"),
           fs::copy_options::recursive);
}

TEST(CompileProgramsTest, AreBesideTheProgramOrInLibexec) {
  for (const char* place : {"bin", "libexec/benchfleet"}) {
    const TempFolder folder;
    folder.Write("bin/benchfleet-runner", "");
    Install(folder, place);
    const absl::StatusOr<CompilePrograms> programs = FindCompileProgramsFrom(folder / "bin");
    ASSERT_TRUE(programs.ok()) << programs.status();
    EXPECT_EQ(programs->pass_program, folder / place + "/benchfleet-compile-pass");
    EXPECT_EQ(programs->python_driver, folder / place + "/compile_driver.py");
    EXPECT_EQ(programs->probes_folder, folder / place + "/probes");
  }
}

TEST(CompileProgramsTest, NothingMayBeMissing) {
  for (const char* file : {"benchfleet-compile-pass", "compile_driver.py", "probes/c/neg_link.c"}) {
    const TempFolder folder;
    Install(folder, "bin");
    fs::remove(folder / "bin" + "/" + file);
    const absl::Status status = FindCompileProgramsFrom(folder / "bin").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(status.message()), HasSubstr(file));
  }
}

TEST(CompileProgramsTest, AreInTheBuildTree) {
  const absl::StatusOr<CompilePrograms> programs = FindCompileProgramsFrom(BENCHFLEET_BIN_DIR);
  EXPECT_TRUE(programs.ok()) << programs.status();
}

}  // namespace
}  // namespace benchfleet
