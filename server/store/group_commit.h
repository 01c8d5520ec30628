// The one thread that writes. Units of work that wait when it is free share one
// transaction and one sync to disk; each runs in a savepoint of its own, so that its
// error undoes it alone.
//
// Thread-safety: safe. Ownership: owns the connection and the thread; the destructor
// finishes what is queued.
#ifndef BENCHFLEET_SERVER_STORE_GROUP_COMMIT_H_
#define BENCHFLEET_SERVER_STORE_GROUP_COMMIT_H_

#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "common/base/mutex.h"
#include "server/core/job_store.h"
#include "server/store/sqlite_connection.h"
#include "server/store/store_observer.h"

namespace benchfleet {

// Units of work in one transaction: more would keep the first of them waiting long.
inline constexpr size_t kMaxBatch = 64;

class GroupCommit {
 public:
  // `observer` may be null.
  GroupCommit(std::unique_ptr<SqliteConnection> connection, StoreObserver* observer);
  ~GroupCommit();
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // Runs `work` on the writer's thread and returns once it is durable or undone. Must not
  // be called from inside a unit of work.
  absl::Status Write(absl::FunctionRef<absl::Status(StoreWriter&)> work);

 private:
  struct Unit {
    explicit Unit(absl::FunctionRef<absl::Status(StoreWriter&)> w) : work(w) {}
    absl::FunctionRef<absl::Status(StoreWriter&)> work;
    absl::Status status;  // the writer's until `done`
    bool done = false;
    CondVar finished;
  };

  void Loop();
  // Waits; empty: there will be no more.
  std::vector<Unit*> TakeBatch();
  void CommitBatch(const std::vector<Unit*>& batch);
  // OK: every unit has its status and the transaction can be committed.
  absl::Status RunBatch(const std::vector<Unit*>& batch);
  absl::Status RunUnit(Unit& unit);
  void Finish(const std::vector<Unit*>& batch);

  const std::unique_ptr<SqliteConnection> connection_;
  StoreObserver* const observer_;

  Mutex mutex_;
  CondVar wake_;
  std::deque<Unit*> queue_ ABSL_GUARDED_BY(mutex_);
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_GROUP_COMMIT_H_
