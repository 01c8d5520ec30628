#include "worker/core/round_runner.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "common/stats/rng.h"
#include "common/stats/schedule.h"
#include "worker/core/calibration.h"
#include "worker/core/round_budget.h"
#include "worker/core/trial.h"

namespace benchfleet {
namespace {

constexpr uint64_t kMaxPaddingBytes = 4096;

// What became of every arm in the measured rounds.
class ArmLog {
 public:
  explicit ArmLog(const RunPlan& plan) {
    for (const CasePlan& one : plan.cases) {
      for (const std::string& variant : one.variants) {
        failures_[{one.case_path, variant}] = absl::StrCat(one.case_path, " ", variant, ": not measured");
      }
    }
  }

  void Note(const Round& round) {
    for (const Sample& sample : round.samples) {
      if (sample.outcome == SampleOutcome::kOk) {
        failures_.erase(sample.arm);
      } else if (const auto found = failures_.find(sample.arm); found != failures_.end()) {
        found->second = DescribeFailure(sample.arm, sample);
      }
    }
  }

  // Empty when every arm succeeded at least once.
  std::string DescribeFailed() const {
    std::vector<std::string> texts;
    for (const auto& [arm, failure] : failures_) {
      if (texts.size() < kMaxArmsInDetail) texts.push_back(failure);
    }
    if (failures_.empty()) return "";
    std::string text = absl::StrCat("never succeeded: ", absl::StrJoin(texts, " | "));
    if (failures_.size() > texts.size()) absl::StrAppend(&text, " | and ", failures_.size() - texts.size(), " more");
    return text;
  }

 private:
  std::map<Arm, std::string> failures_;  // of the arms without an ok sample
};

template <typename Case>
size_t CountArms(const std::vector<Case>& cases) {
  size_t arms = 0;
  for (const Case& one : cases) arms += one.variants.size();
  return arms;
}

// One run. Its steps return kCancelled or kFailedPrecondition; both become a RunEnd.
class Run {
 public:
  Run(const RunRequest& request, Subject& subject, HostProbe& host, const Clock& clock, SampleSink& sink,
      const std::atomic<bool>& cancelled)
      : request_(request),
        subject_(subject),
        host_(host),
        clock_(clock),
        sink_(sink),
        cancelled_(cancelled),
        start_(clock.Now()) {}

  absl::StatusOr<std::string> Go() {
    BeginPlan();
    BF_RETURN_IF_ERROR(PrepareCases());
    ChooseRounds();
    BF_ASSIGN_OR_RETURN(const auto schedule, BuildRunSchedule(plan_));
    BF_RETURN_IF_ERROR(Checked(sink_.PlanReady(plan_)));
    return MeasureRounds(schedule);
  }

 private:
  // A cancelled sink may well answer with an error; the cancellation is the cause.
  absl::Status Checked(const absl::Status& status) const {
    if (cancelled_) return absl::CancelledError("cancelled");
    return status;
  }

  absl::Duration BudgetLeft() const { return request_.method.budget - (clock_.Now() - start_); }

  void BeginPlan() {
    const MethodSpec& method = request_.method;
    plan_.suite = request_.suite;
    plan_.suite_version = request_.suite_version;
    plan_.seed = method.seed.value_or(request_.fallback_seed);
    plan_.warmup_rounds = kWarmupRounds;
    plan_.comparisons = subject_.comparisons();
    plan_.margin = method.margin;
    plan_.level = method.level;
    plan_.round_timeout = method.round_timeout;
    plan_.budget = method.budget;
    plan_.host_key = request_.host_key;
    plan_.clock = request_.clock;
    plan_.capabilities = subject_.capabilities();
  }

  // Puts every case into the plan, with its counts.
  absl::Status PrepareCases() {
    for (const SubjectCase& one : subject_.cases()) {
      CasePlan planned;
      planned.case_path = one.case_path;
      planned.variants = one.variants;
      planned.subject_key = one.subject_key;
      planned.usable_cpus = one.usable_cpus;
      BF_RETURN_IF_ERROR(one.whole_operation ? Try(one, planned) : Calibrate(one, planned));
      plan_.cases.push_back(std::move(planned));
    }
    return absl::OkStatus();
  }

  absl::Status Calibrate(const SubjectCase& one, CasePlan& planned) {
    sink_.Progress(absl::StrCat("calibrating ", one.case_path));
    BF_ASSIGN_OR_RETURN(const CaseCalibration found, CalibrateCase(one, MakeBatchLimits(request_.clock), kBatches,
                                                                   plan_.round_timeout, subject_, cancelled_));
    planned.iterations = found.iterations;
    planned.batches = kBatches;
    plan_.expected_round += found.expected;
    return CheckBudget(plan_.cases.size() + 1, subject_.cases().size(), "cases were calibrated");
  }

