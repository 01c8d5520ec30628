#include "server/store/reader_pool.h"

#include <utility>

#include "common/base/status_macros.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {

absl::StatusOr<std::unique_ptr<ReaderPool>> ReaderPool::Open(const std::string& path, int connections) {
  std::unique_ptr<ReaderPool> pool(new ReaderPool);
  for (int i = 0; i < connections; ++i) {
    BF_ASSIGN_OR_RETURN(std::unique_ptr<SqliteConnection> connection,
                        SqliteConnection::Open(path, SqliteConnection::Mode::kReader));
    pool->GiveBack(std::move(connection));
  }
  return pool;
}

absl::Status ReaderPool::Read(absl::FunctionRef<absl::Status(StoreReader&)> work) {
  return WithConnection([&](SqliteConnection& connection) {
    SqliteTransaction transaction(connection);
    return work(transaction);
  });
}

absl::Status ReaderPool::WithConnection(absl::FunctionRef<absl::Status(SqliteConnection&)> work) {
  std::unique_ptr<SqliteConnection> connection = Take();
  absl::Status status = connection->Execute("BEGIN");
  if (status.ok()) status = work(*connection);
  if (connection->InTransaction()) status.Update(connection->Execute("COMMIT"));
  GiveBack(std::move(connection));
  return status;
}

std::unique_ptr<SqliteConnection> ReaderPool::Take() {
  MutexLock lock(mutex_);
  while (free_.empty()) given_back_.Wait(mutex_);
  std::unique_ptr<SqliteConnection> connection = std::move(free_.back());
  free_.pop_back();
  return connection;
}

void ReaderPool::GiveBack(std::unique_ptr<SqliteConnection> connection) {
  MutexLock lock(mutex_);
  free_.push_back(std::move(connection));
  given_back_.Signal();
}

}  // namespace benchfleet
