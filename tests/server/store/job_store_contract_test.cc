#include "tests/contract/job_store_contract.h"

#include "tests/fakes/memory_job_store.h"
#include "tests/server/store/sqlite_fixture.h"

namespace benchfleet {
namespace {

class MemoryUnderTest final : public StoreUnderTest {
 public:
  JobStore& store() override { return store_; }
  void Reopen() override {}

 private:
  MemoryJobStore store_;
};

class SqliteUnderTest final : public StoreUnderTest {
 public:
  SqliteUnderTest() { Reopen(); }
  JobStore& store() override { return *store_; }
  void Reopen() override {
    store_.reset();
    store_ = OpenStore({.path = folder_.database(), .now = TestTime()});
  }

 private:
  TestFolder folder_;
  std::unique_ptr<SqliteJobStore> store_;
};

std::unique_ptr<StoreUnderTest> MakeMemory() { return std::make_unique<MemoryUnderTest>(); }
std::unique_ptr<StoreUnderTest> MakeSqlite() { return std::make_unique<SqliteUnderTest>(); }

INSTANTIATE_TEST_SUITE_P(Memory, JobStoreContract, ::testing::Values(&MakeMemory));
INSTANTIATE_TEST_SUITE_P(Sqlite, JobStoreContract, ::testing::Values(&MakeSqlite));

}  // namespace
}  // namespace benchfleet