  absl::Status Try(const SubjectCase& one, CasePlan& planned) {
    planned.iterations = 1;
    planned.batches = 1;
    size_t tried = CountArms(plan_.cases);
    for (const std::string& variant : one.variants) {
      sink_.Progress(absl::StrCat("trying ", one.case_path, " ", variant));
      BF_ASSIGN_OR_RETURN(const absl::Duration elapsed,
                          TryWholeOperation({one.case_path, variant}, plan_.round_timeout, subject_, cancelled_));
      plan_.expected_round += elapsed;
      BF_RETURN_IF_ERROR(CheckBudget(++tried, CountArms(subject_.cases()), "arms were tried"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckBudget(size_t done, size_t all, absl::string_view what) const {
    if (BudgetLeft() > absl::ZeroDuration()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("no round was measured: the budget of ",
                                                      absl::FormatDuration(plan_.budget), " was used up when ", done,
                                                      " of ", all, " ", what, "; ask for fewer or for more time"));
  }

  void ChooseRounds() {
    std::vector<int> variants;
    for (const CasePlan& one : plan_.cases) variants.push_back(static_cast<int>(one.variants.size()));
    const absl::Duration left = BudgetLeft() - kWarmupRounds * plan_.expected_round;
    const RoundChoice choice = request_.method.rounds.has_value()
                                   ? ChooseForFixedRounds(*request_.method.rounds, variants)
                                   : ChooseForBudget(left, plan_.expected_round, variants);
    if (!choice.warning.empty()) sink_.Progress(choice.warning);
    plan_.rounds = choice.rounds;
    plan_.schedule = choice.schedule;
  }

  // Returns the remark on a run that succeeded.
  absl::StatusOr<std::string> MeasureRounds(const std::vector<std::vector<ScheduledArm>>& schedule) {
    ArmLog log(plan_);
    int measured = 0;
    for (size_t index = 0; index < schedule.size(); ++index) {
      if (cancelled_) return absl::CancelledError("cancelled");
      if (BudgetLeft() <= absl::ZeroDuration()) break;
      BF_ASSIGN_OR_RETURN(const Round round, MeasureRound(static_cast<int>(index), schedule[index]));
      if (!round.warmup) {
        ++measured;
        log.Note(round);
      }
      BF_RETURN_IF_ERROR(Checked(sink_.RoundDone(round)));
    }
    const std::string budget = absl::StrCat("the budget of ", absl::FormatDuration(plan_.budget), " was used up");
    if (measured == 0) return absl::FailedPreconditionError(absl::StrCat("no round was measured: ", budget));
    if (const std::string failed = log.DescribeFailed(); !failed.empty()) return absl::FailedPreconditionError(failed);
    if (measured == plan_.rounds) return std::string();
    return absl::StrCat("measured ", measured, " of ", plan_.rounds, " rounds: ", budget);
  }

  absl::StatusOr<Round> MeasureRound(int index, const std::vector<ScheduledArm>& arms) {
    Round round;
    round.index = index;
    round.warmup = index < plan_.warmup_rounds;
    round.before = host_.ReadState();
    round.start_time = clock_.Now();
    const absl::Time deadline = round.start_time + plan_.round_timeout;
    SplitMix64 padding(SplitMix64(plan_.seed + static_cast<uint64_t>(index)).Next());
    for (const ScheduledArm& arm : arms) {
      const int padding_bytes = static_cast<int>(padding.Below(kMaxPaddingBytes));
      // An arm that timed out may have had less time than the round: only the clock tells.
      const absl::Duration left = deadline - clock_.Now();
      round.samples.push_back(left > absl::ZeroDuration() ? Measure(arm, left, padding_bytes) : Skipped(arm));
      if (cancelled_) return absl::CancelledError("cancelled");
    }
    round.after = host_.ReadState();
    return round;
  }

  Sample Measure(const ScheduledArm& scheduled, absl::Duration timeout, int padding_bytes) {
    const CasePlan& one = plan_.cases[scheduled.case_index];
    MeasureRequest request;
    request.arm = {one.case_path, one.variants[scheduled.variant_index]};
    request.iterations = one.iterations;
    request.batches = one.batches;
    request.timeout = timeout;
    request.environment_padding = padding_bytes;
    Sample sample = subject_.Measure(request, cancelled_);
    sample.arm = request.arm;
    sample.slot = scheduled.slot;
    sample.iterations = one.iterations;
    return sample;
  }

  Sample Skipped(const ScheduledArm& scheduled) const {
    const CasePlan& one = plan_.cases[scheduled.case_index];
    Sample sample;
    sample.arm = {one.case_path, one.variants[scheduled.variant_index]};
    sample.slot = scheduled.slot;
    sample.iterations = one.iterations;
    sample.outcome = SampleOutcome::kSkipped;
    sample.failure = absl::StrCat("the round's ", absl::FormatDuration(plan_.round_timeout), " were over");
    return sample;
  }

  const RunRequest& request_;
  Subject& subject_;
  HostProbe& host_;
  const Clock& clock_;
  SampleSink& sink_;
  const std::atomic<bool>& cancelled_;
  const absl::Time start_;
  RunPlan plan_;
};

}  // namespace

RunEnd RunRounds(const RunRequest& request, Subject& subject, HostProbe& host, const Clock& clock, SampleSink& sink,
                 const std::atomic<bool>& cancelled) {
  const absl::StatusOr<std::string> remark = Run(request, subject, host, clock, sink, cancelled).Go();
  if (remark.ok()) return {AttemptEnd::kSucceeded, *remark};
  const std::string detail(remark.status().message());
  return {cancelled ? AttemptEnd::kCancelled : AttemptEnd::kFailed, detail};
}

}  // namespace benchfleet
