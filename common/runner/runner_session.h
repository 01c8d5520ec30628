// One runner at work: the inner part of Measure().
#ifndef BENCHFLEET_COMMON_RUNNER_RUNNER_SESSION_H_
#define BENCHFLEET_COMMON_RUNNER_RUNNER_SESSION_H_

#include <atomic>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "common/os/process.h"
#include "common/runner/framing.h"
#include "common/runner/runner_process.h"

namespace benchfleet {

// Thread-safety: none.
class RunnerSession {
 public:
  // `child` was started with its standard error captured.
  RunnerSession(Child child, absl::Duration stop_grace, RunnerObserver& observer, const std::atomic<bool>& cancelled);

  // Starts the run and follows it until the runner has ended.
  RunnerOutcome Follow(const runner::v1::StartRun& start, absl::Duration run_timeout);

 private:
  // Asks the runner to stop and decides how the run ends unless the runner says so itself.
  void Stop(RunnerOutcome outcome);
  // The runner cannot be trusted any more.
  void Abandon(std::string why);
  absl::Duration NextLook() const;
  void ApplyTime();
  void ReadStdout();
  void ReadStderr();
  void TakeMessages();
  void Take(const runner::v1::RunnerEvent& event);
  void TakePlan(const v1::RunPlan& plan);
  void TakeRound(const v1::Round& round);
  void TakeFinished(const runner::v1::RunFinished& finished);
  // What the observer made of a plan or a round: `accepted` is sent, or the run is stopped.
  void Answer(const absl::Status& taken, const runner::v1::RunnerCommand& accepted);
  void Send(const runner::v1::RunnerCommand& command);
  RunnerOutcome Conclude(const ProcessEnd& end) const;

  Child child_;
  const absl::Duration stop_grace_;
  RunnerObserver& observer_;
  const std::atomic<bool>& cancelled_;
  FrameDecoder decoder_;
  std::string last_words_;
  bool stdout_open_ = true;
  bool stderr_open_ = true;
  bool has_plan_ = false;
  absl::Duration kill_at_ = absl::InfiniteDuration();  // on the monotonic clock
  std::optional<RunnerOutcome> stopped_;               // we asked it to stop
  std::optional<RunnerOutcome> finished_;              // it said how it ended
  std::optional<RunnerOutcome> abandoned_;             // we gave it up
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_RUNNER_RUNNER_SESSION_H_
