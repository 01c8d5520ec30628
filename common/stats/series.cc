#include "common/stats/series.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "common/stats/check.h"
#include "common/stats/measure.h"
#include "common/stats/order_statistics.h"
#include "common/stats/physical_limit.h"

namespace benchfleet {
namespace {

constexpr double kSecondsPerNanosecond = 1e-9;

struct PlacedSample {
  int round = 0;
  bool warmup = false;
  const Sample* sample = nullptr;
};

// One arm's, ascending by round.
using PlacedSamples = std::vector<PlacedSample>;

std::string Name(const Arm& arm) { return absl::StrCat("arm '", arm.case_path, "' '", arm.variant, "'"); }

absl::Status Invalid(int round, const Arm& arm, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("round ", round, ", ", Name(arm), ": ", what));
}

absl::Status Invalid(const PlacedSample& placed, absl::string_view what) {
  return Invalid(placed.round, placed.sample->arm, what);
}

// The plan's arms, numbered in its order.
class ArmTable {
 public:
  static absl::StatusOr<ArmTable> Build(const RunPlan& plan) {
    ArmTable table;
    for (const CasePlan& one : plan.cases) {
      for (const std::string& variant : one.variants) {
        table.arms_.push_back({one.case_path, variant});
        table.cases_.push_back(&one);
        const bool is_new = table.index_.try_emplace({one.case_path, variant}, table.index_.size()).second;
        if (!is_new) return absl::InvalidArgumentError(absl::StrCat("cases: has ", Name(table.arms_.back()), " twice"));
      }
    }
    return table;
  }

