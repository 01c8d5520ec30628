// JobStore in one SQLite file: for one coordinator, with nothing else to run.
//
// One thread writes, in transactions shared by what waits (group commit); what Write()
// acknowledged has been synced to disk. Readers see the last commit and never wait for
// the writer. A lock file beside the database keeps a second coordinator out.
//
// Thread-safety: safe. Write() and Read() must not be called from inside a unit of work.
// Times and durations are kept to the nanosecond.
#ifndef BENCHFLEET_SERVER_STORE_SQLITE_JOB_STORE_H_
#define BENCHFLEET_SERVER_STORE_SQLITE_JOB_STORE_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/os/unique_fd.h"
#include "server/core/job_store.h"
#include "server/store/group_commit.h"
#include "server/store/reader_pool.h"
#include "server/store/store_observer.h"

namespace benchfleet {

inline constexpr int kMaxReaders = 64;

struct SqliteJobStoreOptions {
  std::string path;  // of the database; its folder is made when it is missing
  int readers = 4;   // units of reading at a time, 1 to kMaxReaders
  // The wall clock at start. Lease epochs begin above its microseconds, so they pass
  // those that were given out after a restored copy was made.
  absl::Time now = absl::Now();
  StoreObserver* observer = nullptr;  // may be null; must outlive the store
};

class SqliteJobStore final : public JobStore {
 public:
  // kFailedPrecondition: another process holds it (named by its pid), the schema is of a
  // newer program, or the file cannot be opened; kDataLoss: the file is damaged or no
  // database; kInvalidArgument; kUnavailable.
  static absl::StatusOr<std::unique_ptr<SqliteJobStore>> Open(const SqliteJobStoreOptions& options);

  absl::Status Write(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work) override;
  absl::Status Read(absl::string_view operation, absl::FunctionRef<absl::Status(StoreReader&)> work) override;

  // Reads the whole file. kDataLoss: what is wrong with it.
  absl::Status CheckIntegrity();

 private:
  SqliteJobStore(UniqueFd lock, StoreObserver* observer) : lock_(std::move(lock)), observer_(observer) {}

  const UniqueFd lock_;  // first: let go of last
  StoreObserver* const observer_;
  std::unique_ptr<ReaderPool> readers_;
  std::unique_ptr<GroupCommit> writer_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_SQLITE_JOB_STORE_H_
