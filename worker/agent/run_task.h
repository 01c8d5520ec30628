// One attempt on its own thread: measures, spools, sends, and ends when the result is
// acknowledged, refused or given up. While the runner lives it sends between rounds only:
// the runner waits until RoundDone() returns.
#ifndef BENCHFLEET_WORKER_AGENT_RUN_TASK_H_
#define BENCHFLEET_WORKER_AGENT_RUN_TASK_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/base/mutex.h"
#include "common/runner/runner_process.h"
#include "worker/agent/attempt_upload.h"
#include "worker/agent/backoff.h"
#include "worker/agent/lease_keeper.h"
#include "worker/agent/spool.h"

namespace benchfleet {

// Measure() of common/runner with its options bound.
using MeasureFunction =
    std::function<RunnerOutcome(const JobSpec& spec, absl::Duration run_timeout, const std::string& attempt_token,
                                RunnerObserver& observer, const std::atomic<bool>& cancelled)>;

// A coordinator that cannot be reached holds up the next round for no longer; the round
// is in the spool by then. After that the back-off spares the rounds that follow.
inline constexpr absl::Duration kMaxRoundSend = absl::Seconds(2);

struct RunTaskPorts {
  CoordinatorLink& link;
  const SessionBox& sessions;
  Spool& spool;
  MeasureFunction measure;
};

// How an attempt left this worker.
struct RunTaskResult {
  // Absent: abandoned, refused, or left in the spool because the process ends.
  std::optional<AttemptEnd> acknowledged;
};

class RunTask final : private RunnerObserver {
 public:
  struct Callbacks {
    std::function<void()> measured;                     // the runner is gone, the result goes on its way
    std::function<void(const RunTaskResult&)> settled;  // the last thing that happens
  };

  // Starts at once. Callbacks come on the task's thread and must not block for long.
  RunTask(RunTaskPorts ports, StartRun start, Backoff backoff, Callbacks callbacks);
  // Stops as Quit() and waits for the end.
  ~RunTask() override;
  RunTask(const RunTask&) = delete;
  RunTask& operator=(const RunTask&) = delete;

  // Stops the runner. Once the runner has ended this changes nothing: its result goes to
  // the coordinator, which takes or refuses it. Abandoning wins over cancelling.
  void Stop(StopKind kind, const std::string& reason) ABSL_LOCKS_EXCLUDED(mutex_);
  // The process ends: a measuring run is abandoned, a result that is on its way stays in the spool.
  void Quit() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // RunnerObserver, on the task's thread.
  void Progress(const std::string& message) override;
  absl::Status Plan(const RunPlan& plan) override;
  absl::Status RoundDone(const Round& round) override;

  void Run();
  RunnerOutcome MeasureRun();
  // The attempt's end by what the runner, the coordinator and the disk say; nullopt: abandoned.
  std::optional<RunnerOutcome> Judge(RunnerOutcome outcome);
  RunTaskResult SendResult(const RunnerOutcome& outcome);
  absl::Status SpoolChunk(absl::string_view payload);
  absl::Status Fail(absl::Status why);
  void DropEntry();
  // Waits for at most `timeout`; false when told to stop (before the runner has ended) or to quit.
  bool WaitWhileMeasuring(absl::Duration timeout) ABSL_LOCKS_EXCLUDED(mutex_);
  bool WaitWhileSending(absl::Duration timeout) ABSL_LOCKS_EXCLUDED(mutex_);

  const RunTaskPorts ports_;
  const StartRun start_;
  const std::string token_;
  const Callbacks callbacks_;

  // Of the task's thread.
  Backoff backoff_;
  std::unique_ptr<SpoolEntry> entry_;
  std::optional<AttemptUpload> upload_;
  size_t max_chunk_bytes_ = 0;
  absl::Duration next_send_;
  bool plan_given_up_ = false;  // told to stop while the plan waited for the coordinator
  absl::Status failure_;        // first reason of ours why the run cannot go on

  std::atomic<bool> cancelled_;
  Mutex mutex_;
  CondVar changed_;
  std::optional<StopKind> stop_ ABSL_GUARDED_BY(mutex_);
  bool measured_ ABSL_GUARDED_BY(mutex_) = false;
  bool quit_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // last: everything above is ready before it runs
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_RUN_TASK_H_