  size_t size() const { return arms_.size(); }
  const Arm& arm(size_t index) const { return arms_[index]; }
  const CasePlan& case_of(size_t index) const { return *cases_[index]; }
  std::optional<size_t> Find(const Arm& arm) const {
    const auto found = index_.find(std::pair<absl::string_view, absl::string_view>(arm.case_path, arm.variant));
    if (found == index_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<Arm> arms_;
  // Pointers and views are into the plan, which outlives the table.
  std::vector<const CasePlan*> cases_;
  absl::flat_hash_map<std::pair<absl::string_view, absl::string_view>, size_t> index_;
};

absl::Status CheckCases(const RunPlan& plan) {
  for (size_t i = 0; i < plan.cases.size(); ++i) {
    const std::optional<double> cpus = plan.cases[i].usable_cpus;
    if (!cpus.has_value() || (std::isfinite(*cpus) && *cpus > 0)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("cases[", i, "].usable_cpus: must be positive and finite, is ", *cpus));
  }
  return absl::OkStatus();
}

absl::Status CheckComparisons(const RunPlan& plan, const ArmTable& arms) {
  for (size_t i = 0; i < plan.comparisons.size(); ++i) {
    const ComparisonPlan& comparison = plan.comparisons[i];
    for (const Arm* arm : {&comparison.base, &comparison.contender}) {
      const std::optional<size_t> index = arms.Find(*arm);
      if (!index.has_value()) {
        return absl::InvalidArgumentError(absl::StrCat("comparisons[", i, "]: ", Name(*arm), " is in no case"));
      }
      if (comparison.measure == kMeasureEfficiency && !arms.case_of(*index).usable_cpus.has_value()) {
        return absl::InvalidArgumentError(absl::StrCat("comparisons[", i, "].measure: ", Name(*arm), " has no '",
                                                       comparison.measure, "': its case names no usable_cpus"));
      }
    }
  }
  return absl::OkStatus();
}

// Counts the measured rounds on the way.
absl::StatusOr<std::vector<PlacedSamples>> PlaceSamples(const ArmTable& arms, absl::Span<const Round> rounds,
                                                        int& measured_rounds) {
  std::vector<PlacedSamples> of_arm(arms.size());
  absl::flat_hash_map<int, bool> warmup_of_round;
  for (const Round& round : rounds) {
    const auto [known, is_new] = warmup_of_round.try_emplace(round.index, round.warmup);
    if (known->second != round.warmup) {
      return absl::InvalidArgumentError(absl::StrCat("round ", round.index, ": is warm-up in one part only"));
    }
    if (is_new && !round.warmup) ++measured_rounds;
    for (const Sample& sample : round.samples) {
      const std::optional<size_t> arm = arms.Find(sample.arm);
      if (!arm.has_value()) return Invalid(round.index, sample.arm, "is not in the plan");
      of_arm[*arm].push_back({round.index, round.warmup, &sample});
    }
  }
  const auto by_round = [](const PlacedSample& a, const PlacedSample& b) { return a.round < b.round; };
  const auto same_round = [](const PlacedSample& a, const PlacedSample& b) { return a.round == b.round; };
  for (PlacedSamples& samples : of_arm) {
    std::sort(samples.begin(), samples.end(), by_round);
    const auto twice = std::adjacent_find(samples.begin(), samples.end(), same_round);
    if (twice != samples.end()) return Invalid(*twice, "has two samples");
  }
  return of_arm;
}

// Leaves the samples that have values; returns how many failed.
int KeepMeasured(PlacedSamples& samples) {
  std::erase_if(samples, [](const PlacedSample& placed) { return placed.warmup; });
  return static_cast<int>(
      std::erase_if(samples, [](const PlacedSample& placed) { return placed.sample->outcome != SampleOutcome::kOk; }));
}

absl::StatusOr<double> SecondsPerOperation(const PlacedSample& placed, std::vector<double>& scratch) {
  const Sample& sample = *placed.sample;
  if (sample.iterations < 1) {
    return Invalid(placed, absl::StrCat("iterations: must be at least 1, is ", sample.iterations));
  }
  scratch.assign(sample.batch_ns.begin(), sample.batch_ns.end());
  if (absl::Status status = CheckValues("batch_ns", scratch); !status.ok()) return Invalid(placed, status.message());
  return MedianReordering(absl::MakeSpan(scratch)) / static_cast<double>(sample.iterations) * kSecondsPerNanosecond;
}

// Sums in the order of rounds, so that the last bit does not hang on the order of arrival.
std::map<std::string, double> MeanCounters(const PlacedSamples& samples) {
  struct Mean {
    double sum = 0;
    int count = 0;
  };
  std::map<absl::string_view, Mean> means;
  for (const PlacedSample& placed : samples) {
    const Sample& sample = *placed.sample;
    const double operations = static_cast<double>(sample.iterations) * static_cast<double>(sample.batch_ns.size());
    for (const auto& [name, total] : sample.counters) {
      Mean& mean = means[name];
      mean.sum += static_cast<double>(total) / operations;
      ++mean.count;
    }
  }
  std::map<std::string, double> counters;
  for (const auto& [name, mean] : means) counters.emplace(std::string(name), mean.sum / mean.count);
  return counters;
}

void Add(int round, double value, MeasureSeries& series) {
  series.rounds.push_back(round);
  series.values.push_back(value);
}

absl::Status AddFurtherMeasures(const PlacedSample& placed, std::map<std::string, MeasureSeries>& series_of) {
  for (const auto& [name, ns] : placed.sample->measures_ns) {
    if (name == kMeasureWall || name == kMeasureEfficiency) {
      return Invalid(placed, absl::StrCat("measures_ns: '", name, "' is computed, not measured"));
    }
    if (ns < 0) return Invalid(placed, absl::StrCat("measures_ns['", name, "']: must not be negative, is ", ns));
    Add(placed.round, static_cast<double>(ns) * kSecondsPerNanosecond, series_of[name]);
  }
  return absl::OkStatus();
}

// All but efficiency, which needs the other arms.
absl::StatusOr<ArmSeries> BuildArm(const Arm& arm, const PlacedSamples& samples, std::vector<double>& scratch) {
  ArmSeries series;
  series.arm = arm;
  if (samples.empty()) return series;
  MeasureSeries wall;
  std::map<std::string, MeasureSeries> further;
  for (const PlacedSample& placed : samples) {
    BF_ASSIGN_OR_RETURN(const double value, SecondsPerOperation(placed, scratch));
    Add(placed.round, value, wall);
    BF_RETURN_IF_ERROR(AddFurtherMeasures(placed, further));
  }
  const auto append = [&series](absl::string_view name, MeasureSeries&& one) {
    one.measure = std::string(name);
    series.measures.push_back(std::move(one));
  };
  append(kMeasureWall, std::move(wall));
  for (const absl::string_view name : kMeasuresInOrder) {
    if (auto known = further.extract(std::string(name)); !known.empty()) append(name, std::move(known.mapped()));
  }
  for (auto& [name, one] : further) append(name, std::move(one));
  series.counters = MeanCounters(samples);
  return series;
}

// For the arms of one case.
absl::Status AddEfficiency(absl::Span<const PlacedSamples> samples, double usable_cpus, absl::Span<ArmSeries> arms) {
  std::map<int, std::vector<const Sample*>> passes_of_round;
  for (const PlacedSamples& of_arm : samples) {
    for (const PlacedSample& placed : of_arm) passes_of_round[placed.round].push_back(placed.sample);
  }
  std::map<int, double> limit_of_round;
  for (const auto& [round, passes] : passes_of_round) {
    const std::optional<double> limit = PhysicalLimitSeconds(passes, usable_cpus);
    if (limit.has_value()) limit_of_round.emplace(round, *limit);
  }
  for (ArmSeries& arm : arms) {
    if (arm.measures.empty()) continue;
    const MeasureSeries& wall = arm.measures.front();
    MeasureSeries efficiency;
    efficiency.measure = std::string(kMeasureEfficiency);
    for (size_t i = 0; i < wall.rounds.size(); ++i) {
      const auto limit = limit_of_round.find(wall.rounds[i]);
      if (limit == limit_of_round.end()) continue;
      const double value = limit->second / wall.values[i];
      if (!std::isfinite(value)) return Invalid(wall.rounds[i], arm.arm, "efficiency: must be finite");
      Add(wall.rounds[i], value, efficiency);
    }
    if (!efficiency.rounds.empty()) arm.measures.push_back(std::move(efficiency));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RunSeries> BuildRunSeries(const RunPlan& plan, absl::Span<const Round> rounds) {
  BF_RETURN_IF_ERROR(CheckLevel(plan.level));
  BF_RETURN_IF_ERROR(CheckMargin(plan.margin));
  BF_RETURN_IF_ERROR(CheckCases(plan));
  BF_ASSIGN_OR_RETURN(const ArmTable arms, ArmTable::Build(plan));
  BF_RETURN_IF_ERROR(CheckComparisons(plan, arms));

  RunSeries run;
  BF_ASSIGN_OR_RETURN(std::vector<PlacedSamples> samples, PlaceSamples(arms, rounds, run.rounds));
  std::vector<double> scratch;
  for (size_t i = 0; i < arms.size(); ++i) {
    run.failed_samples += KeepMeasured(samples[i]);
    BF_ASSIGN_OR_RETURN(ArmSeries series, BuildArm(arms.arm(i), samples[i], scratch));
    run.arms.push_back(std::move(series));
  }
  size_t first = 0;
  for (const CasePlan& one : plan.cases) {
    const size_t count = one.variants.size();
    if (one.usable_cpus.has_value()) {
      BF_RETURN_IF_ERROR(AddEfficiency(absl::MakeConstSpan(samples).subspan(first, count), *one.usable_cpus,
                                       absl::MakeSpan(run.arms).subspan(first, count)));
    }
    first += count;
  }
  return run;
}

}  // namespace benchfleet
