#include "common/stats/analyse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/stats/check.h"
#include "common/stats/order_statistics.h"
#include "common/stats/paired.h"
#include "common/stats/summary.h"

namespace benchfleet {
namespace {

constexpr double kSecondsPerNanosecond = 1e-9;

struct PlacedSample {
  int round = 0;
  bool warmup = false;
  const Sample* sample = nullptr;
};

struct PlacedSamples {
  std::vector<std::vector<PlacedSample>> of_arm;  // ascending by round
  int measured_rounds = 0;                        // warm-up excluded
};

// One arm's values, by round.
struct Series {
  std::vector<int> rounds;  // ascending
  std::vector<double> values;
  std::map<std::string, double> counters;
};

std::string Name(const Arm& arm) { return absl::StrCat("arm '", arm.case_path, "' '", arm.variant, "'"); }

absl::Status Invalid(int round, const Arm& arm, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("round ", round, ", ", Name(arm), ": ", what));
}

// The plan's arms, numbered in its order.
class ArmTable {
 public:
  static absl::StatusOr<ArmTable> Build(const RunPlan& plan) {
    ArmTable table;
    for (const CasePlan& one : plan.cases) {
      for (const std::string& variant : one.variants) {
        table.arms_.push_back({one.case_path, variant});
        const bool is_new = table.index_.try_emplace({one.case_path, variant}, table.index_.size()).second;
        if (!is_new) return absl::InvalidArgumentError(absl::StrCat("cases: has ", Name(table.arms_.back()), " twice"));
      }
    }
    return table;
  }

