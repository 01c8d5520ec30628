#include "worker/core/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/model/sample.h"
#include "worker/core/trial.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kLeastBatch = absl::Microseconds(200);
constexpr absl::Duration kMostBatch = absl::Milliseconds(1);
constexpr double kMaxStep = 10;

// One reading: every variant with the same count.
struct Reading {
  absl::Duration fastest = absl::InfiniteDuration();  // the least batch of any variant
  absl::Duration expected;
};

absl::Duration Mean(const std::vector<int64_t>& batch_ns) {
  const int64_t sum = std::accumulate(batch_ns.begin(), batch_ns.end(), int64_t{0});
  return absl::Nanoseconds(sum) / static_cast<int64_t>(batch_ns.size());
}

absl::StatusOr<Reading> Read(const SubjectCase& subject_case, int64_t iterations, int batches, absl::Duration timeout,
                             Subject& subject, const std::atomic<bool>& cancelled) {
  Reading reading;
  for (const std::string& variant : subject_case.variants) {
    MeasureRequest request;
    request.arm = {subject_case.case_path, variant};
    request.iterations = iterations;
    request.batches = kCalibrationBatches;
    request.timeout = timeout;
    BF_ASSIGN_OR_RETURN(const Sample sample, MeasureOnceOrTwice("calibration", request, subject, cancelled));
    // The least, because a preempted batch says nothing about the operation.
    const int64_t least = *std::min_element(sample.batch_ns.begin(), sample.batch_ns.end());
    reading.fastest = std::min(reading.fastest, absl::Nanoseconds(least));
    reading.expected += sample.elapsed + (batches - kCalibrationBatches) * Mean(sample.batch_ns);
  }
  return reading;
}

}  // namespace

BatchLimits MakeBatchLimits(const ClockFacts& clock) {
  BatchLimits limits;
  limits.least =
      std::max({kLeastBatch, 1000 * absl::Nanoseconds(clock.step_ns), 500 * absl::Nanoseconds(clock.read_median_ns)});
  limits.aim = 1.5 * limits.least;
  // With a coarse clock accuracy goes before short batches.
  limits.most = std::max(kMostBatch, 2 * limits.least);
  return limits;
}

int64_t NextIterations(int64_t iterations, absl::Duration fastest, const BatchLimits& limits) {
  const bool can_shrink = fastest > limits.most && iterations > 1;
  if (fastest >= limits.least && !can_shrink) return iterations;
  const double wanted = fastest > absl::ZeroDuration() ? absl::FDivDuration(limits.aim, fastest) : kMaxStep;
  const double scaled = std::ceil(static_cast<double>(iterations) * std::min(wanted, kMaxStep));
  return std::clamp(static_cast<int64_t>(scaled), int64_t{1}, kMaxIterations);
}

absl::StatusOr<CaseCalibration> CalibrateCase(const SubjectCase& subject_case, const BatchLimits& limits, int batches,
                                              absl::Duration timeout, Subject& subject,
                                              const std::atomic<bool>& cancelled) {
  int64_t iterations = 1;
  bool confirmed_once = false;
  for (int step = 0; step < kMaxCalibrationSteps; ++step) {
    BF_ASSIGN_OR_RETURN(const Reading reading, Read(subject_case, iterations, batches, timeout, subject, cancelled));
    const int64_t next = NextIterations(iterations, reading.fastest, limits);
    const bool fits = next == iterations && reading.fastest >= limits.least;
    if (fits && confirmed_once) return CaseCalibration{iterations, reading.expected};
    if (!fits && next == iterations) {
      return absl::FailedPreconditionError(absl::StrCat("calibration failed: ", subject_case.case_path, ": ",
                                                        iterations, " operations take only ",
                                                        absl::FormatDuration(reading.fastest)));
    }
    confirmed_once = fits;
    iterations = next;
  }
  return absl::FailedPreconditionError(
      absl::StrCat("calibration failed: ", subject_case.case_path, ": no count of operations keeps a batch between ",
                   absl::FormatDuration(limits.least), " and ", absl::FormatDuration(limits.most)));
}

}  // namespace benchfleet
