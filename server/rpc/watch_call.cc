#include "server/rpc/watch_call.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "server/rpc/rpc_support.h"
#include "server/rpc/views_wire.h"

namespace benchfleet {
namespace {

constexpr int kPage = 64;

}  // namespace

WatchCallReactor::WatchCallReactor(JobStore& store, NoticeBoard& board, Executor& executor, JobId job,
                                   int64_t from_event, Finished finished)
    : store_(store),
      board_(board),
      executor_(executor),
      job_(std::move(job)),
      finished_(std::move(finished)),
      next_event_(from_event) {}

std::shared_ptr<WatchCallReactor> WatchCallReactor::Start(JobStore& store, NoticeBoard& board, Executor& executor,
                                                          JobId job, int64_t from_event, Finished finished) {
  std::shared_ptr<WatchCallReactor> reactor(
      new WatchCallReactor(store, board, executor, std::move(job), from_event, std::move(finished)));
  reactor->self_ = reactor;
  const bool taken = executor.TryRun([reactor] {
    // Before the first read, so that nothing falls between reading and waiting.
    if (reactor->Listen()) reactor->Read();
  });
  if (!taken) reactor->FinishOnce(Overloaded());
  return reactor;
}

bool WatchCallReactor::Listen() {
  MutexLock lock(mutex_);
  if (phase_ == Phase::kFinished) return false;
  subscription_ = board_.WatchJob(job_, [weak = weak_from_this()] {
    if (const auto call = weak.lock()) call->Notice();
  });
  return true;
}

void WatchCallReactor::Notice() {
  {
    MutexLock lock(mutex_);
    if (phase_ != Phase::kWaiting) {
      noticed_ = true;
      return;
    }
    phase_ = Phase::kReading;
  }
  executor_.Run([self = shared_from_this()] { self->Read(); });
}

void WatchCallReactor::Read() {
  while (true) {
    page_.clear();
    bool job_ended = false;
    if (const absl::Status status = ReadPage(page_, job_ended); !status.ok()) return FinishOnce(status);
    page_is_last_ = job_ended && page_.size() < static_cast<size_t>(kPage);
    if (page_.empty() && page_is_last_) return FinishOnce(absl::OkStatus());
    {
      MutexLock lock(mutex_);
      if (phase_ == Phase::kFinished) return;
      if (page_.empty()) {
        if (std::exchange(noticed_, false)) continue;
        phase_ = Phase::kWaiting;
        return;
      }
    }
    return Write();
  }
}

absl::Status WatchCallReactor::ReadPage(std::deque<v1::WatchJobResponse>& page, bool& job_ended) {
  return store_.Read("watch_job", [&](StoreReader& reader) -> absl::Status {
    page.clear();
    BF_ASSIGN_OR_RETURN(const std::optional<JobRecord> job, reader.FindJob(job_));
    if (!job.has_value()) {
      return ErrorWithReason(absl::StatusCode::kNotFound, "JOB_NOT_FOUND",
                             absl::StrCat("id: no job '", job_.value(), "'"));
    }
    job_ended = IsTerminal(job->state);
    BF_ASSIGN_OR_RETURN(const std::vector<EventRecord> events, reader.EventsOfJob(job_, next_event_, kPage));
    for (const EventRecord& event : events) {
      std::optional<RunPlan> plan;
      if (event.plan_of.has_value()) {
        BF_ASSIGN_OR_RETURN(plan, reader.PlanOfAttempt(event.run_id, *event.plan_of));
      }
      page.push_back(ToProto(event, plan));
    }
    return absl::OkStatus();
  });
}

void WatchCallReactor::OnWriteDone(bool ok) {
  absl::Status ended;
  {
    MutexLock lock(mutex_);
    phase_ = Phase::kReading;
    noticed_ = false;
    ended = ended_;
  }
  if (!ended.ok()) return FinishOnce(ended);
  if (!ok) return FinishOnce(absl::CancelledError("the watcher hung up"));
  next_event_ = page_.front().event() + 1;
  page_.pop_front();
  if (!page_.empty()) return Write();
  if (page_is_last_) return FinishOnce(absl::OkStatus());
  executor_.Run([self = shared_from_this()] { self->Read(); });
}

void WatchCallReactor::Write() {
  {
    MutexLock lock(mutex_);
    if (phase_ == Phase::kFinished) return;
    phase_ = Phase::kWriting;
  }
  StartWrite(&page_.front());
}

void WatchCallReactor::FinishOnce(const absl::Status& status) {
  {
    NoticeBoard::Subscription ended;  // outside the lock: its end waits for a notice that is being given
    MutexLock lock(mutex_);
    if (phase_ == Phase::kFinished) return;
    if (phase_ == Phase::kWriting) {  // nothing may be started after Finish: OnWriteDone ends it
      ended_.Update(status);
      return;
    }
    phase_ = Phase::kFinished;
    ended = std::move(subscription_);
  }
  const grpc::Status result = ToGrpc(status);
  finished_(result.error_code());
  Finish(result);
}

void WatchCallReactor::End(const absl::Status& status) { FinishOnce(status); }

void WatchCallReactor::OnCancel() { FinishOnce(absl::CancelledError("the watcher hung up")); }

void WatchCallReactor::OnDone() { self_.reset(); }

}  // namespace benchfleet
