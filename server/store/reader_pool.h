// Connections that read. Each sees the last commit and never waits for the writer.
//
// Thread-safety: safe.
#ifndef BENCHFLEET_SERVER_STORE_READER_POOL_H_
#define BENCHFLEET_SERVER_STORE_READER_POOL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/base/mutex.h"
#include "server/core/job_store.h"
#include "server/store/sqlite_connection.h"

namespace benchfleet {

class ReaderPool {
 public:
  // Errors as SqliteConnection::Open().
  static absl::StatusOr<std::unique_ptr<ReaderPool>> Open(const std::string& path, int connections);

  // Runs `work` in one read transaction on the calling thread, after waiting for a free
  // connection. It should be short: the log cannot be cut before it ends.
  absl::Status Read(absl::FunctionRef<absl::Status(StoreReader&)> work);
  // As Read(), with the connection.
  absl::Status WithConnection(absl::FunctionRef<absl::Status(SqliteConnection&)> work);

 private:
  ReaderPool() = default;
  std::unique_ptr<SqliteConnection> Take();
  void GiveBack(std::unique_ptr<SqliteConnection> connection);

  Mutex mutex_;
  CondVar given_back_;
  std::vector<std::unique_ptr<SqliteConnection>> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_READER_POOL_H_
