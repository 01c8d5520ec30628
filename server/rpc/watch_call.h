// One WatchJob stream: writes the job's events as they are committed, one at a time, so
// that a slow reader holds one page of them at most.
#ifndef BENCHFLEET_SERVER_RPC_WATCH_CALL_H_
#define BENCHFLEET_SERVER_RPC_WATCH_CALL_H_

#include <grpcpp/grpcpp.h>

#include <deque>
#include <functional>
#include <memory>

#include "benchfleet/v1/benchmark_service.pb.h"
#include "common/base/mutex.h"
#include "server/core/job_store.h"
#include "server/core/notice_board.h"
#include "server/rpc/executor.h"
#include "server/rpc/hanging_calls.h"

namespace benchfleet {

// Ownership: owns itself from Start() until gRPC calls OnDone().
// Thread-safety: safe.
class WatchCallReactor final : public grpc::ServerWriteReactor<v1::WatchJobResponse>,
                               public HangingCall,
                               public std::enable_shared_from_this<WatchCallReactor> {
 public:
  using Finished = std::function<void(grpc::StatusCode)>;

  static std::shared_ptr<WatchCallReactor> Start(JobStore& store, NoticeBoard& board, Executor& executor, JobId job,
                                                 int64_t from_event, Finished finished);

  void End(const absl::Status& status) override;

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  // Reading from the store, writing to the peer, waiting for a notice, or finished.
  enum class Phase { kReading, kWriting, kWaiting, kFinished };

  WatchCallReactor(JobStore& store, NoticeBoard& board, Executor& executor, JobId job, int64_t from_event,
                   Finished finished);

  // Begins to listen for notices. False: the call has ended already.
  bool Listen();
  void Notice();
  void Read();
  absl::Status ReadPage(std::deque<v1::WatchJobResponse>& page, bool& job_ended);
  void Write();
  // Finishes with what `status` says, once, and not before a write that is under way is done.
  void FinishOnce(const absl::Status& status);

  JobStore& store_;
  NoticeBoard& board_;
  Executor& executor_;
  const JobId job_;
  const Finished finished_;
  std::shared_ptr<WatchCallReactor> self_;

  // Touched by the phase's owner only.
  int64_t next_event_;
  std::deque<v1::WatchJobResponse> page_;
  bool page_is_last_ = false;

  Mutex mutex_;
  Phase phase_ ABSL_GUARDED_BY(mutex_) = Phase::kReading;
  bool noticed_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status ended_ ABSL_GUARDED_BY(mutex_);  // by others, while a write was under way
  NoticeBoard::Subscription subscription_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_WATCH_CALL_H_
