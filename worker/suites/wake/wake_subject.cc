#include "worker/suites/wake/wake_subject.h"

#include <string.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "worker/suites/wake/child_report.h"
#include "worker/suites/wake/measured_loops.h"
#include "worker/suites/wake/promises.h"

namespace benchfleet {

namespace {

// The whole environment of a measured process: what the caller's holds must not matter.
std::vector<std::string> MeasuredEnvironment(const std::string& attempt_token, int padding_bytes) {
  return {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", absl::StrCat("BENCHFLEET_ATTEMPT=", attempt_token),
          absl::StrCat("BENCHFLEET_PADDING=", std::string(static_cast<size_t>(padding_bytes), 'x'))};
}

std::string End(const std::string& text, size_t max_bytes) {
  return text.size() <= max_bytes ? text : text.substr(text.size() - max_bytes);
}

// What the program had to say, its errors first.
std::string FailureOutput(const ProcessResult& result) {
  return End(result.err.empty() ? result.out : result.err, kMaxFailureOutputBytes);
}

void Fail(Sample& sample, SampleOutcome outcome, std::string failure) {
  sample.outcome = outcome;
  sample.failure = std::move(failure);
}

class WakeSubject final : public Subject {
 public:
  WakeSubject(const WakeSpec& spec, std::vector<MeasuredLoop> loops, ProcessSpawner& spawner, std::optional<int> cpu,
              std::string attempt_token)
      : baseline_(spec.baseline), spawner_(spawner), cpu_(cpu), attempt_token_(std::move(attempt_token)) {
    for (MeasuredLoop& loop : loops) {
      for (const std::string& wake_case : spec.cases) {
        cases_.push_back({absl::StrCat(loop.path, "/", wake_case), spec.variants, loop.subject_key});
        measured_.push_back({loop, wake_case});
      }
    }
  }

  const std::vector<SubjectCase>& cases() const override { return cases_; }

  std::vector<ComparisonPlan> comparisons() const override {
    std::vector<ComparisonPlan> plans;
    for (const SubjectCase& subject_case : cases_) AddVariants(subject_case, &plans);
    for (size_t i = 0; i < cases_.size(); ++i) AddInLoopAgainstOutside(i, &plans);
    return plans;
  }

  Sample Measure(const MeasureRequest& request, const std::atomic<bool>& cancelled) override {
    Sample sample;
    sample.arm = request.arm;
    sample.iterations = request.iterations;
    const Measured* const measured = Find(request.arm);
    if (measured == nullptr) {
      Fail(sample, SampleOutcome::kFailed,
           absl::StrCat("the wake suite has no arm ", request.arm.case_path, " ", request.arm.variant, " here"));
      return sample;
    }
    RunOptions options;
    options.timeout = request.timeout;
    options.max_output_bytes = kMaxChildReportBytes;
    options.cancelled = &cancelled;
    const absl::StatusOr<ProcessResult> result = spawner_.Run(MakeCommand(*measured, request), options);
    if (!result.ok()) {
      Fail(sample, SampleOutcome::kFailed, absl::StrCat("could not be started: ", result.status().message()));
      return sample;
    }
    Judge(*measured, request, *result, &sample);
    return sample;
  }

 private:
  // What is behind the case of the same index.
  struct Measured {
    MeasuredLoop loop;
    std::string wake_case;
  };

  const Measured* Find(const Arm& arm) const {
    for (size_t i = 0; i < cases_.size(); ++i) {
      const std::vector<std::string>& variants = cases_[i].variants;
      if (cases_[i].case_path != arm.case_path) continue;
      const bool known = std::find(variants.begin(), variants.end(), arm.variant) != variants.end();
      return known ? &measured_[i] : nullptr;
    }
    return nullptr;
  }

  void AddVariants(const SubjectCase& subject_case, std::vector<ComparisonPlan>* plans) const {
    for (const std::string& variant : subject_case.variants) {
      if (variant == baseline_) continue;
      plans->push_back({"variant", {subject_case.case_path, baseline_}, {subject_case.case_path, variant}});
    }
  }

