#include "server/rpc/sync_call.h"

#include <utility>

#include "absl/time/clock.h"
#include "common/base/error.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/time_wire.h"
#include "server/rpc/rpc_support.h"

namespace benchfleet {

SyncCallReactor::SyncCallReactor(Coordinator& coordinator, NoticeBoard& board, Executor& executor, SyncCall call,
                                 v1::SyncResponse* response, Finished finished)
    : coordinator_(coordinator),
      board_(board),
      executor_(executor),
      call_(std::move(call)),
      response_(response),
      finished_(std::move(finished)) {}

std::shared_ptr<SyncCallReactor> SyncCallReactor::Start(Coordinator& coordinator, NoticeBoard& board,
                                                        Executor& executor, absl::StatusOr<SyncCall> call,
                                                        v1::SyncResponse* response, Finished finished) {
  const absl::Status bad = call.status();
  std::shared_ptr<SyncCallReactor> reactor(new SyncCallReactor(
      coordinator, board, executor, call.ok() ? *std::move(call) : SyncCall(), response, std::move(finished)));
  reactor->self_ = reactor;
  if (!bad.ok()) {
    reactor->FinishOnce(bad);
    return reactor;
  }
  const bool taken = executor.TryRun([reactor] {
    const absl::StatusOr<SessionRecord> session = reactor->coordinator_.GetSession(reactor->call_.session);
    if (!session.ok()) return reactor->FinishOnce(session.status());
    // Before the first look, so that nothing falls between looking and waiting.
    if (reactor->Listen(*session)) reactor->Evaluate();
  });
  if (!taken) reactor->FinishOnce(Overloaded());
  return reactor;
}

bool SyncCallReactor::Listen(const SessionRecord& session) {
  // Weak, both: the board and the alarm keep their callbacks, and must not keep the call with them.
  const std::weak_ptr<SyncCallReactor> weak = weak_from_this();
  MutexLock lock(mutex_);
  if (phase_ == Phase::kFinished) return false;
  subscription_ = board_.WatchWorker({session.host, session.facts.boot_id, session.labels, call_.wants_work}, [weak] {
    if (const auto call = weak.lock()) call->Notice();
  });
  hang_.Set(absl::ToChronoTime(absl::Now() + coordinator_.options().sync_hang), [weak](bool expired) {
    if (!expired) return;
    if (const auto call = weak.lock()) call->HangOver();
  });
  return true;
}

void SyncCallReactor::Notice() {
  {
    MutexLock lock(mutex_);
    if (phase_ == Phase::kFinished) return;
    if (phase_ == Phase::kEvaluating) {
      noticed_ = true;
      return;
    }
    phase_ = Phase::kEvaluating;
  }
  executor_.Run([self = shared_from_this()] { self->Evaluate(); });
}

void SyncCallReactor::Evaluate() {
  while (true) {
    {
      MutexLock lock(mutex_);
      if (phase_ == Phase::kFinished) return;  // what nobody hears must not change a lease
    }
    absl::StatusOr<SyncAnswer> answer = coordinator_.Sync(call_);
    if (!answer.ok()) return FinishOnce(answer.status());
    if (!answer->news) {
      MutexLock lock(mutex_);
      if (phase_ == Phase::kFinished) return;
      if (std::exchange(noticed_, false)) continue;
      if (!hang_over_) {
        latest_ = *std::move(answer);
        phase_ = Phase::kHanging;
        return;
      }
    }
    return Answer(*answer);
  }
}

void SyncCallReactor::HangOver() {
  SyncAnswer latest;
  {
    MutexLock lock(mutex_);
    hang_over_ = true;
    if (phase_ != Phase::kHanging) return;  // the evaluation that runs will answer
    latest = latest_;
  }
  Answer(latest);
}

void SyncCallReactor::Answer(const SyncAnswer& answer) {
  if (!EnterFinished()) return;
  response_->set_sequence(call_.sequence);
  for (const GrantedLease& lease : answer.leases) {
    v1::GrantedLease* out = response_->add_leases();
    out->set_run_id(lease.run_id.value());
    out->set_lease_epoch(lease.epoch);
    out->set_state(ToProto(lease.state));
    *out->mutable_ttl() = ToProto(lease.ttl);
    out->set_cancel(lease.cancel);
    if (lease.spec.has_value()) {
      *out->mutable_spec() = ToProto(*lease.spec);
      *out->mutable_run_timeout() = ToProto(coordinator_.options().lease.run_timeout);
    }
  }
  finished_(grpc::StatusCode::OK);
  Finish(grpc::Status::OK);
}

bool SyncCallReactor::EnterFinished() {
  NoticeBoard::Subscription ended;  // outside the lock: its end waits for a notice that is being given
  MutexLock lock(mutex_);
  if (phase_ == Phase::kFinished) return false;
  phase_ = Phase::kFinished;
  ended = std::move(subscription_);
  return true;
}

void SyncCallReactor::FinishOnce(const absl::Status& status) {
  if (!EnterFinished()) return;
  const grpc::Status result = ToGrpc(status);
  finished_(result.error_code());
  Finish(result);
}

void SyncCallReactor::End(const absl::Status& status) { FinishOnce(status); }

void SyncCallReactor::OnCancel() { FinishOnce(absl::CancelledError("the worker hung up")); }

void SyncCallReactor::OnDone() {
  hang_.Cancel();
  self_.reset();
}

}  // namespace benchfleet
