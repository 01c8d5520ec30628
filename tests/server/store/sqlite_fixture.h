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
#include "tests/fakes/temp_folder.h"

namespace benchfleet {

class TestFolder {
 public:
  std::string database() const { return folder_ / "state/benchfleet.db"; }

 private:
  TempFolder folder_;
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