  // The cost of being inside a loop: zero is what `counted` is for.
  void AddInLoopAgainstOutside(size_t index, std::vector<ComparisonPlan>* plans) const {
    const Measured& inside = measured_[index];
    if (inside.wake_case != wake::kHandleCallInLoop) return;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (measured_[i].loop.path != inside.loop.path || measured_[i].wake_case != wake::kHandleCallOutsideLoop)
        continue;
      for (const std::string& variant : cases_[index].variants) {
        plans->push_back(
            {"in_loop_against_outside", {cases_[i].case_path, variant}, {cases_[index].case_path, variant}});
      }
    }
  }

  Command MakeCommand(const Measured& measured, const MeasureRequest& request) const {
    std::vector<std::string> argv = measured.loop.argv;
    argv.push_back(absl::StrCat("--case=", measured.wake_case));
    argv.push_back(absl::StrCat("--variant=", request.arm.variant));
    argv.push_back(absl::StrCat("--iterations=", request.iterations));
    argv.push_back(absl::StrCat("--batches=", request.batches));
    argv.push_back(absl::StrCat("--conditioning_ns=", absl::ToInt64Nanoseconds(request.conditioning)));
    return {std::move(argv), MeasuredEnvironment(attempt_token_, request.environment_padding), "/", cpu_};
  }

  static void Judge(const Measured& measured, const MeasureRequest& request, const ProcessResult& result,
                    Sample* sample) {
    sample->usage = result.end.usage;
    sample->elapsed = result.elapsed;
    JudgeEnd(request, result, sample);
    if (sample->outcome == SampleOutcome::kOk) JudgeReport(measured, request, result.out, sample);
    if (sample->outcome != SampleOutcome::kOk) sample->output = FailureOutput(result);
  }

  static void JudgeEnd(const MeasureRequest& request, const ProcessResult& result, Sample* sample) {
    if (result.timed_out) {
      Fail(*sample, SampleOutcome::kTimedOut, absl::StrCat("killed after ", absl::FormatDuration(request.timeout)));
    } else if (result.cancelled) {
      Fail(*sample, SampleOutcome::kFailed, "cancelled");
    } else if (result.end.signal.has_value()) {
      const int signal = *result.end.signal;
      Fail(*sample, SampleOutcome::kSignalled, absl::StrCat("killed by signal ", signal, " (", strsignal(signal), ")"));
    } else if (result.end.exit_code.value_or(0) != 0) {
      Fail(*sample, SampleOutcome::kFailed, absl::StrCat("exit code ", *result.end.exit_code));
    } else if (result.survivors > 0) {
      Fail(*sample, SampleOutcome::kFailed,
           absl::StrCat("processes that outlived the program and were killed: ", result.survivors));
    }
  }

  static void JudgeReport(const Measured& measured, const MeasureRequest& request, const std::string& text,
                          Sample* sample) {
    absl::StatusOr<ChildReport> report = ParseChildReport(text);
    if (!report.ok()) return Fail(*sample, SampleOutcome::kFailed, std::string(report.status().message()));
    if (report->iterations != request.iterations) {
      return Fail(*sample, SampleOutcome::kFailed,
                  absl::StrCat("measured ", report->iterations, " iterations, asked for ", request.iterations));
    }
    if (report->batch_ns.size() != static_cast<size_t>(std::max(request.batches, 0))) {
      return Fail(*sample, SampleOutcome::kFailed,
                  absl::StrCat("measured ", report->batch_ns.size(), " batches, asked for ", request.batches));
    }
    const absl::Status promise =
        CheckPromise({measured.loop.loop, measured.wake_case, request.arm.variant, request.iterations, request.batches},
                     report->counters);
    sample->batch_ns = std::move(report->batch_ns);
    sample->counters = std::move(report->counters);
    if (!promise.ok()) Fail(*sample, SampleOutcome::kBrokenPromise, std::string(promise.message()));
  }

  const std::string baseline_;
  ProcessSpawner& spawner_;
  const std::optional<int> cpu_;
  const std::string attempt_token_;
  std::vector<SubjectCase> cases_;
  std::vector<Measured> measured_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Subject>> OpenWakeSubject(const WakeSpec& spec, const HostFacts& host,
                                                         ProcessSpawner& spawner, const WakePrograms& programs,
                                                         const std::string& attempt_token) {
  BF_ASSIGN_OR_RETURN(std::vector<MeasuredLoop> loops, FindMeasuredLoops(spec, host, programs));
  return std::make_unique<WakeSubject>(spec, std::move(loops), spawner, programs.cpu, attempt_token);
}

}  // namespace benchfleet
