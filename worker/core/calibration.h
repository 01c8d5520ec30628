// How many operations one timed batch holds: enough that reading the clock does not
// matter, few enough that most batches escape preemption, and the same number for all
// variants of a case.
#ifndef BENCHFLEET_WORKER_CORE_CALIBRATION_H_
#define BENCHFLEET_WORKER_CORE_CALIBRATION_H_

#include <atomic>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/model/plan.h"
#include "worker/core/subject.h"

namespace benchfleet {

// How long the batch of a case's fastest variant shall take.
struct BatchLimits {
  absl::Duration least;
  absl::Duration aim;
  absl::Duration most;
};

// least = max(200 us, 1000 clock steps, 500 clock reads); most = 1 ms where the clock is
// good enough for that.
BatchLimits MakeBatchLimits(const ClockFacts& clock);

// An operation that is not there any more (optimised away) would never fill a batch.
inline constexpr int64_t kMaxIterations = 1'000'000'000;
// From 1 to kMaxIterations takes nine steps of at most x10; the rest is for a busy host.
inline constexpr int kMaxCalibrationSteps = 40;
inline constexpr int kCalibrationBatches = 3;

// The count to try after `iterations` took the fastest variant `fastest` a batch;
// `iterations` itself when that is within the limits. At least 1, at most x10.
int64_t NextIterations(int64_t iterations, absl::Duration fastest, const BatchLimits& limits);

struct CaseCalibration {
  int64_t iterations = 0;
  absl::Duration expected;  // one measurement of each variant, as rounds will take them
};

// Finds the count for one case and confirms it with a second reading. A measurement that
// is not ok is taken once more.
//
// Errors: kCancelled; kFailedPrecondition names the arm and the cause.
absl::StatusOr<CaseCalibration> CalibrateCase(const SubjectCase& subject_case, const BatchLimits& limits, int batches,
                                              absl::Duration timeout, Subject& subject,
                                              const std::atomic<bool>& cancelled);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_CORE_CALIBRATION_H_
