// What survives: an end of the program, a kill, a full disk.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "common/base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/record_text.h"
#include "tests/contract/store_examples.h"
#include "tests/server/store/sqlite_fixture.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

absl::Status InsertJob(JobStore& store, int number) {
  return store.Write("job",
                     [&](StoreWriter& w) { return w.InsertJob(TestJob(number), {TestRun(TestJob(number), 0)}); });
}

bool HasJob(JobStore& store, int number) {
  bool found = false;
  const absl::Status status = store.Read("job", [&](StoreReader& r) -> absl::Status {
    BF_ASSIGN_OR_RETURN(const std::vector<RunRecord> runs, r.RunsOfJob(TestJobId(number)));
    BF_ASSIGN_OR_RETURN(const std::optional<JobRecord> job, r.FindJob(TestJobId(number)));
    found = job.has_value() && !runs.empty();
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return found;
}

TEST(SqliteDurability, EverythingIsThereAfterReopen) {
  TestFolder folder;
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0, "arch=x86_64", "a");
  const auto state = [&](JobStore& store) {
    std::string text;
    EXPECT_TRUE(store
                    .Read("state",
                          [&](StoreReader& r) {
                            text = absl::StrCat(Text(r.FindJob(job.id)), Text(r.RunsOfJob(job.id)),
                                                Text(r.AttemptsOfRun(run.id)), Text(r.RoundsOfAttempt(run.id, 1)),
                                                Text(r.PlanOfAttempt(run.id, 1)), Text(r.FiguresOfRun(run.id)));
                            absl::StrAppend(&text, Text(r.EventsOfJob(job.id, 1, 9)), Text(r.ListHosts(HostName(), 9)),
                                            Text(r.FindRequest("r")), Text(r.QueueGroups()));
                            return absl::OkStatus();
                          })
                    .ok());
    return text;
  };
  std::string before;
  {
    const auto store = OpenStore({.path = folder.database()});
    const absl::Status status = store->Write("all", [&](StoreWriter& w) -> absl::Status {
      BF_RETURN_IF_ERROR(w.InsertJob(job, {run}));
      BF_RETURN_IF_ERROR(w.InsertRequest("r", {"d", job.id}, TestTime()));
      BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(run.id, 1)));
      BF_RETURN_IF_ERROR(w.InsertChunk(run.id, 1, PlanChunk(), 1));
      BF_RETURN_IF_ERROR(w.InsertChunk(run.id, 1, RoundsChunk(1, {TestRound(0, 3)}), 2));
      BF_RETURN_IF_ERROR(w.InsertFigures(run.id, 1, TestFigures()));
      BF_RETURN_IF_ERROR(w.InsertSession(TestSession("s", "a")));
      return w.InsertEvent(job.id, TestEvent("e")).status();
    });
    ASSERT_TRUE(status.ok()) << status;
    before = state(*store);
  }
  EXPECT_EQ(state(*OpenStore({.path = folder.database()})), before);
  EXPECT_THAT(before, HasSubstr("too_few_rounds"));
}

TEST(SqliteDurability, EpochsPassThoseGivenOutAfterACopyWasMade) {
  TestFolder folder;
  const auto next_epoch = [](JobStore& store) {
    LeaseEpoch epoch = 0;
    EXPECT_TRUE(store
                    .Write("epoch",
                           [&](StoreWriter& w) -> absl::Status {
                             BF_ASSIGN_OR_RETURN(epoch, w.NextEpoch());
                             return absl::OkStatus();
                           })
                    .ok());
    return epoch;
  };
  const std::string copy = folder.database() + ".copy";
  OpenStore({.path = folder.database(), .now = TestTime()}).reset();
  std::filesystem::copy_file(folder.database(), copy);
  LeaseEpoch newest = 0;
  {
    const auto store = OpenStore({.path = folder.database(), .now = TestTime()});
    for (int i = 0; i < 5; ++i) newest = next_epoch(*store);
  }
  EXPECT_GT(next_epoch(*OpenStore({.path = copy, .now = TestTime() + absl::Seconds(1)})), newest);
  // A clock that went back takes nothing away.
  EXPECT_GT(next_epoch(*OpenStore({.path = folder.database(), .now = absl::UnixEpoch()})), newest);
}

TEST(SqliteDurability, ASecondOpenerIsRefusedAndToldTheHolder) {
  TestFolder folder;
  auto store = OpenStore({.path = folder.database()});
  const absl::Status status = SqliteJobStore::Open({.path = folder.database()}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("process ", ::getpid())));
  EXPECT_TRUE(InsertJob(*store, 1).ok());
  store.reset();
  EXPECT_TRUE(HasJob(*OpenStore({.path = folder.database()}), 1));
}

