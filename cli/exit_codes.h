// What the client's exit code means. Stable: scripts rely on it.
#ifndef BENCHFLEET_CLI_EXIT_CODES_H_
#define BENCHFLEET_CLI_EXIT_CODES_H_

#include "absl/status/status.h"
#include "benchfleet/v1/job.pb.h"

namespace benchfleet {

inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 2;        // usage, or an invalid job
inline constexpr int kExitFailed = 4;       // the benchmark failed or was cancelled
inline constexpr int kExitNoWorker = 5;     // no matching worker in time
inline constexpr int kExitUnreachable = 6;  // server unreachable, or not authorised
inline constexpr int kExitServer = 7;       // server error
inline constexpr int kExitSignal = 128;     // plus the signal's number

// For a call that failed.
int ExitCodeOf(const absl::Status& status);

// For a job that has ended. When runs ended differently, a failure counts before a run
// that found no worker.
int ExitCodeOf(const v1::Job& job);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_EXIT_CODES_H_
