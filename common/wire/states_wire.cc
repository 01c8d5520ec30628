#include "common/wire/states_wire.h"

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

template <typename Model, typename Wire>
using Pair = std::pair<Model, Wire>;

constexpr std::array<Pair<JobState, v1::JobState>, 8> kJobStates = {
    {{JobState::kQueued, v1::JOB_STATE_QUEUED},
     {JobState::kRunning, v1::JOB_STATE_RUNNING},
     {JobState::kSucceeded, v1::JOB_STATE_SUCCEEDED},
     {JobState::kFailed, v1::JOB_STATE_FAILED},
     {JobState::kCancelled, v1::JOB_STATE_CANCELLED},
     {JobState::kExpired, v1::JOB_STATE_EXPIRED},
     {JobState::kQuarantined, v1::JOB_STATE_QUARANTINED},
     {JobState::kPartial, v1::JOB_STATE_PARTIAL}}};
constexpr std::array<Pair<RunState, v1::RunState>, 8> kRunStates = {
    {{RunState::kQueued, v1::RUN_STATE_QUEUED},
     {RunState::kOffered, v1::RUN_STATE_OFFERED},
     {RunState::kRunning, v1::RUN_STATE_RUNNING},
     {RunState::kSucceeded, v1::RUN_STATE_SUCCEEDED},
     {RunState::kFailed, v1::RUN_STATE_FAILED},
     {RunState::kCancelled, v1::RUN_STATE_CANCELLED},
     {RunState::kExpired, v1::RUN_STATE_EXPIRED},
     {RunState::kQuarantined, v1::RUN_STATE_QUARANTINED}}};
constexpr std::array<Pair<AttemptEnd, v1::AttemptEnd>, 8> kAttemptEnds = {
    {{AttemptEnd::kSucceeded, v1::ATTEMPT_END_SUCCEEDED},
     {AttemptEnd::kFailed, v1::ATTEMPT_END_FAILED},
     {AttemptEnd::kCrashed, v1::ATTEMPT_END_CRASHED},
     {AttemptEnd::kCancelled, v1::ATTEMPT_END_CANCELLED},
     {AttemptEnd::kReleased, v1::ATTEMPT_END_RELEASED},
     {AttemptEnd::kHeartbeat, v1::ATTEMPT_END_HEARTBEAT},
     {AttemptEnd::kDeadline, v1::ATTEMPT_END_DEADLINE},
     {AttemptEnd::kSessionEnded, v1::ATTEMPT_END_SESSION_ENDED}}};
constexpr std::array<Pair<SampleOutcome, v1::SampleOutcome>, 6> kOutcomes = {
    {{SampleOutcome::kOk, v1::SAMPLE_OUTCOME_OK},
     {SampleOutcome::kFailed, v1::SAMPLE_OUTCOME_FAILED},
     {SampleOutcome::kSignalled, v1::SAMPLE_OUTCOME_SIGNALLED},
     {SampleOutcome::kTimedOut, v1::SAMPLE_OUTCOME_TIMED_OUT},
     {SampleOutcome::kBrokenPromise, v1::SAMPLE_OUTCOME_BROKEN_PROMISE},
     {SampleOutcome::kSkipped, v1::SAMPLE_OUTCOME_SKIPPED}}};
constexpr std::array<Pair<CompileOutcome, v1::CompileOutcome>, 6> kCompileOutcomes = {{
    {CompileOutcome::kAccepted, v1::COMPILE_OUTCOME_ACCEPTED},
    {CompileOutcome::kRefused, v1::COMPILE_OUTCOME_REFUSED},
    {CompileOutcome::kCrashed, v1::COMPILE_OUTCOME_CRASHED},
    {CompileOutcome::kKilled, v1::COMPILE_OUTCOME_KILLED},
    {CompileOutcome::kInfrastructure, v1::COMPILE_OUTCOME_INFRASTRUCTURE},
    {CompileOutcome::kTimeout, v1::COMPILE_OUTCOME_TIMEOUT},
}};
constexpr std::array<Pair<Schedule, v1::Schedule>, 2> kSchedules = {
    {{Schedule::kWilliams, v1::SCHEDULE_WILLIAMS}, {Schedule::kRandom, v1::SCHEDULE_RANDOM}}};
constexpr std::array<Pair<FanOut, v1::FanOut>, 2> kFanOuts = {
    {{FanOut::kAny, v1::FAN_OUT_ANY}, {FanOut::kAll, v1::FAN_OUT_ALL}}};

// A value outside the table cannot come from a valid model: 0 is "unspecified" in every enum.
template <typename Model, typename Wire, size_t N>
Wire ToWire(const std::array<Pair<Model, Wire>, N>& table, Model value) {
  for (const auto& [model, wire] : table) {
    if (model == value) return wire;
  }
  return static_cast<Wire>(0);
}

template <typename Model, typename Wire, size_t N>
absl::StatusOr<Model> FromWire(const std::array<Pair<Model, Wire>, N>& table, Wire value, absl::string_view what) {
  for (const auto& [model, wire] : table) {
    if (wire == value) return model;
  }
  return absl::InvalidArgumentError(absl::StrCat(static_cast<int>(value), " is not ", what));
}

}  // namespace

v1::JobState ToProto(JobState state) { return ToWire(kJobStates, state); }
v1::RunState ToProto(RunState state) { return ToWire(kRunStates, state); }
v1::AttemptEnd ToProto(AttemptEnd end) { return ToWire(kAttemptEnds, end); }
v1::SampleOutcome ToProto(SampleOutcome outcome) { return ToWire(kOutcomes, outcome); }
v1::Schedule ToProto(Schedule schedule) { return ToWire(kSchedules, schedule); }
v1::CompileOutcome ToProto(CompileOutcome outcome) { return ToWire(kCompileOutcomes, outcome); }
v1::FanOut ToProto(FanOut fan_out) { return ToWire(kFanOuts, fan_out); }

absl::StatusOr<JobState> ParseJobState(v1::JobState state) { return FromWire(kJobStates, state, "a job state"); }
absl::StatusOr<RunState> ParseRunState(v1::RunState state) { return FromWire(kRunStates, state, "a run state"); }
absl::StatusOr<AttemptEnd> ParseAttemptEnd(v1::AttemptEnd end) {
  return FromWire(kAttemptEnds, end, "the end of an attempt");
}
absl::StatusOr<SampleOutcome> ParseSampleOutcome(v1::SampleOutcome outcome) {
  return FromWire(kOutcomes, outcome, "a sample's outcome");
}
absl::StatusOr<Schedule> ParseSchedule(v1::Schedule schedule) { return FromWire(kSchedules, schedule, "a schedule"); }
absl::StatusOr<CompileOutcome> ParseCompileOutcome(v1::CompileOutcome outcome) {
  return FromWire(kCompileOutcomes, outcome, "a compile outcome");
}
absl::StatusOr<FanOut> ParseFanOut(v1::FanOut fan_out) {
  if (fan_out == v1::FAN_OUT_UNSPECIFIED) return FanOut::kAny;
  return FromWire(kFanOuts, fan_out, "a fan-out");
}

}  // namespace benchfleet
