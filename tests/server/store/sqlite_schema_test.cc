#include "server/store/sqlite_schema.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/record_text.h"
#include "tests/contract/store_examples.h"
#include "tests/server/store/sqlite_fixture.h"

namespace benchfleet {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::unique_ptr<SqliteConnection> Connect(const std::string& path) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  return *SqliteConnection::Open(path, SqliteConnection::Mode::kWriter);
}

int64_t Ask(SqliteConnection& connection, const char* sql) {
  const absl::StatusOr<int64_t> answer = connection.Guarded([&]() -> absl::StatusOr<int64_t> {
    Query query(connection, sql);
    query.Step();
    return query.Int();
  });
  return answer.ok() ? *answer : -1;
}

absl::Status OpenStatus(const std::string& path) { return SqliteJobStore::Open({.path = path}).status(); }

void WriteText(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST(SqliteSchema, AnEmptyFileBecomesTheNewestVersion) {
  TestFolder folder;
  const auto connection = Connect(folder.database());
  ASSERT_TRUE(Migrate(*connection, SqliteMigrations()).ok());
  EXPECT_EQ(Ask(*connection, "SELECT version FROM schema_version"), static_cast<int64_t>(SqliteMigrations().size()));
  ASSERT_TRUE(Migrate(*connection, SqliteMigrations()).ok());  // and nothing is done twice
}

TEST(SqliteSchema, OnlyTheMissingStepsAreTaken) {
  TestFolder folder;
  const auto connection = Connect(folder.database());
  const char* const first = "CREATE TABLE a (x); INSERT INTO a VALUES (1);";
  const char* const second = "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = 5;";
  ASSERT_TRUE(Migrate(*connection, {first}).ok());
  EXPECT_EQ(Ask(*connection, "SELECT version FROM schema_version"), 1);
  ASSERT_TRUE(Migrate(*connection, {first, second}).ok());
  EXPECT_EQ(Ask(*connection, "SELECT version FROM schema_version"), 2);
  EXPECT_EQ(Ask(*connection, "SELECT sum(x * 10 + y) FROM a"), 15);
}

TEST(SqliteSchema, AStepThatFailsIsUndoneAndCanBeTakenAgain) {
  TestFolder folder;
  const auto connection = Connect(folder.database());
  const char* const first = "CREATE TABLE a (x);";
  ASSERT_TRUE(Migrate(*connection, {first}).ok());
  EXPECT_FALSE(Migrate(*connection, {first, "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);"}).ok());
  EXPECT_EQ(Ask(*connection, "SELECT version FROM schema_version"), 1);
  EXPECT_EQ(Ask(*connection, "SELECT count(*) FROM sqlite_master WHERE name = 'b'"), 0);
  EXPECT_TRUE(Migrate(*connection, {first, "CREATE TABLE b (x);"}).ok());
}

// schema_v1.sql is the dump of a store of version 1 with a job of TestJob(1) and its run.
TEST(SqliteSchema, AFileOfVersion1IsOpenedWithWhatItHolds) {
  TestFolder folder;
  {
    std::ifstream file(std::string(BENCHFLEET_SOURCE_DIR) + "/tests/server/store/testdata/schema_v1.sql");
    ASSERT_TRUE(file.good());
    std::stringstream dump;
    dump << file.rdbuf();
    const auto connection = Connect(folder.database());
    const absl::Status loaded = connection->Guarded([&] {
      connection->Script(dump.str());
      return absl::OkStatus();
    });
    ASSERT_TRUE(loaded.ok()) << loaded;
    ASSERT_EQ(Ask(*connection, "SELECT version FROM schema_version"), 1);
  }
  const std::unique_ptr<SqliteJobStore> store = OpenStore({.path = folder.database()});
  std::string job;
  std::string runs;
  ASSERT_TRUE(store
                  ->Read("test",
                         [&](StoreReader& r) {
                           job = Text(r.FindJob(TestJobId(1)));
                           runs = Text(r.RunsOfJob(TestJobId(1)));
                           return absl::OkStatus();
                         })
                  .ok());
  EXPECT_EQ(job, Text(TestJob(1)));
  EXPECT_EQ(runs, Text(std::vector<RunRecord>{TestRun(TestJob(1), 0, "arch=x86_64", "a")}));
}

TEST(SqliteSchema, ANewerVersionIsRefused) {
  TestFolder folder;
  OpenStore({.path = folder.database()}).reset();
  Connect(folder.database())->Script("UPDATE schema_version SET version = 999");
  const absl::Status status = OpenStatus(folder.database());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(folder.database()), HasSubstr("999")));
}

TEST(SqliteSchema, ADatabaseOfAnotherProgramIsRefused) {
  TestFolder folder;
  Connect(folder.database())->Script("CREATE TABLE bookmarks (url)");
  const absl::Status status = OpenStatus(folder.database());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("another program"));
}

TEST(SqliteSchema, AFileThatIsNoDatabaseIsRefusedAndLeftAlone) {
  TestFolder folder;
  const std::string garbage(8192, 'g');
  WriteText(folder.database(), garbage);
  const absl::Status status = OpenStatus(folder.database());
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(folder.database()), HasSubstr("restore a copy")));
  std::ifstream file(folder.database(), std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), garbage);
}

TEST(SqliteSchema, APathThatIsNoFileIsRefused) {
  TestFolder folder;
  std::filesystem::create_directories(folder.database());
  const absl::Status status = OpenStatus(folder.database());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder.database()));
}

TEST(SqliteSchema, ADamagedPageIsFoundByTheIntegrityCheck) {
  TestFolder folder;
  OpenStore({.path = folder.database()}).reset();
  {
    std::fstream file(folder.database(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4096 * 5);
    file << std::string(4096, '\x5a');
  }
  absl::StatusOr<std::unique_ptr<SqliteJobStore>> store = SqliteJobStore::Open({.path = folder.database()});
  ASSERT_TRUE(store.ok()) << store.status();
  const absl::Status status = (*store)->CheckIntegrity();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder.database()));
}

}  // namespace
}  // namespace benchfleet
