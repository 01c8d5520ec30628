#include "common/model/states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace benchfleet {
namespace {

using R = RunState;
using J = JobState;

const std::vector<RunState> kRunStates = {R::kQueued, R::kOffered,   R::kRunning, R::kSucceeded,
                                          R::kFailed, R::kCancelled, R::kExpired, R::kQuarantined};
const std::vector<JobState> kJobStates = {J::kQueued,    J::kRunning, J::kSucceeded,   J::kFailed,
                                          J::kCancelled, J::kExpired, J::kQuarantined, J::kPartial};
const std::vector<AttemptEnd> kAttemptEnds = {AttemptEnd::kSucceeded, AttemptEnd::kFailed,      AttemptEnd::kCrashed,
                                              AttemptEnd::kCancelled, AttemptEnd::kReleased,    AttemptEnd::kHeartbeat,
                                              AttemptEnd::kDeadline,  AttemptEnd::kSessionEnded};

TEST(StatesTest, WordsOfRunStates) {
  const std::vector<std::string> words = {"queued", "offered",   "running", "succeeded",
                                          "failed", "cancelled", "expired", "quarantined"};
  for (size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(Word(kRunStates[i]), words[i]);
    EXPECT_EQ(RunStateFromWord(words[i]), kRunStates[i]);
  }
}

TEST(StatesTest, WordsOfJobStates) {
  const std::vector<std::string> words = {"queued",    "running", "succeeded",   "failed",
                                          "cancelled", "expired", "quarantined", "partial"};
  for (size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(Word(kJobStates[i]), words[i]);
    EXPECT_EQ(JobStateFromWord(words[i]), kJobStates[i]);
  }
}

TEST(StatesTest, WordsOfAttemptEnds) {
  const std::vector<std::string> words = {"succeeded", "failed",    "crashed",  "cancelled",
                                          "released",  "heartbeat", "deadline", "session_ended"};
  for (size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(Word(kAttemptEnds[i]), words[i]);
    EXPECT_EQ(AttemptEndFromWord(words[i]), kAttemptEnds[i]);
  }
}

TEST(StatesTest, WordsOfReports) {
  EXPECT_EQ(Word(SampleOutcome::kOk), "ok");
  EXPECT_EQ(Word(SampleOutcome::kFailed), "failed");
  EXPECT_EQ(Word(SampleOutcome::kSignalled), "signalled");
  EXPECT_EQ(Word(SampleOutcome::kTimedOut), "timed_out");
  EXPECT_EQ(Word(SampleOutcome::kBrokenPromise), "broken_promise");
  EXPECT_EQ(Word(SampleOutcome::kSkipped), "skipped");
  EXPECT_EQ(Word(Verdict::kFaster), "faster");
  EXPECT_EQ(Word(Verdict::kSlower), "slower");
  EXPECT_EQ(Word(Verdict::kSame), "same");
  EXPECT_EQ(Word(Verdict::kInconclusive), "inconclusive");
  EXPECT_EQ(Word(Schedule::kWilliams), "williams");
  EXPECT_EQ(Word(Schedule::kRandom), "random");
}

TEST(StatesTest, OtherWordsAreNoStates) {
  for (const char* word : {"", "Queued", "queued ", "unknown", "canceled"}) {
    EXPECT_FALSE(RunStateFromWord(word).has_value()) << word;
    EXPECT_FALSE(JobStateFromWord(word).has_value()) << word;
    EXPECT_FALSE(AttemptEndFromWord(word).has_value()) << word;
  }
  EXPECT_FALSE(RunStateFromWord("partial").has_value());
  EXPECT_FALSE(JobStateFromWord("offered").has_value());
}

TEST(StatesTest, TerminalStates) {
  const std::set<RunState> live_runs = {R::kQueued, R::kOffered, R::kRunning};
  for (RunState state : kRunStates) EXPECT_EQ(IsTerminal(state), live_runs.count(state) == 0) << Word(state);
  const std::set<JobState> live_jobs = {J::kQueued, J::kRunning};
  for (JobState state : kJobStates) EXPECT_EQ(IsTerminal(state), live_jobs.count(state) == 0) << Word(state);
}

struct DerivedCase {
  const char* name;
  std::vector<RunState> runs;
  JobState job;
};

class DeriveJobStateTest : public ::testing::TestWithParam<DerivedCase> {};

TEST_P(DeriveJobStateTest, FollowsFromTheRuns) {
  std::vector<RunState> runs = GetParam().runs;
  EXPECT_EQ(Word(DeriveJobState(runs)), Word(GetParam().job));
  std::reverse(runs.begin(), runs.end());
  EXPECT_EQ(Word(DeriveJobState(runs)), Word(GetParam().job)) << "in reverse order";
}

INSTANTIATE_TEST_SUITE_P(All, DeriveJobStateTest,
                         ::testing::ValuesIn<DerivedCase>({
                             {"AllQueued", {R::kQueued, R::kQueued}, J::kQueued},
                             {"OfferedIsStillQueued", {R::kOffered, R::kQueued}, J::kQueued},
                             {"OneRunning", {R::kQueued, R::kRunning}, J::kRunning},
                             {"OneDoneOneQueued", {R::kSucceeded, R::kQueued}, J::kRunning},
                             {"OneFailedOneRunning", {R::kFailed, R::kRunning}, J::kRunning},
                             {"Succeeded", {R::kSucceeded, R::kSucceeded}, J::kSucceeded},
                             {"Failed", {R::kFailed}, J::kFailed},
                             {"Cancelled", {R::kCancelled, R::kCancelled}, J::kCancelled},
                             {"Expired", {R::kExpired}, J::kExpired},
                             {"Quarantined", {R::kQuarantined}, J::kQuarantined},
                             {"SomeFailed", {R::kSucceeded, R::kFailed}, J::kPartial},
                             {"MixedFailures", {R::kFailed, R::kExpired}, J::kPartial},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace benchfleet
