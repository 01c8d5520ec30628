// Runs a job on this host by the method: calibrate, plan, warm up, measure in rounds.
#ifndef BENCHFLEET_WORKER_CORE_ROUND_RUNNER_H_
#define BENCHFLEET_WORKER_CORE_ROUND_RUNNER_H_

#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
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

// Never returns a Status: whatever happens is how the run ended.
RunEnd RunRounds(const RunRequest& request, Subject& subject, HostProbe& host, SampleSink& sink,
                 const std::atomic<bool>& cancelled);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_CORE_ROUND_RUNNER_H_
