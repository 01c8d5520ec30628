// Follows a job to its end, through lost streams and restarts of the server.
#ifndef BENCHFLEET_CLI_FOLLOW_H_
#define BENCHFLEET_CLI_FOLLOW_H_

#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchfleet/v1/job.pb.h"
#include "cli/connection.h"
#include "cli/interrupts.h"
#include "cli/progress.h"

namespace benchfleet {

struct FollowOptions {
  // How long no run may have started; then the job is left as it is and returned.
  std::optional<absl::Duration> wait_for_worker;
  // How long the server may be unreachable.
  absl::Duration max_unreachable = absl::Seconds(60);
  // A stream is renewed after this, so that a dead connection is noticed and the reason
  // why a job waits is fresh.
  absl::Duration watch_slice = absl::Seconds(15);
};

// The job when it has ended, when a signal came (see `interrupts`) or when no worker took
// it in time; then it has not ended. Errors: those of the calls.
absl::StatusOr<v1::Job> Follow(const v1::Job& job, const FollowOptions& options, Connection& connection,
                               Interrupts& interrupts, Progress& progress);

// No run has begun yet.
bool IsWaiting(const v1::Job& job);
bool HasEnded(const v1::Job& job);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_FOLLOW_H_
