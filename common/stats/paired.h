// Two arms compared round by round: what disturbs a round disturbs both.
#ifndef BENCHFLEET_COMMON_STATS_PAIRED_H_
#define BENCHFLEET_COMMON_STATS_PAIRED_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/model/figures.h"

namespace benchfleet {

// The note of a comparison whose level no interval of so few rounds reaches.
inline constexpr absl::string_view kNoteTooFewRounds = "too_few_rounds";

// The median of the rounds' log ratios contender / base as a ratio, with its sign
// interval and verdict. The spans hold the same rounds in the same order. The kind, arms
// and measure of the result are the caller's to fill in.
//
// Errors: kInvalidArgument, spans that are empty or differ in length, a value that is
// not positive and finite, a ratio that is not, or `level` or `margin` outside (0, 1).
absl::StatusOr<Comparison> ComparePaired(absl::Span<const double> base, absl::Span<const double> contender,
                                         double level, double margin);

// A second estimate of the ratio: the median of the geometric means of all pairs of
// rounds, each round with itself included. Quadratic in the rounds. Errors as above.
absl::StatusOr<double> HodgesLehmannRatio(absl::Span<const double> base, absl::Span<const double> contender);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_PAIRED_H_
