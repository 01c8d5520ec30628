// States of jobs, runs and attempts, and their lower-case words.
#ifndef BENCHFLEET_COMMON_MODEL_STATES_H_
#define BENCHFLEET_COMMON_MODEL_STATES_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/model/figures.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

enum class RunState { kQueued, kOffered, kRunning, kSucceeded, kFailed, kCancelled, kExpired, kQuarantined };
enum class JobState { kQueued, kRunning, kSucceeded, kFailed, kCancelled, kExpired, kQuarantined, kPartial };
enum class AttemptEnd { kSucceeded, kFailed, kCrashed, kCancelled, kReleased, kHeartbeat, kDeadline, kSessionEnded };

bool IsTerminal(RunState state);
bool IsTerminal(JobState state);

// A job's state follows from its runs; `runs` is not empty.
JobState DeriveJobState(const std::vector<RunState>& runs);

// "queued", "succeeded", ...: the words of reports, metrics and storage.
absl::string_view Word(RunState state);
absl::string_view Word(JobState state);
absl::string_view Word(AttemptEnd end);
absl::string_view Word(SampleOutcome outcome);
absl::string_view Word(Verdict verdict);
absl::string_view Word(Schedule schedule);
absl::string_view Word(CompileOutcome outcome);

// The way back, for storage; nullopt for an unknown word.
std::optional<RunState> RunStateFromWord(absl::string_view word);
std::optional<JobState> JobStateFromWord(absl::string_view word);
std::optional<AttemptEnd> AttemptEndFromWord(absl::string_view word);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_STATES_H_
