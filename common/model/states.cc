#include "common/model/states.h"

#include <algorithm>
#include <array>
#include <utility>

namespace benchfleet {
namespace {

template <typename E>
using Table = std::pair<E, absl::string_view>;

constexpr std::array<Table<RunState>, 8> kRunStates = {{{RunState::kQueued, "queued"},
                                                        {RunState::kOffered, "offered"},
                                                        {RunState::kRunning, "running"},
                                                        {RunState::kSucceeded, "succeeded"},
                                                        {RunState::kFailed, "failed"},
                                                        {RunState::kCancelled, "cancelled"},
                                                        {RunState::kExpired, "expired"},
                                                        {RunState::kQuarantined, "quarantined"}}};
constexpr std::array<Table<JobState>, 8> kJobStates = {{{JobState::kQueued, "queued"},
                                                        {JobState::kRunning, "running"},
                                                        {JobState::kSucceeded, "succeeded"},
                                                        {JobState::kFailed, "failed"},
                                                        {JobState::kCancelled, "cancelled"},
                                                        {JobState::kExpired, "expired"},
                                                        {JobState::kQuarantined, "quarantined"},
                                                        {JobState::kPartial, "partial"}}};
constexpr std::array<Table<AttemptEnd>, 8> kAttemptEnds = {{{AttemptEnd::kSucceeded, "succeeded"},
                                                            {AttemptEnd::kFailed, "failed"},
                                                            {AttemptEnd::kCrashed, "crashed"},
                                                            {AttemptEnd::kCancelled, "cancelled"},
                                                            {AttemptEnd::kReleased, "released"},
                                                            {AttemptEnd::kHeartbeat, "heartbeat"},
                                                            {AttemptEnd::kDeadline, "deadline"},
                                                            {AttemptEnd::kSessionEnded, "session_ended"}}};
constexpr std::array<Table<SampleOutcome>, 6> kOutcomes = {{{SampleOutcome::kOk, "ok"},
                                                            {SampleOutcome::kFailed, "failed"},
                                                            {SampleOutcome::kSignalled, "signalled"},
                                                            {SampleOutcome::kTimedOut, "timed_out"},
                                                            {SampleOutcome::kBrokenPromise, "broken_promise"},
                                                            {SampleOutcome::kSkipped, "skipped"}}};
constexpr std::array<Table<Verdict>, 4> kVerdicts = {{{Verdict::kFaster, "faster"},
                                                      {Verdict::kSlower, "slower"},
                                                      {Verdict::kSame, "same"},
                                                      {Verdict::kInconclusive, "inconclusive"}}};
constexpr std::array<Table<CompileOutcome>, 6> kCompileOutcomes = {{{CompileOutcome::kAccepted, "accepted"},
                                                                    {CompileOutcome::kRefused, "refused"},
                                                                    {CompileOutcome::kCrashed, "crashed"},
                                                                    {CompileOutcome::kKilled, "killed"},
                                                                    {CompileOutcome::kInfrastructure, "infrastructure"},
                                                                    {CompileOutcome::kTimeout, "timeout"}}};
constexpr std::array<Table<Schedule>, 2> kSchedules = {
    {{Schedule::kWilliams, "williams"}, {Schedule::kRandom, "random"}}};

template <typename E, size_t N>
absl::string_view WordIn(const std::array<Table<E>, N>& table, E value) {
  for (const auto& [key, word] : table) {
    if (key == value) return word;
  }
  return "unknown";
}

template <typename E, size_t N>
std::optional<E> FromWordIn(const std::array<Table<E>, N>& table, absl::string_view wanted) {
  for (const auto& [key, word] : table) {
    if (word == wanted) return key;
  }
  return std::nullopt;
}

}  // namespace

bool IsTerminal(RunState state) {
  return state != RunState::kQueued && state != RunState::kOffered && state != RunState::kRunning;
}

bool IsTerminal(JobState state) { return state != JobState::kQueued && state != JobState::kRunning; }

JobState DeriveJobState(const std::vector<RunState>& runs) {
  const auto waits = [](RunState s) { return s == RunState::kQueued || s == RunState::kOffered; };
  if (!std::all_of(runs.begin(), runs.end(), [](RunState s) { return IsTerminal(s); })) {
    return std::all_of(runs.begin(), runs.end(), waits) ? JobState::kQueued : JobState::kRunning;
  }
  if (!std::all_of(runs.begin(), runs.end(), [&](RunState s) { return s == runs.front(); })) {
    return JobState::kPartial;
  }
  switch (runs.front()) {
    case RunState::kSucceeded:
      return JobState::kSucceeded;
    case RunState::kFailed:
      return JobState::kFailed;
    case RunState::kCancelled:
      return JobState::kCancelled;
    case RunState::kExpired:
      return JobState::kExpired;
    default:
      return JobState::kQuarantined;
  }
}

absl::string_view Word(RunState state) { return WordIn(kRunStates, state); }
absl::string_view Word(JobState state) { return WordIn(kJobStates, state); }
absl::string_view Word(AttemptEnd end) { return WordIn(kAttemptEnds, end); }
absl::string_view Word(SampleOutcome outcome) { return WordIn(kOutcomes, outcome); }
absl::string_view Word(Verdict verdict) { return WordIn(kVerdicts, verdict); }
absl::string_view Word(Schedule schedule) { return WordIn(kSchedules, schedule); }
absl::string_view Word(CompileOutcome outcome) { return WordIn(kCompileOutcomes, outcome); }

std::optional<RunState> RunStateFromWord(absl::string_view word) { return FromWordIn(kRunStates, word); }
std::optional<JobState> JobStateFromWord(absl::string_view word) { return FromWordIn(kJobStates, word); }
std::optional<AttemptEnd> AttemptEndFromWord(absl::string_view word) { return FromWordIn(kAttemptEnds, word); }

}  // namespace benchfleet
