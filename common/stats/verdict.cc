#include "common/stats/verdict.h"

#include <cmath>

namespace benchfleet {

Verdict DecideVerdict(const std::optional<Interval>& ratio_interval, double margin) {
  if (!ratio_interval.has_value()) return Verdict::kInconclusive;
  const double lower = ratio_interval->lower;
  const double upper = ratio_interval->upper;
  // lower * (1 + margin) >= 1 and upper <= 1 + margin, rearranged so that nothing is
  // rounded near the bounds: a verdict on a bound is the same on every machine.
  if (std::fma(lower, margin, lower - 1) >= 0 && upper - 1 <= margin) return Verdict::kSame;
  if (lower > 1) return Verdict::kSlower;
  if (upper < 1) return Verdict::kFaster;
  return Verdict::kInconclusive;
}

}  // namespace benchfleet
