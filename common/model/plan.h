// What a run will do, fixed before its first round.
#ifndef BENCHFLEET_COMMON_MODEL_PLAN_H_
#define BENCHFLEET_COMMON_MODEL_PLAN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/model/capability.h"

namespace benchfleet {

// A (case, variant) pair.
struct Arm {
  std::string case_path;  // "epoll/frame.ready"
  std::string variant;    // "lookup"
  friend bool operator==(const Arm&, const Arm&) = default;
  friend auto operator<=>(const Arm&, const Arm&) = default;
};

// The identity of a host ("hk1:...") or of what is measured ("sk1:..."): a digest over
// sorted parts, with the parts kept so that a difference can be named.
struct Key {
  std::string digest;
  std::map<std::string, std::string> parts;
  friend bool operator==(const Key&, const Key&) = default;
};

struct ClockFacts {
  int64_t read_median_ns = 0;
  int64_t read_min_ns = 0;
  int64_t step_ns = 0;
  std::string clock_source;
  friend bool operator==(const ClockFacts&, const ClockFacts&) = default;
};

enum class Schedule { kWilliams, kRandom };

struct CasePlan {
  std::string case_path;
  std::vector<std::string> variants;  // schedules permute their indices
  int64_t iterations = 0;             // operations in one batch, shared by all variants
  int batches = 0;                    // in one measurement
  Key subject_key;
  // CPUs the arms can keep busy at once; present where an operation is a pass of many
  // programs, whose efficiency is then computed.
  std::optional<double> usable_cpus;
  friend bool operator==(const CasePlan&, const CasePlan&) = default;
};

struct ComparisonPlan {
  std::string kind;  // "variant", "in_loop_against_outside"
  Arm base;          // denominator
  Arm contender;     // numerator
  std::string measure = "wall";
  friend bool operator==(const ComparisonPlan&, const ComparisonPlan&) = default;
};

struct RunPlan {
  std::string suite;
  int suite_version = 0;
  uint64_t seed = 0;
  Schedule schedule = Schedule::kRandom;
  int warmup_rounds = 1;  // measured first and kept out of every figure
  int rounds = 0;         // that count
  std::vector<CasePlan> cases;
  std::vector<ComparisonPlan> comparisons;
  double margin = 0.02;
  double level = 0.95;
  absl::Duration round_timeout;
  absl::Duration budget;
  absl::Duration expected_round;
  Key host_key;
  ClockFacts clock;
  std::vector<Capability> capabilities;  // every round must find the same
  friend bool operator==(const RunPlan&, const RunPlan&) = default;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_PLAN_H_
