// What the outside tells a running runner: the plan or a round is safe, stop, or nothing
// any more.
#ifndef BENCHFLEET_WORKER_RUNNER_CONTROL_H_
#define BENCHFLEET_WORKER_RUNNER_CONTROL_H_

#include <atomic>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "common/base/mutex.h"
#include "common/os/unique_fd.h"
#include "common/runner/framing.h"

namespace benchfleet {

// Listens in a thread of its own, which sleeps until something happens: it must not
// disturb what is measured. A cancel command, the end of the command stream, SIGTERM and
// the end of the run's time all make cancelled() true, once and for good.
//
// Ownership: SIGTERM must be blocked in all threads while this lives.
// Thread-safety: safe.
class Control {
 public:
  // `decoder` holds what was read of `commands_fd` beyond the first command.
  Control(int commands_fd, FrameDecoder decoder, absl::Duration run_timeout);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  const std::atomic<bool>& cancelled() const { return cancelled_; }
  // Why, for a person; empty while not cancelled.
  std::string cause() const;
  // Whether the run's time was the cause.
  bool timed_out() const;

  // Blocks until the plan is safe. kCancelled: cancelled before that.
  absl::Status WaitForPlanAccepted();
  // Blocks until a round is safe that no earlier call waited for. kCancelled as above.
  absl::Status WaitForRoundAccepted();

 private:
  void Listen();
  void TakeSignal();
  // Both false when no more commands can come.
  bool ReadCommands();
  bool TakeCommands();
  void Take(const runner::v1::RunnerCommand& command);
  void Cancel(std::string cause, bool timed_out = false);

  const int commands_fd_;
  const absl::Duration run_timeout_;
  const absl::Duration deadline_;  // on the monotonic clock
  FrameDecoder decoder_;           // of the listening thread
  UniqueFd signals_;               // SIGTERM
  UniqueFd ending_;                // readable when this is being destroyed

  std::atomic<bool> cancelled_ = false;
  mutable Mutex mutex_;
  CondVar changed_;
  bool plan_accepted_ ABSL_GUARDED_BY(mutex_) = false;
  int rounds_accepted_ ABSL_GUARDED_BY(mutex_) = 0;  // and not waited for yet
  bool timed_out_ ABSL_GUARDED_BY(mutex_) = false;
  std::string cause_ ABSL_GUARDED_BY(mutex_);

  std::thread listener_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_RUNNER_CONTROL_H_
