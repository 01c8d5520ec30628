// A small valid plan and its rounds.
#ifndef BENCHFLEET_TESTS_WORKER_AGENT_TEST_PLAN_H_
#define BENCHFLEET_TESTS_WORKER_AGENT_TEST_PLAN_H_

#include "absl/time/time.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

inline RunPlan TestPlan() {
  RunPlan plan;
  plan.suite = "wake";
  plan.suite_version = 1;
  plan.rounds = 3;
  plan.round_timeout = absl::Seconds(60);
  plan.budget = absl::Minutes(3);
  plan.cases = {{"epoll/frame.ready", {"lookup", "counted"}, 1000, 3, {"sk1:0", {{"part", "value"}}}}};
  plan.host_key = {"hk1:0", {{"cpu_model", "test"}}};
  return plan;
}

inline Round TestRound(int index) {
  Round round;
  round.index = index;
  for (const char* variant : {"lookup", "counted"}) {
    Sample sample;
    sample.arm = {"epoll/frame.ready", variant};
    sample.slot = static_cast<int>(round.samples.size());
    sample.iterations = 1000;
    sample.batch_ns = {80'000 + index, 81'000, 79'500};
    round.samples.push_back(sample);
  }
  return round;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_WORKER_AGENT_TEST_PLAN_H_
