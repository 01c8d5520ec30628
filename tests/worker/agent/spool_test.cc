#include "worker/agent/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "common/os/digest.h"

namespace benchfleet {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kRun[] = "018f0000-0000-7000-8000-000000000001/0";

class SpoolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/spool-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    spool_ = Open();
  }
  void TearDown() override { fs::remove_all(root_); }

  std::unique_ptr<Spool> Open(int64_t max_bytes = kMaxSpoolBytes) {
    auto spool = Spool::Open(root_ + "/spool", max_bytes);
    EXPECT_TRUE(spool.ok()) << spool.status();
    return *std::move(spool);
  }
  std::unique_ptr<SpoolEntry> Begin(int64_t epoch) {
    auto entry = spool_->Begin({RunId(kRun), epoch});
    EXPECT_TRUE(entry.ok()) << entry.status();
    return *std::move(entry);
  }
  // As after kill -9: another process reads what is on disk.
  std::vector<std::unique_ptr<SpoolEntry>> RecoverAfterCrash() {
    after_crash_ = Open();
    problems_.clear();
    return after_crash_->Recover(problems_);
  }
  std::string Folder(int64_t epoch) {
    return root_ + "/spool/018f0000-0000-7000-8000-000000000001_0-" + std::to_string(epoch);
  }

  std::string root_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<Spool> after_crash_;
  std::vector<absl::Status> problems_;
};

TEST_F(SpoolTest, KeepsChunksInOrderWithTheirChecksum) {
  auto entry = Begin(7);
  ASSERT_TRUE(entry->AddChunk("plan").ok());
  ASSERT_TRUE(entry->AddChunk("round").ok());
  EXPECT_EQ(entry->chunk_count(), 2);
  EXPECT_EQ(entry->chunks_crc32c(), Crc32c("planround"));
  EXPECT_EQ(*entry->ReadChunk(0), "plan");
  EXPECT_EQ(*entry->ReadChunk(1), "round");
  EXPECT_TRUE(absl::IsNotFound(entry->ReadChunk(2).status()));
}

TEST_F(SpoolTest, IsReadableByItsOwnerOnly) {
  auto entry = Begin(7);
  ASSERT_TRUE(entry->AddChunk("plan").ok());
  struct stat found;
  ASSERT_EQ(::stat(Folder(7).c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat((Folder(7) + "/chunk-0").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(SpoolTest, FindsWhatACrashLeftAtEachStep) {
  const struct {
    const char* name;
    int chunks;
    bool completed;
    std::vector<std::string> extra_files;  // half-written or strange ones
    int want_chunks;
  } kCases[] = {
      {"before the first chunk", 0, false, {}, 0},
      {"while the plan was written", 0, false, {"chunk-0.123.tmp"}, 0},
      {"after the plan", 1, false, {}, 1},
      {"while a round was written", 2, false, {"chunk-2.123.tmp"}, 2},
      {"a chunk after a gap does not count", 1, false, {"chunk-5"}, 1},
      {"while the end was written", 2, false, {"completion.123.tmp"}, 2},
      {"after the end", 2, true, {}, 2},
  };
  int64_t epoch = 10;
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    auto entry = Begin(++epoch);
    for (int i = 0; i < c.chunks; ++i) ASSERT_TRUE(entry->AddChunk(absl::StrCat("payload", i)).ok());
    if (c.completed) {
      ASSERT_TRUE(entry->Complete(AttemptEnd::kFailed, "why").ok());
    }
    for (const std::string& file : c.extra_files) std::ofstream(Folder(epoch) + "/" + file) << "half";

    auto found = RecoverAfterCrash();
    EXPECT_THAT(problems_, IsEmpty());
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0]->lease(), (LeaseKey{RunId(kRun), epoch}));
    EXPECT_EQ(found[0]->chunk_count(), c.want_chunks);
    EXPECT_EQ(found[0]->chunks_crc32c(), entry->chunks_crc32c());
    EXPECT_EQ(found[0]->completion(), entry->completion());
    ASSERT_TRUE(found[0]->Drop().ok());
    EXPECT_THAT(RecoverAfterCrash(), IsEmpty());
  }
}

TEST_F(SpoolTest, ARemovalThatWasCutOffIsFinishedAndFindsNothing) {
  {
    auto entry = Begin(7);
    ASSERT_TRUE(entry->AddChunk("plan").ok());
  }
  fs::rename(Folder(7), Folder(7) + ".dropped");
  EXPECT_THAT(RecoverAfterCrash(), IsEmpty());
  EXPECT_THAT(problems_, IsEmpty());
  EXPECT_FALSE(fs::exists(Folder(7) + ".dropped"));
}

TEST_F(SpoolTest, RecoversTheOldestEpochFirst) {
  for (const int64_t epoch : {12, 100, 9}) ASSERT_TRUE(Begin(epoch)->AddChunk("x").ok());
  const auto found = RecoverAfterCrash();
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0]->lease().epoch, 9);
  EXPECT_EQ(found[1]->lease().epoch, 12);
  EXPECT_EQ(found[2]->lease().epoch, 100);
}

