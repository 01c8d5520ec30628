#include "worker/core/trial.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/model/states.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxOutputInDetailBytes = 512;

}  // namespace

absl::StatusOr<Sample> MeasureOnceOrTwice(absl::string_view purpose, const MeasureRequest& request, Subject& subject,
                                          const std::atomic<bool>& cancelled) {
  Sample sample;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (cancelled) return absl::CancelledError("cancelled");
    sample = subject.Measure(request, cancelled);
    if (cancelled) return absl::CancelledError("cancelled");
    if (sample.outcome == SampleOutcome::kOk && !sample.batch_ns.empty()) return sample;
  }
  return absl::FailedPreconditionError(absl::StrCat(purpose, " failed: ", DescribeFailure(request.arm, sample)));
}

absl::StatusOr<absl::Duration> TryWholeOperation(const Arm& arm, absl::Duration timeout, Subject& subject,
                                                 const std::atomic<bool>& cancelled) {
  MeasureRequest request;
  request.arm = arm;
  request.timeout = timeout;
  BF_ASSIGN_OR_RETURN(const Sample sample, MeasureOnceOrTwice("trial", request, subject, cancelled));
  return sample.elapsed;
}

std::string DescribeFailure(const Arm& arm, const Sample& sample) {
  std::string text = absl::StrCat(arm.case_path, " ", arm.variant, ": ", Word(sample.outcome));
  if (!sample.failure.empty()) absl::StrAppend(&text, ": ", sample.failure);
  absl::string_view output = absl::StripAsciiWhitespace(sample.output);
  if (output.size() > kMaxOutputInDetailBytes) output.remove_prefix(output.size() - kMaxOutputInDetailBytes);
  if (!output.empty()) absl::StrAppend(&text, "; output: ", output);
  return text;
}

}  // namespace benchfleet
