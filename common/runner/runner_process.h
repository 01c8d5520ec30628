// Starts benchfleet-runner and follows it: the one way the agent and the client measure.
#ifndef BENCHFLEET_COMMON_RUNNER_RUNNER_PROCESS_H_
#define BENCHFLEET_COMMON_RUNNER_RUNNER_PROCESS_H_

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/model/host.h"
#include "common/model/job_spec.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "common/model/states.h"

namespace benchfleet {

struct RunnerOptions {
  std::string runner_path;                       // from FindRunner()
  std::vector<std::string> interpreters;         // paths the operator named, besides those that are found
  std::vector<std::string> compilers;            // the same
  absl::Duration stop_grace = absl::Seconds(5);  // from being asked to stop until it is killed
};

// Called on the thread that runs Measure(), in the order things happen.
class RunnerObserver {
 public:
  virtual ~RunnerObserver() = default;
  virtual void Progress(const std::string& message) = 0;
  // Returns once the plan is safe; the first round begins only then. An error cancels the run.
  virtual absl::Status Plan(const RunPlan& plan) = 0;
  // Returns once the round is safe; the next one begins only then, so whatever work a round
  // makes here disturbs none. An error cancels the run.
  virtual absl::Status RoundDone(const Round& round) = 0;
};

struct RunnerOutcome {
  AttemptEnd end;      // kSucceeded, kFailed, kCancelled; kCrashed: the runner died or could not start
  std::string detail;  // why, for a person
};

// Of what a runner that died had said on its standard error, in the detail.
inline constexpr size_t kMaxLastWordsBytes = 4096;

// The path of benchfleet-runner: beside the running program, or in ../libexec/benchfleet.
// kNotFound names the places.
absl::StatusOr<std::string> FindRunner();
// The same, as seen from a program in `folder`.
absl::StatusOr<std::string> FindRunnerFrom(const std::string& folder);

// Facts of this host, interpreters, compilers and suites included, as the runner sees them.
// kNotFound and others as Child::Spawn(); kUnavailable: it failed, with its last words.
absl::StatusOr<HostFacts> DescribeHost(const RunnerOptions& options);

// Runs a job to its end. When `cancelled` becomes true, or the observer fails, the runner
// is asked to stop, then after `stop_grace` killed with all its processes; no more is then
// told to the observer. A runner that outlives `run_timeout` by as much is killed too.
// Nothing is left running when this returns.
//
// kFailed: the benchmark failed, took longer than `run_timeout`, or the observer's error.
RunnerOutcome Measure(const RunnerOptions& options, const JobSpec& spec, absl::Duration run_timeout,
                      const std::string& attempt_token, RunnerObserver& observer, const std::atomic<bool>& cancelled);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_RUNNER_RUNNER_PROCESS_H_
