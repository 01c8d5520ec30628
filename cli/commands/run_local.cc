#include "cli/commands/run_local.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/report/report_builder.h"
#include "common/runner/host_lock.h"
#include "common/runner/runner_process.h"
#include "common/stats/analyse.h"
#include "common/stats/round_values.h"
#include "common/wire/plan_wire.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kMinRunTimeout = absl::Hours(1);

// Shows what happens and keeps it.
class LocalObserver final : public RunnerObserver {
 public:
  LocalObserver(std::string host, benchfleet::Progress& progress) : host_(std::move(host)), progress_(progress) {}

  void Progress(const std::string& message) override { progress_.SayOnce(absl::StrCat(host_, ": ", message)); }
  absl::Status Plan(const RunPlan& plan) override {
    plan_ = plan;
    progress_.Plan(host_, ToProto(plan));
    return absl::OkStatus();
  }
  absl::Status RoundDone(const Round& round) override {
    rounds_.push_back(round);
    progress_.Rounds(host_, static_cast<int>(rounds_.size()), plan_->rounds + plan_->warmup_rounds);
    return absl::OkStatus();
  }

  const std::optional<RunPlan>& plan() const { return plan_; }
  const std::vector<Round>& rounds() const { return rounds_; }

 private:
  const std::string host_;
  benchfleet::Progress& progress_;
  std::optional<RunPlan> plan_;
  std::vector<Round> rounds_;
};

std::string LocalHostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

RunState StateOf(AttemptEnd end) {
  if (end == AttemptEnd::kSucceeded) return RunState::kSucceeded;
  return end == AttemptEnd::kCancelled ? RunState::kCancelled : RunState::kFailed;
}

absl::StatusOr<v1::Report> MakeReport(const JobSpec& spec, const std::string& host, absl::Time start,
                                      const RunnerOutcome& outcome, const LocalObserver& observer, bool round_values) {
  ReportRunInput run;
  run.id = "local/0";
  run.host = host;
  run.state = StateOf(outcome.end);
  run.end_reason = outcome.detail;
  run.attempts = 1;
  run.plan = observer.plan();
  if (run.plan.has_value()) {
    BF_ASSIGN_OR_RETURN(run.figures, Analyse(*run.plan, observer.rounds()));
    run.rounds = FactsOfRounds(*run.plan, observer.rounds());
    if (round_values) {
      BF_ASSIGN_OR_RETURN(run.round_values, ValuesOfRounds(*run.plan, observer.rounds()));
    }
  }
  ReportJobInput job;
  job.id = "local";
  job.spec = spec;
  job.state = DeriveJobState({run.state});
  job.create_time = start;
  return BuildReport(job, {run});
}

// For what no server has to do with, so that the status's code is not the exit code.
int Explain(const absl::Status& status, int exit_code) {
  PrintError(status);
  return exit_code;
}

}  // namespace

absl::StatusOr<int> RunLocal(const JobSpec& spec, const LocalPrograms& programs, OutputFormat format,
                             const std::vector<ReportFile>& files, Interrupts& interrupts) {
  const absl::StatusOr<UniqueFd> lock = LockHost();
  if (!lock.ok()) return Explain(lock.status(), kExitNoWorker);
  const absl::StatusOr<std::string> runner = FindRunner();
  if (!runner.ok()) return Explain(runner.status(), kExitFailed);
  const RunnerOptions options{
      .runner_path = *runner, .interpreters = programs.interpreters, .compilers = programs.compilers};

  Progress progress = StderrProgress();
  const std::string host = LocalHostName();
  const absl::Time start = absl::Now();
  LocalObserver observer(host, progress);
  const RunnerOutcome outcome =
      Measure(options, spec, std::max(kMinRunTimeout, 2 * spec.method.budget), UuidV4(), observer, interrupts.flag());
  progress.Clear();
  if (interrupts.signal() != 0) return kExitSignal + interrupts.signal();
  const absl::StatusOr<v1::Report> report = MakeReport(spec, host, start, outcome, observer, NeedRoundValues(files));
  if (!report.ok()) return Explain(report.status(), kExitFailed);
  BF_RETURN_IF_ERROR(PrintReport(*report, format, files));
  return outcome.end == AttemptEnd::kSucceeded ? kExitOk : kExitFailed;
}

}  // namespace benchfleet
