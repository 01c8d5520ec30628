// What it costs to find work must not grow with the queue. Counted in steps of SQLite's
// virtual machine, not in time.
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/store/sqlite_schema.h"
#include "server/store/sqlite_transaction.h"
#include "tests/contract/store_examples.h"
#include "tests/server/store/sqlite_fixture.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class DispatchCost : public ::testing::Test {
 protected:
  DispatchCost() {
    std::filesystem::create_directories(std::filesystem::path(folder_.database()).parent_path());
    connection_ = *SqliteConnection::Open(folder_.database(), SqliteConnection::Mode::kWriter);
    EXPECT_TRUE(Migrate(*connection_, SqliteMigrations()).ok());
    transaction_ = std::make_unique<SqliteTransaction>(*connection_);
    ::sqlite3_trace_v2(handle(), SQLITE_TRACE_STMT, &DispatchCost::OnStatement, this);
  }

  sqlite3* handle() { return connection_->database().getHandle(); }

  // Queues `count` runs of three groups.
  void Queue(int count) {
    constexpr int kRunsPerJob = 999;
    ASSERT_TRUE(connection_->Execute("BEGIN").ok());
    while (count > 0) {
      const JobRecord job = TestJob(++jobs_);
      std::vector<RunRecord> runs;
      for (int i = 0; i < kRunsPerJob && count > 0; ++i, --count) {
        runs.push_back(TestRun(job, i, i % 3 == 0 ? "arch=x86_64" : "", i % 3 == 1 ? "a" : ""));
      }
      ASSERT_TRUE(transaction_->InsertJob(job, runs).ok());
    }
    ASSERT_TRUE(connection_->Execute("COMMIT").ok());
  }

  // All that one offer and its acceptance ask of the store.
  absl::Status Dispatch() {
    SqliteTransaction& t = *transaction_;
    BF_RETURN_IF_ERROR(t.KernelHasLease("boot").status());
    BF_RETURN_IF_ERROR(t.LeasesOfHost(HostName("a")).status());
    BF_RETURN_IF_ERROR(t.OverdueRuns(TestTime(), 10).status());
    BF_RETURN_IF_ERROR(t.OldestQueuedTime().status());
    BF_ASSIGN_OR_RETURN(const std::vector<QueueGroup> groups, t.QueueGroups());
    EXPECT_EQ(groups.size(), 3u);
    for (const QueueGroup& group : groups) {
      BF_ASSIGN_OR_RETURN(std::optional<RunRecord> run, t.OldestQueued(group.id));
      const RunLease queued = run->lease;
      run->lease = Leased(queued, RunState::kOffered, ++epoch_, "a", "boot", TestTime() + absl::Hours(1));
      BF_RETURN_IF_ERROR(t.UpdateRun(queued, *run));
      const RunLease offered = run->lease;
      run->lease.state = RunState::kSucceeded;
      BF_RETURN_IF_ERROR(t.UpdateRun(offered, *run));
    }
    return absl::OkStatus();
  }

  // Steps of all statements since the last call.
  int64_t Steps() {
    int64_t steps = 0;
    for (sqlite3_stmt* s = ::sqlite3_next_stmt(handle(), nullptr); s != nullptr; s = ::sqlite3_next_stmt(handle(), s)) {
      steps += ::sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, /*resetFlg=*/1);
    }
    return steps;
  }
  int64_t StepsOfDispatch() {
    EXPECT_TRUE(Dispatch().ok());  // statements are prepared now
    Steps();
    EXPECT_TRUE(Dispatch().ok());
    return Steps();
  }

  std::vector<std::string> PlanOf(const std::string& sql) {
    std::vector<std::string> lines;
    SQLite::Statement plan(connection_->database(), "EXPLAIN QUERY PLAN " + sql);
    while (plan.executeStep()) lines.push_back(plan.getColumn(3).getString());
    return lines;
  }

  static int OnStatement(unsigned, void* self, void* /*statement*/, void* sql) {
    static_cast<DispatchCost*>(self)->statements_.push_back(static_cast<const char*>(sql));
    return 0;
  }

  TestFolder folder_;
  std::unique_ptr<SqliteConnection> connection_;
  std::unique_ptr<SqliteTransaction> transaction_;
  std::vector<std::string> statements_;
  int jobs_ = 0;
  LeaseEpoch epoch_ = 0;
};

TEST_F(DispatchCost, DoesNotGrowWithTheQueue) {
  Queue(300);
  const int64_t with_few = StepsOfDispatch();
  Queue(100'000);
  const int64_t with_many = StepsOfDispatch();
  EXPECT_GT(with_few, 100);
  EXPECT_LE(with_many, with_few);
}

TEST_F(DispatchCost, NoStatementScansRunsOrJobs) {
  Queue(300);
  statements_.clear();
  ASSERT_TRUE(Dispatch().ok());
  ASSERT_TRUE(transaction_->RunsOfJob(TestJobId(1)).ok());
  ASSERT_TRUE(transaction_->EventsOfJob(TestJobId(1), 1, 10).ok());
  for (const char* project : {"", "default"}) {
    ASSERT_TRUE(transaction_->ListJobs({.project = project}).ok());
    ASSERT_TRUE(transaction_->ListJobs({.project = project, .states = {JobState::kQueued}}).ok());
  }
  ASSERT_TRUE(transaction_->ExtendLeases(TestTime()).ok());
  const std::vector<std::string> statements = statements_;
  ASSERT_GT(statements.size(), 10u);
  for (const std::string& sql : statements) {
    const std::vector<std::string> plan = PlanOf(sql);
    for (const std::string& line : plan) {
      EXPECT_THAT(line, Not(MatchesRegex("SCAN (r|runs|jobs|queue_groups|g)( .*)?"))) << sql;
    }
    // Only the small table of leases may be read whole, and sorted.
    if (std::find(plan.begin(), plan.end(), "SCAN leases") == plan.end()) {
      EXPECT_THAT(plan, Not(Contains(HasSubstr("TEMP B-TREE")))) << sql;
    }
  }
}

TEST_F(DispatchCost, TheWriterSyncsEveryCommitToAWriteAheadLog) {
  SQLite::Database& database = connection_->database();
  EXPECT_EQ(database.execAndGet("PRAGMA synchronous").getInt(), 2);
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(database.execAndGet("PRAGMA foreign_keys").getInt(), 1);
}

}  // namespace
}  // namespace benchfleet
