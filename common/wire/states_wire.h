// Enums on the wire. The way back refuses the unspecified and the unknown.
#ifndef BENCHFLEET_COMMON_WIRE_STATES_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_STATES_WIRE_H_

#include "absl/status/statusor.h"
#include "benchfleet/v1/job.pb.h"
#include "benchfleet/v1/sample.pb.h"
#include "common/model/job_spec.h"
#include "common/model/states.h"

namespace benchfleet {

v1::JobState ToProto(JobState state);
v1::RunState ToProto(RunState state);
v1::AttemptEnd ToProto(AttemptEnd end);
v1::SampleOutcome ToProto(SampleOutcome outcome);
v1::Schedule ToProto(Schedule schedule);
v1::CompileOutcome ToProto(CompileOutcome outcome);
v1::FanOut ToProto(FanOut fan_out);

// kInvalidArgument names the number.
absl::StatusOr<JobState> ParseJobState(v1::JobState state);
absl::StatusOr<RunState> ParseRunState(v1::RunState state);
absl::StatusOr<AttemptEnd> ParseAttemptEnd(v1::AttemptEnd end);
absl::StatusOr<SampleOutcome> ParseSampleOutcome(v1::SampleOutcome outcome);
absl::StatusOr<Schedule> ParseSchedule(v1::Schedule schedule);
absl::StatusOr<CompileOutcome> ParseCompileOutcome(v1::CompileOutcome outcome);
// Unspecified is kAny.
absl::StatusOr<FanOut> ParseFanOut(v1::FanOut fan_out);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_STATES_WIRE_H_