TEST_F(SpoolTest, StrangeNamesAreLeftAlone) {
  for (const char* name :
       {"notes", "018f0000-0000-7000-8000-000000000001_0-x", "a-1", "018f0000-0000-7000-8000-000000000001_-1"}) {
    fs::create_directories(root_ + "/spool/" + name);
  }
  EXPECT_THAT(RecoverAfterCrash(), IsEmpty());
  EXPECT_TRUE(fs::exists(root_ + "/spool/notes"));
}

TEST_F(SpoolTest, ADamagedEntryIsNamedAndKept) {
  {
    auto entry = Begin(7);
    ASSERT_TRUE(entry->AddChunk("plan").ok());
    ASSERT_TRUE(entry->Complete(AttemptEnd::kSucceeded, "").ok());
  }
  std::ofstream(Folder(7) + "/chunk-0") << "flan";
  EXPECT_THAT(RecoverAfterCrash(), IsEmpty());
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_THAT(std::string(problems_[0].message()), HasSubstr(Folder(7)));
  EXPECT_TRUE(fs::exists(Folder(7)));
}

TEST_F(SpoolTest, TakesExactlyItsLimitOverAllEntries) {
  spool_ = Open(/*max_bytes=*/10);
  auto first = Begin(1);
  auto second = Begin(2);
  ASSERT_TRUE(first->AddChunk("123456").ok());
  ASSERT_TRUE(second->AddChunk("1234").ok());
  const absl::Status full = second->AddChunk("1");
  EXPECT_TRUE(absl::IsResourceExhausted(full));
  EXPECT_THAT(std::string(full.message()), HasSubstr("10 of 10 bytes"));
  EXPECT_EQ(second->chunk_count(), 1);
  ASSERT_TRUE(first->Drop().ok());
  EXPECT_TRUE(second->AddChunk("123456").ok());
}

TEST_F(SpoolTest, AFullDiskIsSaidClearlyAndTheEndIsStillKnown) {
  auto entry = Begin(7);
  ASSERT_TRUE(entry->AddChunk("plan").ok());
  fs::remove_all(Folder(7));  // as far as writing goes, a disk that is gone
  EXPECT_THAT(std::string(entry->AddChunk("round").message()), HasSubstr(Folder(7)));
  EXPECT_FALSE(entry->Complete(AttemptEnd::kCrashed, "disk").ok());
  ASSERT_TRUE(entry->completion().has_value());
  EXPECT_EQ(entry->completion()->chunk_count, 1);
  EXPECT_EQ(entry->completion()->end, AttemptEnd::kCrashed);
}

TEST_F(SpoolTest, OneAttemptHasOneEntry) {
  auto entry = Begin(7);
  EXPECT_TRUE(absl::IsAlreadyExists(spool_->Begin({RunId(kRun), 7}).status()));
}

TEST_F(SpoolTest, ARunIdNeverLeavesTheFolder) {
  const struct {
    const char* text;
    bool good;
  } kCases[] = {
      {kRun, true},
      {"018f0000-0000-7000-8000-000000000001/123456789", true},
      {"018f0000-0000-7000-8000-000000000001/1234567890", false},
      {"018f0000-0000-7000-8000-000000000001/", false},
      {"018f0000-0000-7000-8000-000000000001", false},
      {"018f0000-0000-7000-8000-000000000001/0/..", false},
      {"../../etc/passwd", false},
      {"", false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(IsRunId(c.text), c.good) << c.text;
    EXPECT_EQ(absl::IsInvalidArgument(spool_->Begin({RunId(c.text), 1}).status()), !c.good) << c.text;
  }
}

TEST_F(SpoolTest, AnUnwritableFolderIsNamed) {
  const std::string file = root_ + "/file";
  std::ofstream(file) << "x";
  const auto spool = Spool::Open(file + "/spool");
  ASSERT_FALSE(spool.ok());
  EXPECT_THAT(std::string(spool.status().message()), HasSubstr(file));
}

}  // namespace
}  // namespace benchfleet
