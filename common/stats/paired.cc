#include "common/stats/paired.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/stats/check.h"
#include "common/stats/order_statistics.h"
#include "common/stats/verdict.h"

namespace benchfleet {
namespace {

absl::StatusOr<std::vector<double>> SortedRatios(absl::Span<const double> base, absl::Span<const double> contender) {
  BF_RETURN_IF_ERROR(CheckValues("base", base));
  BF_RETURN_IF_ERROR(CheckValues("contender", contender));
  if (base.size() != contender.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("contender: must have as many values as base, ", base.size(), ", has ", contender.size()));
  }
  std::vector<double> ratios;
  ratios.reserve(base.size());
  for (size_t i = 0; i < base.size(); ++i) ratios.push_back(contender[i] / base[i]);
  BF_RETURN_IF_ERROR(CheckValues("contender / base", ratios));
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

// Equal arguments come back unchanged, and nothing overflows on the way.
double GeometricMean(double a, double b) { return a * std::sqrt(b / a); }

// exp of the median of the logarithms. Logarithms keep the order, so none is taken: IEEE
// 754 fixes divisions and roots to the bit, while `log` and `exp` differ between versions
// of the C library, and a server must agree with its workers.
double GeometricMedian(absl::Span<const double> sorted) {
  const size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return GeometricMean(sorted[middle - 1], sorted[middle]);
}

}  // namespace

absl::StatusOr<Comparison> ComparePaired(absl::Span<const double> base, absl::Span<const double> contender,
                                         double level, double margin) {
  BF_RETURN_IF_ERROR(CheckLevel(level));
  BF_RETURN_IF_ERROR(CheckMargin(margin));
  BF_ASSIGN_OR_RETURN(const std::vector<double> ratios, SortedRatios(base, contender));
  Comparison comparison;
  comparison.rounds = static_cast<int>(ratios.size());
  comparison.ratio = GeometricMedian(ratios);
  comparison.ratio_interval = MedianInterval(ratios, level);
  comparison.level = level;
  comparison.verdict = DecideVerdict(comparison.ratio_interval, margin);
  if (!comparison.ratio_interval.has_value()) comparison.notes.emplace_back(kNoteTooFewRounds);
  return comparison;
}

absl::StatusOr<double> HodgesLehmannRatio(absl::Span<const double> base, absl::Span<const double> contender) {
  BF_ASSIGN_OR_RETURN(const std::vector<double> ratios, SortedRatios(base, contender));
  std::vector<double> means;
  means.reserve(ratios.size() * (ratios.size() + 1) / 2);
  for (size_t i = 0; i < ratios.size(); ++i) {
    for (size_t j = i; j < ratios.size(); ++j) means.push_back(GeometricMean(ratios[i], ratios[j]));
  }
  std::sort(means.begin(), means.end());
  return GeometricMedian(means);
}

}  // namespace benchfleet
