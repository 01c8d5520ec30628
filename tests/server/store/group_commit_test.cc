// Many writers at once.
#include "server/store/group_commit.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_examples.h"
#include "tests/server/store/sqlite_fixture.h"

namespace benchfleet {
namespace {

class CountingObserver final : public StoreObserver {
 public:
  void OnCommit(int works, const absl::Status& status, absl::Duration) override {
    MutexLock lock(mutex_);
    batches_.push_back(works);
    failed_commits_ += status.ok() ? 0 : 1;
  }
  void OnOperation(absl::string_view operation, const absl::Status& status, absl::Duration) override {
    MutexLock lock(mutex_);
    operations_.push_back(absl::StrCat(operation, " ", absl::StatusCodeToString(status.code())));
  }
  std::vector<int> batches() const {
    MutexLock lock(mutex_);
    return batches_;
  }
  std::vector<std::string> operations() const {
    MutexLock lock(mutex_);
    return operations_;
  }
  int failed_commits() const {
    MutexLock lock(mutex_);
    return failed_commits_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<int> batches_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> operations_ ABSL_GUARDED_BY(mutex_);
  int failed_commits_ ABSL_GUARDED_BY(mutex_) = 0;
};

absl::Status InsertJob(JobStore& store, int number) {
  return store.Write("insert", [&](StoreWriter& w) { return w.InsertJob(TestJob(number), {}); });
}

int CountJobs(JobStore& store) {
  int count = 0;
  EXPECT_TRUE(store
                  .Read("count",
                        [&](StoreReader& r) -> absl::Status {
                          BF_ASSIGN_OR_RETURN(const std::vector<JobRecord> jobs, r.ListJobs({.limit = 100'000}));
                          count = static_cast<int>(jobs.size());
                          return absl::OkStatus();
                        })
                  .ok());
  return count;
}

void InThreads(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(GroupCommit, WritersShareCommitsAndSeeTheirOwnWrites) {
  constexpr int kThreads = 8;
  constexpr int kWrites = 60;
  TestFolder folder;
  CountingObserver observer;
  const auto store = OpenStore({.path = folder.database(), .observer = &observer});
  InThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kWrites; ++i) {
      const int number = thread * 1000 + i;
      EXPECT_TRUE(InsertJob(*store, number).ok());
      bool there = false;
      EXPECT_TRUE(store
                      ->Read("find",
                             [&](StoreReader& r) -> absl::Status {
                               BF_ASSIGN_OR_RETURN(const auto job, r.FindJob(TestJobId(number)));
                               there = job.has_value();
                               return absl::OkStatus();
                             })
                      .ok());
      EXPECT_TRUE(there) << number << " was acknowledged before it was committed";
    }
  });
  const std::vector<int> batches = observer.batches();
  int works = 0;
  for (int batch : batches) works += batch;
  EXPECT_EQ(works, kThreads * kWrites);
  EXPECT_LT(batches.size(), static_cast<size_t>(kThreads * kWrites));
  EXPECT_EQ(CountJobs(*store), kThreads * kWrites);
}

TEST(GroupCommit, ABatchIsBounded) {
  constexpr int kThreads = 2 * static_cast<int>(kMaxBatch) + 20;
  TestFolder folder;
  CountingObserver observer;
  const auto store = OpenStore({.path = folder.database(), .observer = &observer});
  // The first unit holds the writer until every other is about to be queued.
  std::atomic<bool> held = false;
  std::atomic<int> coming = 0;
  std::thread first([&] {
    const absl::Status status = store->Write("hold", [&](StoreWriter&) {
      held = true;
      while (coming < kThreads) std::this_thread::yield();
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
  });
  while (!held) std::this_thread::yield();
  InThreads(kThreads, [&](int thread) {
    ++coming;
    EXPECT_TRUE(InsertJob(*store, thread).ok());
  });
  first.join();
  const std::vector<int> batches = observer.batches();
  EXPECT_LE(*std::max_element(batches.begin(), batches.end()), static_cast<int>(kMaxBatch));
  EXPECT_GT(*std::max_element(batches.begin(), batches.end()), 1);
  EXPECT_EQ(CountJobs(*store), kThreads);
}

TEST(GroupCommit, AFailingUnitHurtsNoNeighbour) {
  constexpr int kThreads = 8;
  constexpr int kWrites = 40;
  TestFolder folder;
  CountingObserver observer;
  const auto store = OpenStore({.path = folder.database(), .observer = &observer});
  InThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kWrites; ++i) {
      const bool fails = i % 2 == 0;
      const absl::Status status = store->Write("half", [&](StoreWriter& w) -> absl::Status {
        BF_RETURN_IF_ERROR(w.InsertJob(TestJob(thread * 1000 + i), {TestRun(TestJob(thread * 1000 + i), 0)}));
        if (!fails) return absl::OkStatus();
        // By an error of its own, and by one of the database.
        return thread % 2 == 0 ? absl::CancelledError() : w.InsertJob(TestJob(thread * 1000 + i), {});
      });
      EXPECT_EQ(status.ok(), !fails) << status;
    }
  });
  EXPECT_EQ(CountJobs(*store), kThreads * kWrites / 2);
  EXPECT_EQ(observer.failed_commits(), 0);
}

TEST(GroupCommit, AReaderKeepsItsViewAndHoldsUpNobody) {
  TestFolder folder;
  const auto store = OpenStore({.path = folder.database(), .readers = 2});
  ASSERT_TRUE(InsertJob(*store, 1).ok());
  const auto status = store->Read("long", [&](StoreReader& r) -> absl::Status {
    BF_ASSIGN_OR_RETURN(const auto before, r.ListJobs({}));
    // Commits while this read is open.
    std::thread([&] { EXPECT_TRUE(InsertJob(*store, 2).ok()); }).join();
    BF_ASSIGN_OR_RETURN(const auto after, r.ListJobs({}));
    EXPECT_EQ(before.size(), 1u);
    EXPECT_EQ(after.size(), 1u);
    std::thread([&] { EXPECT_EQ(CountJobs(*store), 2); }).join();
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(GroupCommit, MoreReadsThanConnectionsTakeTurns) {
  TestFolder folder;
  const auto store = OpenStore({.path = folder.database(), .readers = 1});
  ASSERT_TRUE(InsertJob(*store, 1).ok());
  std::atomic<int> inside = 0;
  InThreads(6, [&](int) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(store
                      ->Read("turn",
                             [&](StoreReader& r) {
                               EXPECT_EQ(++inside, 1);
                               const absl::Status status = r.ListJobs({}).status();
                               --inside;
                               return status;
                             })
                      .ok());
    }
  });
}

TEST(GroupCommit, AReaderCannotWrite) {
  TestFolder folder;
  const auto store = OpenStore({.path = folder.database()});
  const absl::Status status =
      store->Read("trick", [](StoreReader& r) { return static_cast<StoreWriter&>(r).InsertJob(TestJob(1), {}); });
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(CountJobs(*store), 0);
}

TEST(GroupCommit, TheObserverHearsOfOperations) {
  TestFolder folder;
  CountingObserver observer;
  const auto store = OpenStore({.path = folder.database(), .observer = &observer});
  EXPECT_TRUE(InsertJob(*store, 1).ok());
  EXPECT_FALSE(store->Write("refused", [](StoreWriter&) { return absl::CancelledError(); }).ok());
  EXPECT_FALSE(store->Read("missing", [](StoreReader&) { return absl::NotFoundError(""); }).ok());
  EXPECT_THAT(observer.operations(), ::testing::ElementsAre("insert OK", "refused CANCELLED", "missing NOT_FOUND"));
  EXPECT_THAT(observer.batches(), ::testing::ElementsAre(1, 1));
}

TEST(GroupCommit, OptionsAreChecked) {
  TestFolder folder;
  const auto code = [&](std::string path, int readers) {
    return SqliteJobStore::Open({.path = std::move(path), .readers = readers}).status().code();
  };
  EXPECT_EQ(code("", 1), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(folder.database(), 0), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(folder.database(), kMaxReaders + 1), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(folder.database(), kMaxReaders), absl::StatusCode::kOk);
}

}  // namespace
}  // namespace benchfleet
