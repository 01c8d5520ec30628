#include "cli/exit_codes.h"

#include <algorithm>

#include "common/base/error.h"

namespace benchfleet {

int ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitOk;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
      return kExitUsage;
    case absl::StatusCode::kFailedPrecondition:
      return ErrorReason(status) == "NO_MATCHING_WORKER" ? kExitNoWorker : kExitServer;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kPermissionDenied:
      return kExitUnreachable;
    default:
      return kExitServer;
  }
}

int ExitCodeOf(const v1::Job& job) {
  const auto any = [&](std::initializer_list<v1::RunState> states) {
    return std::any_of(job.runs().begin(), job.runs().end(), [&](const v1::Run& run) {
      return std::find(states.begin(), states.end(), run.state()) != states.end();
    });
  };
  if (any({v1::RUN_STATE_FAILED, v1::RUN_STATE_CANCELLED, v1::RUN_STATE_QUARANTINED})) return kExitFailed;
  if (any({v1::RUN_STATE_EXPIRED})) return kExitNoWorker;
  return job.state() == v1::JOB_STATE_SUCCEEDED ? kExitOk : kExitFailed;
}

}  // namespace benchfleet
