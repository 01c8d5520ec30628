// What was measured.
#ifndef BENCHFLEET_COMMON_MODEL_SAMPLE_H_
#define BENCHFLEET_COMMON_MODEL_SAMPLE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/model/plan.h"

namespace benchfleet {

inline constexpr size_t kMaxFailureOutputBytes = 4096;

enum class SampleOutcome {
  kOk,
  kFailed,         // non-zero exit code or unreadable answer
  kSignalled,      // killed by a signal
  kTimedOut,       // killed because the round's time was over
  kBrokenPromise,  // measured, but the counters are not what the variant promises
  kSkipped,        // not started, because the round's time was over
};

struct ProcessUsage {
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
  int64_t max_rss_bytes = 0;
  friend bool operator==(const ProcessUsage&, const ProcessUsage&) = default;
};

// One measurement of one arm in one round. `batch_ns` and `counters` are complete only
// with kOk.
struct Sample {
  Arm arm;
  int slot = 0;  // position within its case's round
  int64_t iterations = 0;
  std::vector<int64_t> batch_ns;
  std::map<std::string, int64_t> counters;  // over all timed batches
  SampleOutcome outcome = SampleOutcome::kOk;
  std::string failure;  // cause, for a person; empty with kOk
  std::string output;   // end of what the failed program printed
  ProcessUsage usage;
  absl::Duration elapsed;                      // process start included
  std::map<std::string, int64_t> measures_ns;  // further times of the measurement, by measure
  friend bool operator==(const Sample&, const Sample&) = default;
};

// Host signals; absent means unknown.
struct HostState {
  std::optional<double> load1;
  std::optional<int64_t> steal_ns;
  std::optional<int64_t> cpu_pressure_ns;
  std::optional<int64_t> throttled_periods;
  std::optional<int64_t> suspended_ns;
  friend bool operator==(const HostState&, const HostState&) = default;
};

// One pass over all arms.
struct Round {
  int index = 0;  // warm-up rounds first
  bool warmup = false;
  absl::Time start_time;
  HostState before;
  HostState after;
  std::vector<Sample> samples;  // in the order they were measured
  friend bool operator==(const Round&, const Round&) = default;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_SAMPLE_H_
