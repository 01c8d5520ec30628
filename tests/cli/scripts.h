// Jobs for the fake service.
#ifndef BENCHFLEET_TESTS_CLI_SCRIPTS_H_
#define BENCHFLEET_TESTS_CLI_SCRIPTS_H_

#include <string>

#include "common/wire/time_wire.h"
#include "tests/cli/fake_benchmark_service.h"

namespace benchfleet {

inline constexpr char kJobId[] = "01890000-0000-7000-8000-000000000001";

inline v1::Job QueuedJob() {
  v1::Job job;
  job.set_id(kJobId);
  job.set_state(v1::JOB_STATE_QUEUED);
  job.add_runs()->set_id(std::string(kJobId) + "/0");
  job.mutable_runs(0)->set_state(v1::RUN_STATE_QUEUED);
  return job;
}

inline v1::Job EndedJob(v1::JobState state, v1::RunState run_state) {
  v1::Job job = QueuedJob();
  job.set_state(state);
  job.mutable_runs(0)->set_state(run_state);
  return job;
}

inline v1::WatchJobResponse Event(int64_t number, v1::RunState state, const std::string& message) {
  v1::WatchJobResponse event;
  event.set_event(number);
  event.set_run_id(std::string(kJobId) + "/0");
  event.set_host("lab-1");
  event.set_message(message);
  event.set_run_state(state);
  return event;
}

// Accepted, planned, two of four rounds, the end.
inline FakeBenchmarkService::Script SucceedingScript() {
  FakeBenchmarkService::Script script;
  script.job = QueuedJob();
  script.ended = EndedJob(v1::JOB_STATE_SUCCEEDED, v1::RUN_STATE_SUCCEEDED);
  script.events = {Event(1, v1::RUN_STATE_RUNNING, "accepted"), Event(2, v1::RUN_STATE_RUNNING, ""),
                   Event(3, v1::RUN_STATE_RUNNING, ""), Event(4, v1::RUN_STATE_RUNNING, ""),
                   Event(5, v1::RUN_STATE_SUCCEEDED, "")};
  v1::RunPlan& plan = *script.events[1].mutable_plan();
  plan.set_rounds(3);
  plan.set_warmup_rounds(1);
  plan.set_schedule(v1::SCHEDULE_WILLIAMS);
  plan.set_seed(42);
  *plan.mutable_expected_round() = ToProto(absl::Seconds(2));
  v1::CasePlan& planned_case = *plan.add_cases();
  planned_case.set_case_("epoll/frame.ready");
  planned_case.add_variants("socket");
  planned_case.add_variants("lookup");
  for (int i = 1; i <= 2; ++i) {
    script.events[1 + i].set_rounds_done(i);
    script.events[1 + i].set_rounds_planned(4);
  }
  script.report.mutable_job()->set_id(kJobId);
  script.report.mutable_job()->set_state("succeeded");
  v1::ReportRun& run = *script.report.add_runs();
  run.set_id(std::string(kJobId) + "/0");
  run.set_host("lab-1");
  run.set_state("succeeded");
  v1::Summary& summary = *script.report.add_summaries();
  summary.set_run_id(run.id());
  summary.set_case_("epoll/frame.ready");
  summary.set_variant("lookup");
  summary.set_measure("wall");
  summary.set_unit("seconds");
  summary.set_median(4.12e-8);
  summary.set_min(4e-8);
  summary.set_max(4.3e-8);
  return script;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_CLI_SCRIPTS_H_
