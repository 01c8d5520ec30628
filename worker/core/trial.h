// Measurements taken before the rounds, to learn something and to see that arms work.
#ifndef BENCHFLEET_WORKER_CORE_TRIAL_H_
#define BENCHFLEET_WORKER_CORE_TRIAL_H_

#include <atomic>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "worker/core/subject.h"

namespace benchfleet {

// An ok sample; one that is not, or has no batch, is taken once more. `purpose` begins
// the message of a failure: "calibration".
//
// Errors: kCancelled; kFailedPrecondition names the arm and the cause.
absl::StatusOr<Sample> MeasureOnceOrTwice(absl::string_view purpose, const MeasureRequest& request, Subject& subject,
                                          const std::atomic<bool>& cancelled);

// For cases of whole operations: how long one measurement of `arm` takes. Errors as above.
absl::StatusOr<absl::Duration> TryWholeOperation(const Arm& arm, absl::Duration timeout, Subject& subject,
                                                 const std::atomic<bool>& cancelled);

// "epoll/frame.ready lookup: timed_out: <cause>; output: <its end>".
std::string DescribeFailure(const Arm& arm, const Sample& sample);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_CORE_TRIAL_H_
