// The figures of one arm.
#ifndef BENCHFLEET_COMMON_STATS_SUMMARY_H_
#define BENCHFLEET_COMMON_STATS_SUMMARY_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/model/figures.h"

namespace benchfleet {

// `values` has one per round, in any order. The arm, measure, unit and counters of the
// result are the caller's to fill in.
//
// Errors: kInvalidArgument, no values, one that is negative or not finite, or `level`
// outside (0, 1).
absl::StatusOr<Summary> Summarise(absl::Span<const double> values, double level);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_SUMMARY_H_
