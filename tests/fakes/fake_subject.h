// Something to measure whose times are chosen by the test and pass on a fake clock.
#ifndef BENCHFLEET_TESTS_FAKES_FAKE_SUBJECT_H_
#define BENCHFLEET_TESTS_FAKES_FAKE_SUBJECT_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "tests/fakes/fake_clock.h"
#include "worker/core/subject.h"

namespace benchfleet {

class FakeSubject final : public Subject {
 public:
  // Changes a sample before it is handed out; called after its time has passed.
  using Script = std::function<void(const MeasureRequest&, Sample&)>;

  FakeSubject(FakeClock& clock, std::vector<SubjectCase> cases) : clock_(clock), cases_(std::move(cases)) {}

  const std::vector<SubjectCase>& cases() const override { return cases_; }
  std::vector<ComparisonPlan> comparisons() const override { return comparison_plans; }
  std::vector<Capability> capabilities() const override { return found_capabilities; }

  Sample Measure(const MeasureRequest& request, const std::atomic<bool>&) override {
    requests.push_back(request);
    const auto own = cost_of.find(request.arm);
    const absl::Duration batch = request.iterations * (own == cost_of.end() ? cost : own->second);
    Sample sample;
    sample.arm = request.arm;
    sample.iterations = request.iterations;
    sample.elapsed = start_cost + request.batches * batch;
    if (sample.elapsed > request.timeout) {
      sample.elapsed = request.timeout;
      sample.outcome = SampleOutcome::kTimedOut;
      sample.failure = "killed";
    } else {
      sample.batch_ns.assign(request.batches, absl::ToInt64Nanoseconds(batch));
    }
    clock_.Advance(sample.elapsed);
    if (script) script(request, sample);
    return sample;
  }

  absl::Duration cost = absl::Nanoseconds(100);  // of one operation
  std::map<Arm, absl::Duration> cost_of;         // where it differs
  absl::Duration start_cost = absl::Milliseconds(1);
  std::vector<ComparisonPlan> comparison_plans;
  std::vector<Capability> found_capabilities;
  Script script;

  std::vector<MeasureRequest> requests;  // every call

 private:
  FakeClock& clock_;
  const std::vector<SubjectCase> cases_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_FAKE_SUBJECT_H_
