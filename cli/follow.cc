#include "cli/follow.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/random/random.h"
#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/wire/states_wire.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kFirstDelay = absl::Milliseconds(250);
constexpr absl::Duration kMaxDelay = absl::Seconds(5);

// May pass by itself: the server restarts, or a proxy in between does.
bool IsPassing(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) || absl::IsInternal(status) ||
         absl::IsUnknown(status) || absl::IsCancelled(status);
}

class Follower {
 public:
  Follower(v1::Job job, const FollowOptions& options, Connection& connection, Interrupts& interrupts,
           Progress& progress)
      : job_(std::move(job)),
        options_(options),
        connection_(connection),
        interrupts_(interrupts),
        progress_(progress),
        start_(MonotonicNow()),
        last_contact_(start_) {}

  absl::StatusOr<v1::Job> Run() {
    SayWhyItWaits();
    while (!HasEnded(job_) && interrupts_.signal() == 0 && !GaveUp()) {
      const absl::Status watched = Watch();
      if (interrupts_.signal() != 0) break;
      if (!watched.ok() && !IsPassing(watched)) return watched;
      BF_RETURN_IF_ERROR(Refresh());
    }
    return job_;
  }

 private:
  bool GaveUp() const {
    return options_.wait_for_worker.has_value() && IsWaiting(job_) &&
           MonotonicNow() - start_ >= *options_.wait_for_worker;
  }

  absl::Status Watch() {
    absl::Duration slice = options_.watch_slice;
    if (options_.wait_for_worker.has_value() && IsWaiting(job_)) {
      slice = std::min(slice, *options_.wait_for_worker - (MonotonicNow() - start_));
    }
    v1::WatchJobRequest request;
    request.set_id(job_.id());
    request.set_from_event(last_event_ + 1);
    return connection_.WatchJob(request, slice, [this](const v1::WatchJobResponse& event) { OnEvent(event); });
  }

  void OnEvent(const v1::WatchJobResponse& event) {
    last_contact_ = MonotonicNow();
    delay_ = kFirstDelay;
    if (event.event() <= last_event_) return;  // sent twice
    last_event_ = event.event();
    const std::string host = event.host().empty() ? "job" : event.host();
    int& rounds = rounds_[event.run_id()];
    if (event.has_plan()) {
      progress_.Plan(host, event.plan());
    } else if (event.rounds_done() > rounds) {
      progress_.Rounds(host, event.rounds_done(), event.rounds_planned());
    } else {
      const absl::StatusOr<RunState> state = ParseRunState(event.run_state());
      const bool only_state = event.message().empty() && state.ok();
      progress_.SayOnce(absl::StrCat(host, ": ", only_state ? Word(*state) : absl::string_view(event.message())));
    }
    rounds = event.rounds_done();  // falls when another attempt begins
  }

  // Asks for the job until the server answers, so that a lost stream is resumed only
  // where there is a server.
  absl::Status Refresh() {
    while (true) {
      absl::StatusOr<v1::Job> job = connection_.GetJob(job_.id());
      if (job.ok()) {
        job_ = *std::move(job);
        last_contact_ = MonotonicNow();
        SayWhyItWaits();
        // A server that ends streams at once is not asked in a tight loop.
        if (!HasEnded(job_)) interrupts_.SleepFor(NextDelay());
        return absl::OkStatus();
      }
      if (!IsPassing(job.status()) || MonotonicNow() - last_contact_ >= options_.max_unreachable) return job.status();
      progress_.SayOnce(absl::StrCat("server does not answer, trying again: ", job.status().message()));
      interrupts_.SleepFor(NextDelay());
      if (interrupts_.signal() != 0) return absl::OkStatus();
    }
  }

  absl::Duration NextDelay() {
    const absl::Duration delay = delay_ * absl::Uniform(random_, 0.5, 1.5);
    delay_ = std::min(delay_ * 2, kMaxDelay);
    return delay;
  }

  void SayWhyItWaits() {
    if (IsWaiting(job_) && !job_.state_reason().empty()) progress_.SayOnce("waiting: " + job_.state_reason());
  }

  v1::Job job_;
  const FollowOptions options_;
  Connection& connection_;
  Interrupts& interrupts_;
  Progress& progress_;
  const absl::Duration start_;
  absl::Duration last_contact_;
  absl::Duration delay_ = kFirstDelay;
  absl::BitGen random_;
  int64_t last_event_ = 0;
  std::map<std::string, int> rounds_;  // measured, by run
};

}  // namespace

bool IsWaiting(const v1::Job& job) { return job.state() == v1::JOB_STATE_QUEUED; }

bool HasEnded(const v1::Job& job) {
  const absl::StatusOr<JobState> state = ParseJobState(job.state());
  return state.ok() && IsTerminal(*state);
}

absl::StatusOr<v1::Job> Follow(const v1::Job& job, const FollowOptions& options, Connection& connection,
                               Interrupts& interrupts, Progress& progress) {
  interrupts.SetHandler([&connection] { connection.Interrupt(); });
  absl::StatusOr<v1::Job> end = Follower(job, options, connection, interrupts, progress).Run();
  interrupts.SetHandler({});
  progress.Clear();
  return end;
}

}  // namespace benchfleet
