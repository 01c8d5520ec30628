// Samples and rounds as tests write them.
#ifndef BENCHFLEET_TESTS_COMMON_STATS_ROUNDS_H_
#define BENCHFLEET_TESTS_COMMON_STATS_ROUNDS_H_

#include <utility>
#include <vector>

#include "common/model/sample.h"

namespace benchfleet {

inline Sample OkSample(const Arm& arm, std::vector<int64_t> batch_ns, int64_t iterations = 1000) {
  Sample sample;
  sample.arm = arm;
  sample.iterations = iterations;
  sample.batch_ns = std::move(batch_ns);
  return sample;
}

inline Sample FailedSample(const Arm& arm, SampleOutcome outcome) {
  Sample sample;
  sample.arm = arm;
  sample.outcome = outcome;
  return sample;
}

// Round 0 is the warm-up.
inline Round MakeRound(int index, std::vector<Sample> samples) {
  Round round;
  round.index = index;
  round.warmup = index == 0;
  round.samples = std::move(samples);
  return round;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_COMMON_STATS_ROUNDS_H_
