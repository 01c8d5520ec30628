// A SQLite store in a folder of its own.
#ifndef BENCHFLEET_TESTS_SERVER_STORE_SQLITE_FIXTURE_H_
#define BENCHFLEET_TESTS_SERVER_STORE_SQLITE_FIXTURE_H_

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "server/store/sqlite_job_store.h"

namespace benchfleet {

// Made at construction, removed with all it holds at destruction.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = ::testing::TempDir() + "/benchfleet_store_XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string database() const { return path_ + "/state/benchfleet.db"; }

 private:
  std::string path_;
};

inline std::unique_ptr<SqliteJobStore> OpenStore(SqliteJobStoreOptions options) {
  absl::StatusOr<std::unique_ptr<SqliteJobStore>> store = SqliteJobStore::Open(options);
  if (!store.ok()) {
    ADD_FAILURE() << store.status();
    std::abort();
  }
  return *std::move(store);
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_SERVER_STORE_SQLITE_FIXTURE_H_