  size_t size() const { return arms_.size(); }
  const Arm& arm(size_t index) const { return arms_[index]; }
  std::optional<size_t> Find(const Arm& arm) const {
    const auto found = index_.find(std::pair<absl::string_view, absl::string_view>(arm.case_path, arm.variant));
    if (found == index_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<Arm> arms_;
  // The views are of the plan's strings, which outlive the table.
  absl::flat_hash_map<std::pair<absl::string_view, absl::string_view>, size_t> index_;
};

absl::Status CheckComparisons(const RunPlan& plan, const ArmTable& arms) {
  for (size_t i = 0; i < plan.comparisons.size(); ++i) {
    const ComparisonPlan& comparison = plan.comparisons[i];
    for (const Arm* arm : {&comparison.base, &comparison.contender}) {
      if (arms.Find(*arm).has_value()) continue;
      return absl::InvalidArgumentError(absl::StrCat("comparisons[", i, "]: ", Name(*arm), " is in no case"));
    }
    if (comparison.measure != kMeasureWall) {
      return absl::InvalidArgumentError(
          absl::StrCat("comparisons[", i, "].measure: '", comparison.measure, "' is not known"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PlacedSamples> PlaceSamples(const ArmTable& arms, absl::Span<const Round> rounds) {
  PlacedSamples placed;
  placed.of_arm.resize(arms.size());
  absl::flat_hash_map<int, bool> warmup_of_round;
  for (const Round& round : rounds) {
    const auto [known, is_new] = warmup_of_round.try_emplace(round.index, round.warmup);
    if (known->second != round.warmup) {
      return absl::InvalidArgumentError(absl::StrCat("round ", round.index, ": is warm-up in one part only"));
    }
    if (is_new && !round.warmup) ++placed.measured_rounds;
    for (const Sample& sample : round.samples) {
      const std::optional<size_t> arm = arms.Find(sample.arm);
      if (!arm.has_value()) return Invalid(round.index, sample.arm, "is not in the plan");
      placed.of_arm[*arm].push_back({round.index, round.warmup, &sample});
    }
  }
  const auto by_round = [](const PlacedSample& a, const PlacedSample& b) { return a.round < b.round; };
  const auto same_round = [](const PlacedSample& a, const PlacedSample& b) { return a.round == b.round; };
  for (std::vector<PlacedSample>& samples : placed.of_arm) {
    std::sort(samples.begin(), samples.end(), by_round);
    const auto twice = std::adjacent_find(samples.begin(), samples.end(), same_round);
    if (twice != samples.end()) return Invalid(twice->round, twice->sample->arm, "has two samples");
  }
  return placed;
}

absl::StatusOr<double> SecondsPerOperation(const PlacedSample& placed, std::vector<double>& scratch) {
  const Sample& sample = *placed.sample;
  if (sample.iterations < 1) {
    return Invalid(placed.round, sample.arm, absl::StrCat("iterations: must be at least 1, is ", sample.iterations));
  }
  scratch.assign(sample.batch_ns.begin(), sample.batch_ns.end());
  if (absl::Status status = CheckValues("batch_ns", scratch); !status.ok()) {
    return Invalid(placed.round, sample.arm, status.message());
  }
  return MedianReordering(absl::MakeSpan(scratch)) / static_cast<double>(sample.iterations) * kSecondsPerNanosecond;
}

// Counters per operation, their mean over the samples that report them. Sums in the
// order of rounds, so that the last bit does not hang on the order of arrival.
std::map<std::string, double> MeanCounters(absl::Span<const Sample* const> samples) {
  struct Mean {
    double sum = 0;
    int count = 0;
  };
  std::map<absl::string_view, Mean> means;
  for (const Sample* sample : samples) {
    const double operations = static_cast<double>(sample->iterations) * static_cast<double>(sample->batch_ns.size());
    for (const auto& [name, total] : sample->counters) {
      Mean& mean = means[name];
      mean.sum += static_cast<double>(total) / operations;
      ++mean.count;
    }
  }
  std::map<std::string, double> counters;
  for (const auto& [name, mean] : means) counters.emplace(std::string(name), mean.sum / mean.count);
  return counters;
}

// Adds the samples that failed to `failed_samples`.
absl::StatusOr<Series> BuildSeries(absl::Span<const PlacedSample> samples, std::vector<double>& scratch,
                                   int& failed_samples) {
  Series series;
  std::vector<const Sample*> measured;
  for (const PlacedSample& placed : samples) {
    if (placed.warmup) continue;
    if (placed.sample->outcome != SampleOutcome::kOk) {
      ++failed_samples;
      continue;
    }
    BF_ASSIGN_OR_RETURN(const double value, SecondsPerOperation(placed, scratch));
    series.rounds.push_back(placed.round);
    series.values.push_back(value);
    measured.push_back(placed.sample);
  }
  series.counters = MeanCounters(measured);
  return series;
}

absl::StatusOr<Summary> SummariseArm(const Arm& arm, const Series& series, double level) {
  BF_ASSIGN_OR_RETURN(Summary summary, Summarise(series.values, level));
  summary.arm = arm;
  summary.measure = std::string(kMeasureWall);
  summary.unit = std::string(kUnitSeconds);
  summary.counters = series.counters;
  return summary;
}

absl::StatusOr<Comparison> Compare(const ComparisonPlan& declared, const Series& base, const Series& contender,
                                   const RunPlan& plan) {
  std::vector<double> base_values;
  std::vector<double> contender_values;
  for (size_t i = 0, j = 0; i < base.rounds.size() && j < contender.rounds.size();) {
    if (base.rounds[i] == contender.rounds[j]) {
      base_values.push_back(base.values[i++]);
      contender_values.push_back(contender.values[j++]);
    } else if (base.rounds[i] < contender.rounds[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  Comparison comparison;
  if (base_values.empty()) {
    comparison.level = plan.level;
    comparison.notes.emplace_back(kNoteNoCommonRound);
  } else {
    BF_ASSIGN_OR_RETURN(comparison, ComparePaired(base_values, contender_values, plan.level, plan.margin));
  }
  comparison.kind = declared.kind;
  comparison.base = declared.base;
  comparison.contender = declared.contender;
  comparison.measure = declared.measure;
  return comparison;
}

}  // namespace

absl::StatusOr<RunFigures> Analyse(const RunPlan& plan, absl::Span<const Round> rounds) {
  BF_RETURN_IF_ERROR(CheckLevel(plan.level));
  BF_RETURN_IF_ERROR(CheckMargin(plan.margin));
  BF_ASSIGN_OR_RETURN(const ArmTable arms, ArmTable::Build(plan));
  BF_RETURN_IF_ERROR(CheckComparisons(plan, arms));

  BF_ASSIGN_OR_RETURN(const PlacedSamples samples, PlaceSamples(arms, rounds));
  RunFigures figures;
  figures.rounds = samples.measured_rounds;
  std::vector<Series> series(arms.size());
  std::vector<double> scratch;
  for (size_t i = 0; i < arms.size(); ++i) {
    BF_ASSIGN_OR_RETURN(series[i], BuildSeries(samples.of_arm[i], scratch, figures.failed_samples));
    if (series[i].values.empty()) continue;
    BF_ASSIGN_OR_RETURN(Summary summary, SummariseArm(arms.arm(i), series[i], plan.level));
    figures.summaries.push_back(std::move(summary));
  }
  for (const ComparisonPlan& declared : plan.comparisons) {
    BF_ASSIGN_OR_RETURN(Comparison comparison, Compare(declared, series[*arms.Find(declared.base)],
                                                       series[*arms.Find(declared.contender)], plan));
    figures.comparisons.push_back(std::move(comparison));
  }
  return figures;
}

}  // namespace benchfleet
