#include "worker/suites/wake/wake_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFiles[] = {"benchfleet-wake-epoll", "libbenchfleet_wake.so", "benchfleet_wake.abi3.so",
                                  "wake_driver.py"};

TEST(WakeProgramsTest, AreFoundBesideTheProgram) {
  const TempFolder folder;
  for (const char* file : kFiles) folder.Write(std::string("bin/") + file, "");
  const auto programs = FindWakeProgramsFrom(folder / "bin");
  ASSERT_TRUE(programs.ok()) << programs.status();
  EXPECT_EQ(programs->epoll_program, folder / "bin/benchfleet-wake-epoll");
}

TEST(WakeProgramsTest, AreFoundInLibexec) {
  const TempFolder folder;
  folder.Write("bin/benchfleet-runner", "");
  for (const char* file : kFiles) folder.Write(std::string("libexec/benchfleet/") + file, "");
  const auto programs = FindWakeProgramsFrom(folder / "bin");
  ASSERT_TRUE(programs.ok()) << programs.status();
  EXPECT_EQ(programs->epoll_program, folder / "libexec/benchfleet/benchfleet-wake-epoll");
  EXPECT_EQ(programs->runtime_library, folder / "libexec/benchfleet/libbenchfleet_wake.so");
  EXPECT_EQ(programs->python_module, folder / "libexec/benchfleet/benchfleet_wake.abi3.so");
  EXPECT_EQ(programs->python_driver, folder / "libexec/benchfleet/wake_driver.py");
  EXPECT_FALSE(programs->cpu.has_value());
}

TEST(WakeProgramsTest, EachMissingOneIsNamedInBothPlaces) {
  for (const char* missing : kFiles) {
    const TempFolder folder;
    for (const char* file : kFiles) {
      if (file != missing) folder.Write(std::string("libexec/benchfleet/") + file, "");
    }
    const auto programs = FindWakeProgramsFrom(folder / "bin");
    EXPECT_EQ(programs.status().code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(programs.status().message()), HasSubstr(folder / "bin/"));
    EXPECT_THAT(std::string(programs.status().message()), HasSubstr(folder / "libexec/benchfleet/" + missing));
  }
}

TEST(WakeProgramsTest, AreInTheBuildTreeWithACpuOfThisProcess) {
  const auto programs = FindWakePrograms();
  ASSERT_TRUE(programs.ok()) << programs.status();
  ASSERT_TRUE(programs->cpu.has_value());
  EXPECT_GE(*programs->cpu, 0);
}

}  // namespace
}  // namespace benchfleet
