#include "server/store/group_commit.h"

#include <algorithm>
#include <utility>

#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {

GroupCommit::GroupCommit(std::unique_ptr<SqliteConnection> connection, StoreObserver* observer)
    : connection_(std::move(connection)), observer_(observer), thread_([this] { Loop(); }) {}

GroupCommit::~GroupCommit() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
    wake_.Signal();
  }
  thread_.join();
}

absl::Status GroupCommit::Write(absl::FunctionRef<absl::Status(StoreWriter&)> work) {
  Unit unit(work);
  MutexLock lock(mutex_);
  queue_.push_back(&unit);
  wake_.Signal();
  while (!unit.done) unit.finished.Wait(mutex_);
  return unit.status;
}

void GroupCommit::Loop() {
  for (std::vector<Unit*> batch = TakeBatch(); !batch.empty(); batch = TakeBatch()) {
    CommitBatch(batch);
    Finish(batch);
  }
}

std::vector<GroupCommit::Unit*> GroupCommit::TakeBatch() {
  MutexLock lock(mutex_);
  while (queue_.empty() && !closing_) wake_.Wait(mutex_);
  const size_t size = std::min(queue_.size(), kMaxBatch);
  std::vector<Unit*> batch(queue_.begin(), queue_.begin() + size);
  queue_.erase(queue_.begin(), queue_.begin() + size);
  return batch;
}

void GroupCommit::CommitBatch(const std::vector<Unit*>& batch) {
  const absl::Duration start = MonotonicNow();
  absl::Status status = RunBatch(batch);
  if (status.ok()) status = connection_->Execute("COMMIT");
  if (!status.ok()) {
    // A full disk or an I/O error may have ended the transaction already.
    if (connection_->InTransaction()) connection_->Execute("ROLLBACK").IgnoreError();
    // Also a refusal may rest on what a neighbour did, and that is undone.
    for (Unit* unit : batch) unit->status = status;
  }
  if (observer_ != nullptr) observer_->OnCommit(static_cast<int>(batch.size()), status, MonotonicNow() - start);
}

absl::Status GroupCommit::RunBatch(const std::vector<Unit*>& batch) {
  BF_RETURN_IF_ERROR(connection_->Execute("BEGIN IMMEDIATE"));
  for (Unit* unit : batch) BF_RETURN_IF_ERROR(RunUnit(*unit));
  return absl::OkStatus();
}

absl::Status GroupCommit::RunUnit(Unit& unit) {
  BF_RETURN_IF_ERROR(connection_->Execute("SAVEPOINT unit"));
  SqliteTransaction transaction(*connection_);
  unit.status = unit.work(transaction);
  if (unit.status.ok()) unit.status = transaction.failure();
  if (!connection_->InTransaction()) {
    return transaction.failure().ok() ? absl::UnavailableError("the database ended the transaction")
                                      : transaction.failure();
  }
  if (!unit.status.ok()) BF_RETURN_IF_ERROR(connection_->Execute("ROLLBACK TO unit"));
  return connection_->Execute("RELEASE unit");
}

void GroupCommit::Finish(const std::vector<Unit*>& batch) {
  MutexLock lock(mutex_);
  for (Unit* unit : batch) {
    unit->done = true;
    unit->finished.Signal();
  }
}

}  // namespace benchfleet
