#include "worker/suites/compile/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ScratchTest : public testing::Test {
 protected:
  std::unique_ptr<Scratch> MustCreate() {
    absl::StatusOr<std::unique_ptr<Scratch>> scratch = Scratch::Create(folder_.path());
    EXPECT_TRUE(scratch.ok()) << scratch.status();
    return *std::move(scratch);
  }
  const TempFolder folder_;
};

TEST_F(ScratchTest, LivesAsLongAsItsOwner) {
  std::unique_ptr<Scratch> scratch = MustCreate();
  const std::string path = scratch->path();
  EXPECT_TRUE(absl::StartsWith(path, folder_ / "benchfleet-compile-")) << path;
  struct stat found;
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u);
  scratch.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchTest, RemovesWhatNobodyHoldsAndNothingElse) {
  const std::unique_ptr<Scratch> held = MustCreate();
  folder_.Write("benchfleet-compile-abcdef/pass/tmp/file", "x");
  folder_.Write("benchfleet-compile-abcdefg/file", "another name");
  folder_.Write("elsewhere/file", "x");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "benchfleet-compile-symlnk");
  folder_.Write("benchfleet-compile-isfile", "a file");
  const std::unique_ptr<Scratch> second = MustCreate();
  EXPECT_TRUE(fs::exists(held->path()));
  EXPECT_NE(held->path(), second->path());
  EXPECT_FALSE(fs::exists(folder_ / "benchfleet-compile-abcdef"));
  EXPECT_TRUE(fs::exists(folder_ / "benchfleet-compile-abcdefg/file"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "benchfleet-compile-symlnk"));
  EXPECT_TRUE(fs::exists(folder_ / "benchfleet-compile-isfile"));
}

TEST_F(ScratchTest, PreparesEmptyFoldersOfEqualLength) {
  const std::unique_ptr<Scratch> scratch = MustCreate();
  ASSERT_TRUE(scratch->Prepare(12).ok());
  std::ofstream(scratch->output_folder(11) + "/out.o") << "old";
  std::ofstream(scratch->log(11)) << "old";
  std::ofstream(scratch->temporary_folder() + "/cc.s") << "old";
  const absl::Status again = scratch->Prepare(3);
  ASSERT_TRUE(again.ok()) << again;
  for (const std::string& path : {scratch->output_folder(0), scratch->output_folder(2), scratch->home(),
                                  scratch->temporary_folder(), scratch->working_folder()}) {
    EXPECT_TRUE(fs::is_directory(path) && fs::is_empty(path)) << path;
  }
  EXPECT_FALSE(fs::exists(scratch->output_folder(11)));
  EXPECT_FALSE(fs::exists(scratch->log(11)));
  EXPECT_EQ(scratch->output_folder(0).size(), scratch->output_folder(11).size());
  EXPECT_EQ(scratch->log(9).size(), scratch->log(16383).size());
  EXPECT_EQ(scratch->path().size(), MustCreate()->path().size());
}

TEST_F(ScratchTest, SaysWhatItCannotMake) {
  const absl::Status missing = Scratch::Create(folder_ / "nowhere").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr(folder_ / "nowhere/benchfleet-compile-"));
  const std::unique_ptr<Scratch> scratch = MustCreate();
  fs::remove_all(scratch->path());
  std::ofstream(scratch->path()) << "a file where the folder was";
  const absl::Status prepared = scratch->Prepare(1);
  EXPECT_FALSE(prepared.ok());
  EXPECT_THAT(std::string(prepared.message()), HasSubstr(scratch->path()));
}

TEST_F(ScratchTest, IsWhereTemporaryFilesGo) {
  const char* const before = ::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", folder_.path().c_str(), 1);
  EXPECT_EQ(fs::path(Scratch::Create().value()->path()).parent_path(), folder_.path());
  ::setenv("TMPDIR", "relative", 1);
  EXPECT_EQ(fs::path(Scratch::Create().value()->path()).parent_path(), "/tmp");
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace benchfleet
