#include "server/store/sqlite_job_store.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"
#include "server/store/sqlite_schema.h"

namespace benchfleet {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Lease epochs go on above the clock, unless they are there already.
absl::Status RaiseEpoch(SqliteConnection& connection, absl::Time now) {
  return connection.Guarded([&]() -> absl::Status {
    Query(connection, "UPDATE counters SET value = max(value, ?) WHERE name = 'lease_epoch'", absl::ToUnixMicros(now))
        .Run();
    return absl::OkStatus();
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<SqliteJobStore>> SqliteJobStore::Open(const SqliteJobStoreOptions& options) {
  if (options.path.empty()) return absl::InvalidArgumentError("path of the database is empty");
  if (options.readers < 1 || options.readers > kMaxReaders) {
    return absl::InvalidArgumentError(
        absl::StrCat("readers must be from 1 to ", kMaxReaders, ", is ", options.readers));
  }
  BF_RETURN_IF_ERROR(MakeFolders(FolderOf(options.path)));
  BF_ASSIGN_OR_RETURN(UniqueFd lock, LockFile(absl::StrCat(options.path, ".lock")));
  std::unique_ptr<SqliteJobStore> store(new SqliteJobStore(std::move(lock), options.observer));
  BF_ASSIGN_OR_RETURN(std::unique_ptr<SqliteConnection> connection,
                      SqliteConnection::Open(options.path, SqliteConnection::Mode::kWriter));
  BF_RETURN_IF_ERROR(Migrate(*connection, SqliteMigrations()));
  BF_RETURN_IF_ERROR(RaiseEpoch(*connection, options.now));
  BF_ASSIGN_OR_RETURN(store->readers_, ReaderPool::Open(options.path, options.readers));
  store->writer_ = std::make_unique<GroupCommit>(std::move(connection), options.observer);
  return store;
}

absl::Status SqliteJobStore::Write(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work) {
  const absl::Duration start = MonotonicNow();
  absl::Status status = writer_->Write(work);
  if (observer_ != nullptr) observer_->OnOperation(operation, status, MonotonicNow() - start);
  return status;
}

absl::Status SqliteJobStore::Read(absl::string_view operation, absl::FunctionRef<absl::Status(StoreReader&)> work) {
  const absl::Duration start = MonotonicNow();
  absl::Status status = readers_->Read(work);
  if (observer_ != nullptr) observer_->OnOperation(operation, status, MonotonicNow() - start);
  return status;
}

absl::Status SqliteJobStore::CheckIntegrity() {
  const absl::Status status = readers_->WithConnection([](SqliteConnection& connection) {
    return connection.Guarded([&]() -> absl::Status {
      std::vector<std::string> faults;
      Query query(connection, "PRAGMA integrity_check(10)");
      while (query.Step()) faults.push_back(query.Text());
      if (faults == std::vector<std::string>{"ok"}) return absl::OkStatus();
      return absl::DataLossError(
          absl::StrCat("database ", connection.path(), " is damaged: ", absl::StrJoin(faults, "; ")));
    });
  });
  // A page that is damaged enough ends the check itself.
  return absl::IsInternal(status) ? absl::DataLossError(status.message()) : status;
}

}  // namespace benchfleet
