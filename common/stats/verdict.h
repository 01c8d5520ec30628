// What an interval says about a ratio, given the margin below which nobody cares.
#ifndef BENCHFLEET_COMMON_STATS_VERDICT_H_
#define BENCHFLEET_COMMON_STATS_VERDICT_H_

#include <optional>

#include "common/model/figures.h"

namespace benchfleet {

// `same` when the interval lies within [1/(1+margin), 1+margin], bounds included; else
// `slower` or `faster` when it lies beyond 1 on one side; else, and without an interval,
// `inconclusive`. `slower` is a claim about the sign: the size is the interval.
// `margin` in (0, 1).
Verdict DecideVerdict(const std::optional<Interval>& ratio_interval, double margin);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_VERDICT_H_
