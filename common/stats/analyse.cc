#include "common/stats/analyse.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/base/status_macros.h"
#include "common/stats/paired.h"
#include "common/stats/series.h"
#include "common/stats/summary.h"

namespace benchfleet {
namespace {

absl::Status AddSummaries(const ArmSeries& arm, double level, RunFigures& figures) {
  for (const MeasureSeries& series : arm.measures) {
    BF_ASSIGN_OR_RETURN(Summary summary, Summarise(series.values, level));
    summary.arm = arm.arm;
    summary.measure = series.measure;
    summary.unit = std::string(series.measure == kMeasureEfficiency ? kUnitRatio : kUnitSeconds);
    if (series.measure == kMeasureWall) summary.counters = arm.counters;
    figures.summaries.push_back(std::move(summary));
  }
  return absl::OkStatus();
}

// An empty series when the arm has no such measure.
MeasureSeries SeriesOf(const ArmSeries& arm, absl::string_view measure) {
  for (const MeasureSeries& series : arm.measures) {
    if (series.measure == measure) return series;
  }
  return {};
}

absl::StatusOr<Comparison> Compare(const ComparisonPlan& declared, const MeasureSeries& base,
                                   const MeasureSeries& contender, const RunPlan& plan) {
  std::vector<double> base_values;
  std::vector<double> contender_values;
  for (size_t i = 0, j = 0; i < base.rounds.size() && j < contender.rounds.size();) {
    if (base.rounds[i] == contender.rounds[j]) {
      const double base_value = base.values[i++];
      const double contender_value = contender.values[j++];
      if (base_value == 0 || contender_value == 0) continue;  // no ratio
      base_values.push_back(base_value);
      contender_values.push_back(contender_value);
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
  BF_ASSIGN_OR_RETURN(const RunSeries run, BuildRunSeries(plan, rounds));
  RunFigures figures;
  figures.rounds = run.rounds;
  figures.failed_samples = run.failed_samples;
  std::map<Arm, const ArmSeries*> series_of;
  for (const ArmSeries& arm : run.arms) {
    series_of.emplace(arm.arm, &arm);
    BF_RETURN_IF_ERROR(AddSummaries(arm, plan.level, figures));
  }
  for (const ComparisonPlan& declared : plan.comparisons) {
    const MeasureSeries base = SeriesOf(*series_of.at(declared.base), declared.measure);
    const MeasureSeries contender = SeriesOf(*series_of.at(declared.contender), declared.measure);
    BF_ASSIGN_OR_RETURN(Comparison comparison, Compare(declared, base, contender, plan));
    figures.comparisons.push_back(std::move(comparison));
  }
  return figures;
}

}  // namespace benchfleet
