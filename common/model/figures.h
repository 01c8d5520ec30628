// What is computed from samples. common/stats computes, nobody else.
#ifndef BENCHFLEET_COMMON_MODEL_FIGURES_H_
#define BENCHFLEET_COMMON_MODEL_FIGURES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/model/plan.h"

namespace benchfleet {

// Grows with every change of a figure's definition; stored with each figure.
inline constexpr int kStatsVersion = 1;

struct Interval {
  double lower = 0;
  double upper = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

enum class Verdict { kFaster, kSlower, kSame, kInconclusive };

// One arm and measure in one run. Base units ("seconds").
struct Summary {
  Arm arm;
  std::string measure;
  std::string unit;
  int rounds = 0;  // behind the figures; at least 1
  double median = 0;
  std::optional<Interval> median_interval;  // absent with too few rounds for the level
  double min = 0;
  double max = 0;
  std::map<std::string, double> counters;  // per operation, mean over rounds
  friend bool operator==(const Summary&, const Summary&) = default;
};

// Two arms over the rounds both were measured in. Ratios are contender / base.
struct Comparison {
  std::string kind;
  Arm base;
  Arm contender;
  std::string measure;
  int rounds = 0;
  std::optional<double> ratio;  // median of the rounds' ratios; absent without a round
  std::optional<Interval> ratio_interval;
  double level = 0;
  Verdict verdict = Verdict::kInconclusive;
  std::vector<std::string> notes;  // "too_few_rounds"
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

struct RunFigures {
  int rounds = 0;          // measured, warm-up excluded
  int failed_samples = 0;  // of those rounds
  std::vector<Summary> summaries;
  std::vector<Comparison> comparisons;
  friend bool operator==(const RunFigures&, const RunFigures&) = default;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_FIGURES_H_
