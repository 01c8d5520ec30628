#include "worker/runner/pipe_sink.h"

#include "benchfleet/runner/v1/runner.pb.h"
#include "common/base/status_macros.h"
#include "common/runner/framing.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"

namespace benchfleet {

void PipeSink::Progress(const std::string& message) {
  runner::v1::RunnerEvent event;
  event.mutable_progress()->set_message(ToUtf8(message));
  // Progress is a courtesy; a broken pipe ends the run at the next thing that matters.
  WriteFrame(fd_, event).IgnoreError();
}

absl::Status PipeSink::PlanReady(const RunPlan& plan) {
  runner::v1::RunnerEvent event;
  *event.mutable_plan() = ToProto(plan);
  BF_RETURN_IF_ERROR(WriteFrame(fd_, event));
  return control_.WaitForPlanAccepted();
}

absl::Status PipeSink::RoundDone(const Round& round) {
  runner::v1::RunnerEvent event;
  *event.mutable_round() = ToProto(round);
  BF_RETURN_IF_ERROR(WriteFrame(fd_, event));
  return control_.WaitForRoundAccepted();
}

absl::Status PipeSink::Finished(const RunEnd& end) {
  runner::v1::RunnerEvent event;
  event.mutable_finished()->set_end(ToProto(end.end));
  event.mutable_finished()->set_detail(ToUtf8(end.detail));
  return WriteFrame(fd_, event);
}

}  // namespace benchfleet
