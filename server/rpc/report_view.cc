#include "server/rpc/report_view.h"

#include <optional>
#include <utility>
#include <vector>

#include "common/base/status_macros.h"
#include "common/report/report_builder.h"
#include "common/stats/round_values.h"
#include "server/core/job_views.h"

namespace benchfleet {
namespace {

absl::StatusOr<ReportRunInput> ReadRun(StoreReader& store, const RunView& view, bool with_round_values) {
  const RunRecord& run = view.run;
  ReportRunInput input;
  input.id = run.id.value();
  input.host = (run.lease.epoch == 0 ? run.bound_host : run.lease.owner.host).value();
  input.state = run.lease.state;
  input.end_reason = run.end_reason;
  input.attempts = static_cast<int>(view.attempts.size());
  if (view.attempts.empty()) return input;
  const LeaseEpoch epoch = view.attempts.back().epoch;
  BF_ASSIGN_OR_RETURN(input.plan, store.PlanOfAttempt(run.id, epoch));
  BF_ASSIGN_OR_RETURN(input.figures, store.FiguresOfRun(run.id));
  if (input.plan.has_value()) {
    BF_ASSIGN_OR_RETURN(const std::vector<Round> rounds, store.RoundsOfAttempt(run.id, epoch));
    input.rounds = FactsOfRounds(*input.plan, rounds);
    if (with_round_values && input.figures.has_value()) {
      BF_ASSIGN_OR_RETURN(input.round_values, ValuesOfRounds(*input.plan, rounds));
    }
  }
  return input;
}

}  // namespace

absl::StatusOr<v1::Report> ReadReport(StoreReader& store, const JobId& id, absl::Time now,
                                      const CoordinatorOptions& options, bool with_round_values) {
  BF_ASSIGN_OR_RETURN(const JobView view, ReadJobView(store, id, now, options));
  std::vector<ReportRunInput> runs;
  for (const RunView& run : view.runs) {
    BF_ASSIGN_OR_RETURN(ReportRunInput input, ReadRun(store, run, with_round_values));
    runs.push_back(std::move(input));
  }
  return BuildReport({view.job.id.value(), view.job.spec, view.job.state, view.state_reason, view.job.create_time},
                     runs);
}

}  // namespace benchfleet
