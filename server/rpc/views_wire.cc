#include "server/rpc/views_wire.h"

#include <algorithm>

#include "common/wire/host_wire.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

v1::Attempt AttemptToProto(const AttemptRecord& attempt) {
  v1::Attempt out;
  out.set_lease_epoch(attempt.epoch);
  out.set_host(attempt.host.value());
  *out.mutable_start_time() = ToProto(attempt.start_time);
  if (attempt.end_time.has_value()) *out.mutable_end_time() = ToProto(*attempt.end_time);
  if (attempt.end.has_value()) out.set_end(ToProto(*attempt.end));
  out.set_detail(ToUtf8(attempt.detail));
  return out;
}

v1::Run RunToProto(const RunView& view) {
  const RunRecord& run = view.run;
  v1::Run out;
  out.set_id(run.id.value());
  out.set_state(ToProto(run.lease.state));
  // While it waits it has no host but the one it is bound to.
  const bool waits = run.lease.state == RunState::kQueued || run.lease.epoch == 0;
  out.set_host(waits ? run.bound_host.value() : run.lease.owner.host.value());
  for (const AttemptRecord& attempt : view.attempts) *out.add_attempts() = AttemptToProto(attempt);
  out.set_rounds_done(run.rounds_done);
  out.set_rounds_planned(run.rounds_planned);
  out.set_end_reason(ToUtf8(run.end_reason));
  return out;
}

v1::WorkerState WorkerStateToProto(WorkerAvailability state) {
  switch (state) {
    case WorkerAvailability::kIdle:
      return v1::WORKER_STATE_IDLE;
    case WorkerAvailability::kBusy:
      return v1::WORKER_STATE_BUSY;
    case WorkerAvailability::kOffline:
      return v1::WORKER_STATE_OFFLINE;
  }
  return v1::WORKER_STATE_UNSPECIFIED;
}

}  // namespace

v1::Job ToProto(const JobView& view) {
  v1::Job out;
  out.set_id(view.job.id.value());
  *out.mutable_spec() = ToProto(view.job.spec);
  out.set_state(ToProto(view.job.state));
  out.set_state_reason(ToUtf8(view.state_reason));
  *out.mutable_create_time() = ToProto(view.job.create_time);
  if (view.job.end_time.has_value()) *out.mutable_end_time() = ToProto(*view.job.end_time);
  for (const RunView& run : view.runs) *out.add_runs() = RunToProto(run);
  return out;
}

v1::Worker ToProto(const HostView& view) {
  v1::Worker out;
  out.set_name(view.session.host.value());
  out.set_state(WorkerStateToProto(view.state));
  for (const auto& [key, value] : view.session.labels) (*out.mutable_labels())[key] = value;
  *out.mutable_facts() = ToProto(view.session.facts);
  *out.mutable_last_seen_time() = ToProto(view.session.last_seen);
  out.set_run_id(view.run_id.value());
  out.set_version(view.session.version);
  return out;
}

v1::WatchJobResponse ToProto(const EventRecord& event, const std::optional<RunPlan>& plan) {
  v1::WatchJobResponse out;
  out.set_event(event.number);
  *out.mutable_time() = ToProto(event.time);
  out.set_run_id(event.run_id.value());
  out.set_message(ToUtf8(event.message));
  out.set_job_state(ToProto(event.job_state));
  if (event.run_state.has_value()) out.set_run_state(ToProto(*event.run_state));
  out.set_host(event.host.value());
  out.set_rounds_done(event.rounds_done);
  out.set_rounds_planned(event.rounds_planned);
  if (plan.has_value()) *out.mutable_plan() = ToProto(*plan);
  return out;
}

v1::SampleRecord ToProto(const SampleRecord& record) {
  v1::SampleRecord out;
  out.set_lease_epoch(record.epoch);
  out.set_round(record.round);
  out.set_warmup(record.warmup);
  *out.mutable_sample() = ToProto(record.sample);
  return out;
}

}  // namespace benchfleet
