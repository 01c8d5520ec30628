#include "common/os/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

int ModeOf(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 ? static_cast<int>(found.st_mode & 0777) : -1;
}

TEST(ReadFile, ReadsUpToTheLimitAndRefusesMore) {
  const TempFolder folder;
  const std::string path = folder.Write("file", std::string(100'000, 'x'));
  const auto whole = ReadFile(path, 100'000);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(whole->size(), 100'000u);
  const auto refused = ReadFile(path, 99'999);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr(path));
}

TEST(ReadFile, ReadsFilesWithoutASize) {
  const auto text = ReadFile("/proc/self/status", 1 << 20);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("Pid:"));
}

TEST(ReadFile, MissingFileIsNotFound) {
  const auto text = ReadFile("/nonexistent/file", 10);
  EXPECT_EQ(text.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(text.status().message()), HasSubstr("/nonexistent/file"));
}

TEST(WriteFileDurably, ReplacesTheContentAndLeavesNothingBeside) {
  const TempFolder folder;
  const std::string path = folder / "file";
  ASSERT_TRUE(WriteFileDurably(path, "old").ok());
  ASSERT_TRUE(WriteFileDurably(path, std::string("new\0", 4)).ok());
  EXPECT_EQ(*ReadFile(path, 10), std::string("new\0", 4));
  EXPECT_EQ(ModeOf(path), 0600);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFileDurably, FailureKeepsTheOldContent) {
  const TempFolder folder;
  // A folder stands where the file would go, so that the rename fails.
  ASSERT_TRUE(MakeFolders(folder / "taken/below").ok());
  const absl::Status status = WriteFileDurably(folder / "taken", "data");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("taken"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFileDurably, MissingFolderIsNotFound) {
  const TempFolder folder;
  EXPECT_EQ(WriteFileDurably(folder / "absent/file", "x").code(), absl::StatusCode::kNotFound);
}

TEST(MakeFolders, MakesParentsAndAcceptsWhatIsThere) {
  const TempFolder folder;
  ASSERT_TRUE(MakeFolders(folder / "a/b/c").ok());
  ASSERT_TRUE(MakeFolders(folder / "a/b/c/").ok());
  EXPECT_EQ(ModeOf(folder / "a/b"), 0700);
  folder.Write("file", "");
  const absl::Status status = MakeFolders(folder / "file/below");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("file"));
}

TEST(LockFile, ExcludesUntilItIsClosedAndNamesTheHolder) {
  const TempFolder folder;
  const std::string path = folder / "lock";
  auto held = LockFile(path);
  ASSERT_TRUE(held.ok()) << held.status();
  EXPECT_NE(::fcntl(held->get(), F_GETFD) & FD_CLOEXEC, 0);
  const auto refused = LockFile(path);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr(path));
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("process " + std::to_string(::getpid())));
  held->reset();
  EXPECT_TRUE(LockFile(path).ok());
}

TEST(LockFile, ALongerOldPidIsOverwritten) {
  const TempFolder folder;
  const std::string path = folder.Write("lock", "1234567890\n");
  const auto held = LockFile(path);
  ASSERT_TRUE(held.ok()) << held.status();
  EXPECT_EQ(*ReadFile(path, 100), std::to_string(::getpid()) + "\n");
}

TEST(ErrnoStatus, ChoosesTheCode) {
  const struct {
    int error;
    absl::StatusCode want;
  } cases[] = {{ENOENT, absl::StatusCode::kNotFound},          {ENOTDIR, absl::StatusCode::kNotFound},
               {EACCES, absl::StatusCode::kPermissionDenied},  {EROFS, absl::StatusCode::kPermissionDenied},
               {ENOSPC, absl::StatusCode::kResourceExhausted}, {EMFILE, absl::StatusCode::kResourceExhausted},
               {EAGAIN, absl::StatusCode::kResourceExhausted}, {EIO, absl::StatusCode::kUnavailable}};
  for (const auto& one : cases) {
    const absl::Status status = ErrnoStatus(one.error, "open x");
    EXPECT_EQ(status.code(), one.want) << one.error;
    EXPECT_THAT(std::string(status.message()), HasSubstr("open x: "));
  }
}

}  // namespace
}  // namespace benchfleet
