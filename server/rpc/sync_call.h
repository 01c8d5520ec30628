// One Sync: asked again whenever something may have changed, answered when there is news
// or when it has hung long enough.
#ifndef BENCHFLEET_SERVER_RPC_SYNC_CALL_H_
#define BENCHFLEET_SERVER_RPC_SYNC_CALL_H_

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <optional>

#include "benchfleet/v1/worker_service.pb.h"
#include "common/base/mutex.h"
#include "server/core/coordinator.h"
#include "server/core/notice_board.h"
#include "server/rpc/executor.h"
#include "server/rpc/hanging_calls.h"

namespace benchfleet {

// Ownership: owns itself from Start() until gRPC calls OnDone().
// Thread-safety: safe; one evaluation runs at a time.
class SyncCallReactor final : public grpc::ServerUnaryReactor,
                              public HangingCall,
                              public std::enable_shared_from_this<SyncCallReactor> {
 public:
  using Finished = std::function<void(grpc::StatusCode)>;

  static std::shared_ptr<SyncCallReactor> Start(Coordinator& coordinator, NoticeBoard& board, Executor& executor,
                                                absl::StatusOr<SyncCall> call, v1::SyncResponse* response,
                                                Finished finished);

  void End(const absl::Status& status) override;

  void OnCancel() override;
  void OnDone() override;

 private:
  enum class Phase { kEvaluating, kHanging, kFinished };

  SyncCallReactor(Coordinator& coordinator, NoticeBoard& board, Executor& executor, SyncCall call,
                  v1::SyncResponse* response, Finished finished);

  // Begins to listen for notices and for the end of the hang. False: the call has ended already.
  bool Listen(const SessionRecord& session);
  // Looks again, now or after the evaluation that runs.
  void Notice();
  void Evaluate();
  void HangOver();
  void Answer(const SyncAnswer& answer);
  // False: it was finished already. Ends the subscription at once: a call that has ended
  // must not take a notice that another would have heard.
  bool EnterFinished();
  // Finishes with what `status` says, once.
  void FinishOnce(const absl::Status& status);

  Coordinator& coordinator_;
  NoticeBoard& board_;
  Executor& executor_;
  const SyncCall call_;
  v1::SyncResponse* const response_;
  const Finished finished_;
  std::shared_ptr<SyncCallReactor> self_;

  Mutex mutex_;
  Phase phase_ ABSL_GUARDED_BY(mutex_) = Phase::kEvaluating;
  bool noticed_ ABSL_GUARDED_BY(mutex_) = false;  // while evaluating
  bool hang_over_ ABSL_GUARDED_BY(mutex_) = false;
  SyncAnswer latest_ ABSL_GUARDED_BY(mutex_);  // while hanging
  NoticeBoard::Subscription subscription_ ABSL_GUARDED_BY(mutex_);
  grpc::Alarm hang_;  // set under mutex_ before kFinished, so before OnDone
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_SYNC_CALL_H_
