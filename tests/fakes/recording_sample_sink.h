// Keeps what a run reports, in order; can be told to break.
#ifndef BENCHFLEET_TESTS_FAKES_RECORDING_SAMPLE_SINK_H_
#define BENCHFLEET_TESTS_FAKES_RECORDING_SAMPLE_SINK_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "worker/core/round_runner.h"

namespace benchfleet {

class RecordingSampleSink final : public SampleSink {
 public:
  void Progress(const std::string& message) override {
    events.push_back("progress");
    progress.push_back(message);
  }
  absl::Status PlanReady(const RunPlan& ready) override {
    events.push_back("plan");
    plan = ready;
    if (on_plan) on_plan();
    return plan_status;
  }
  absl::Status RoundDone(const Round& round) override {
    events.push_back(absl::StrCat("round ", round.index));
    rounds.push_back(round);
    if (on_round) on_round(round);
    return round_status;
  }

  // What the sink answers, and what else happens meanwhile.
  absl::Status plan_status;
  absl::Status round_status;
  std::function<void()> on_plan;
  std::function<void(const Round&)> on_round;

  // What it was told.
  std::vector<std::string> events;  // "progress", "plan", "round <index>"
  std::vector<std::string> progress;
  std::optional<RunPlan> plan;
  std::vector<Round> rounds;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_RECORDING_SAMPLE_SINK_H_