// A child that writes until it is killed.
class Writer {
 public:
  Writer(const std::string& database, int first_job) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = STORE_CRASH_WRITER;
    std::string path = database;
    std::string first = absl::StrCat(first_job);
    char* const argv[] = {program.data(), path.data(), first.data(), nullptr};
    if (::posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv, environ) != 0) std::abort();
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ::fdopen(ends[0], "r");
  }
  ~Writer() { std::fclose(output_); }

  // The next job that was acknowledged; nullopt at the end.
  std::optional<int> Next() {
    int number = 0;
    if (std::fscanf(output_, "%d", &number) != 1) return std::nullopt;
    return number;
  }
  void Kill() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_ = -1;
  FILE* output_ = nullptr;
};

TEST(SqliteDurability, NothingAcknowledgedIsLostByAKill) {
  constexpr int kKills = 5;
  constexpr int kJobsBeforeKill = 60;
  TestFolder folder;
  std::set<int> acknowledged;
  for (int kill = 0; kill < kKills; ++kill) {
    Writer writer(folder.database(), 1 + kill * 1'000'000);
    for (int i = 0; i < kJobsBeforeKill + kill; ++i) {
      const std::optional<int> number = writer.Next();
      ASSERT_TRUE(number.has_value()) << "the writer ended by itself";
      acknowledged.insert(*number);
    }
    writer.Kill();
    // What it still said between our last look and its end.
    for (std::optional<int> number = writer.Next(); number.has_value(); number = writer.Next()) {
      acknowledged.insert(*number);
    }
    const auto store = OpenStore({.path = folder.database()});
    for (int number : acknowledged) ASSERT_TRUE(HasJob(*store, number)) << number << " after kill " << kill;
    const absl::Status sound = store->CheckIntegrity();
    ASSERT_TRUE(sound.ok()) << sound;
  }
}

// No file of this process may grow beyond `bytes` while this lives: what a write then
// gets is what it gets from a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(SqliteDurability, AFullDiskFailsTheWholeBatchAndIsGotOver) {
  TestFolder folder;
  const auto store = OpenStore({.path = folder.database()});
  ASSERT_TRUE(InsertJob(*store, 1).ok());
  std::vector<absl::Status> statuses(8);
  {
    const FullDisk full(std::filesystem::file_size(folder.database() + "-wal"));
    std::vector<std::thread> threads;
    for (size_t i = 0; i < statuses.size(); ++i) {
      threads.emplace_back([&, i] { statuses[i] = InsertJob(*store, static_cast<int>(10 + i)); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (size_t i = 0; i < statuses.size(); ++i) {
    EXPECT_EQ(statuses[i].code(), absl::StatusCode::kUnavailable) << statuses[i];
    EXPECT_THAT(std::string(statuses[i].message()), HasSubstr(folder.database()));
    EXPECT_THAT(std::string(statuses[i].message()), HasSubstr("disk I/O error"));
    EXPECT_FALSE(HasJob(*store, static_cast<int>(10 + i)));
  }
  EXPECT_TRUE(HasJob(*store, 1));
  EXPECT_TRUE(InsertJob(*store, 10).ok());
  EXPECT_TRUE(HasJob(*store, 10));
  EXPECT_TRUE(store->CheckIntegrity().ok());
}

// More than the page cache holds is written before the commit.
TEST(SqliteDurability, AFullDiskInTheMiddleOfAUnitUndoesIt) {
  TestFolder folder;
  const auto store = OpenStore({.path = folder.database()});
  ASSERT_TRUE(InsertJob(*store, 1).ok());
  const std::string payload(1 << 20, 'p');
  const auto write_much = [&] {
    return store->Write("much", [&](StoreWriter& w) -> absl::Status {
      BF_RETURN_IF_ERROR(w.InsertJob(TestJob(2), {TestRun(TestJob(2), 0)}));
      for (int i = 0; i < 16; ++i) {
        // The unit does not look at the answer, and fails all the same.
        w.InsertLateResult(RunId("r"), 1, HostName("a"), payload, TestTime()).IgnoreError();
      }
      return absl::OkStatus();
    });
  };
  {
    const FullDisk full(4 << 20);
    EXPECT_EQ(write_much().code(), absl::StatusCode::kUnavailable);
    EXPECT_FALSE(HasJob(*store, 2));
  }
  const absl::Status again = write_much();
  EXPECT_TRUE(again.ok()) << again;
  EXPECT_TRUE(HasJob(*store, 2));
  EXPECT_TRUE(store->CheckIntegrity().ok());
}

}  // namespace
}  // namespace benchfleet
