// Medians, quantiles and the exact order-statistic interval of a median.
//
// Every span is non-empty, finite and, where named `sorted`, ascending; the callers in
// this folder have checked that.
#ifndef BENCHFLEET_COMMON_STATS_ORDER_STATISTICS_H_
#define BENCHFLEET_COMMON_STATS_ORDER_STATISTICS_H_

#include <optional>

#include "absl/types/span.h"
#include "common/model/figures.h"

namespace benchfleet {

double Median(absl::Span<const double> sorted);
// The same figure without sorting first; reorders `values`.
double MedianReordering(absl::Span<double> values);
// Type 7: linear between order statistics, as R and NumPy do. `p` in [0, 1].
double Quantile(absl::Span<const double> sorted, double p);
// Median of the absolute deviations from the median, not scaled.
double Mad(absl::Span<const double> sorted);

// [x(k), x(n+1-k)] covers the median with at least `level`, whatever the distribution:
// k is the largest with 2 P(Bin(n, 1/2) <= k-1) <= 1 - level, 0 when there is none.
// `level` in (0, 1), any `n`.
int MedianIntervalRank(int n, double level);
// How much that interval really covers; 0 for k = 0.
double MedianIntervalCoverage(int n, int k);
// Absent with too few values for the level.
std::optional<Interval> MedianInterval(absl::Span<const double> sorted, double level);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_ORDER_STATISTICS_H_
