// Reports a run over the runner's standard output.
#ifndef BENCHFLEET_WORKER_RUNNER_PIPE_SINK_H_
#define BENCHFLEET_WORKER_RUNNER_PIPE_SINK_H_

#include <string>

#include "absl/status/status.h"
#include "worker/core/round_runner.h"
#include "worker/runner/control.h"

namespace benchfleet {

// Ownership: `control` outlives it.
// Thread-safety: none.
class PipeSink final : public SampleSink {
 public:
  PipeSink(int fd, Control& control) : fd_(fd), control_(control) {}

  void Progress(const std::string& message) override;
  absl::Status PlanReady(const RunPlan& plan) override;
  absl::Status RoundDone(const Round& round) override;
  // The last event.
  absl::Status Finished(const RunEnd& end);

 private:
  const int fd_;
  Control& control_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_RUNNER_PIPE_SINK_H_
