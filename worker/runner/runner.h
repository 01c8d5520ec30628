// The two things benchfleet-runner does.
#ifndef BENCHFLEET_WORKER_RUNNER_RUNNER_H_
#define BENCHFLEET_WORKER_RUNNER_RUNNER_H_

#include "absl/status/status.h"
#include "worker/runner/arguments.h"

namespace benchfleet {

// Measures the job that comes in on `commands_fd` and reports it on `events_fd`, to its
// end, however that is. A subreaper from then on, and SIGTERM is blocked in its threads.
// An error means that whoever started the runner could not be told: no command came, it
// was unreadable, or the last event could not be written.
absl::Status ServeRun(int commands_fd, int events_fd, const RunnerArguments& arguments);

// Writes one frame of HostFacts.
absl::Status DescribeThisHost(int fd, const RunnerArguments& arguments);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_RUNNER_RUNNER_H_
