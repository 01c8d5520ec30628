#include "common/stats/summary.h"

#include <algorithm>
#include <vector>

#include "common/base/status_macros.h"
#include "common/stats/check.h"
#include "common/stats/order_statistics.h"

namespace benchfleet {

absl::StatusOr<Summary> Summarise(absl::Span<const double> values, double level) {
  BF_RETURN_IF_ERROR(CheckNotNegative("values", values));
  BF_RETURN_IF_ERROR(CheckLevel(level));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Summary summary;
  summary.rounds = static_cast<int>(sorted.size());
  summary.median = Median(sorted);
  summary.median_interval = MedianInterval(sorted, level);
  summary.min = sorted.front();
  summary.max = sorted.back();
  return summary;
}

}  // namespace benchfleet
