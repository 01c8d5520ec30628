// Runs a job on this host by the method: calibrate or try, plan, warm up, measure in rounds.
#ifndef BENCHFLEET_WORKER_CORE_ROUND_RUNNER_H_
#define BENCHFLEET_WORKER_CORE_ROUND_RUNNER_H_

#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "common/model/job_spec.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "common/model/states.h"
#include "common/os/host_probe.h"
#include "worker/core/subject.h"

namespace benchfleet {

// Where a run's record goes; the port between the method and the pipe.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  // What is being prepared, for a person.
  virtual void Progress(const std::string& message) = 0;
  // Returns once the plan is durable where it must be; only then may rounds begin.
  virtual absl::Status PlanReady(const RunPlan& plan) = 0;
  // Returns once the round is safe and nobody works on it any more; only then may the next one begin.
  virtual absl::Status RoundDone(const Round& round) = 0;
};

struct RunEnd {
  AttemptEnd end;      // kSucceeded, kFailed or kCancelled
  std::string detail;  // why, for a person; empty when it succeeded without a remark
};

struct RunRequest {
  std::string suite;
  int suite_version = 0;
  MethodSpec method;
  Key host_key;
  ClockFacts clock;
  uint64_t fallback_seed = 0;  // used when the method names no seed
};

// Warm-up rounds of every run.
inline constexpr int kWarmupRounds = 1;
// Timed batches in one measurement, unless that is one whole operation; its value is their
// median.
inline constexpr int kBatches = 20;
// Arms that a failed run names.
inline constexpr int kMaxArmsInDetail = 3;

// Never returns a Status: whatever happens is how the run ended. `clock` tells how much
// of the budget and of a round's time is left, never how long an operation took.
//
// kSucceeded: every arm has an ok sample in a measured round; the detail tells when the
// budget ended before the planned rounds. kFailed: calibration or a trial failed, an arm never
// succeeded, no round was measured, or the sink failed. kCancelled: `cancelled`; a round
// that was not finished is not reported.
RunEnd RunRounds(const RunRequest& request, Subject& subject, HostProbe& host, const Clock& clock, SampleSink& sink,
                 const std::atomic<bool>& cancelled);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_CORE_ROUND_RUNNER_H_
