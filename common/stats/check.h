// What the figures of this folder refuse to be computed from.
#ifndef BENCHFLEET_COMMON_STATS_CHECK_H_
#define BENCHFLEET_COMMON_STATS_CHECK_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace benchfleet {

// Errors of all: kInvalidArgument naming the field, and the index and value that is wrong.

// At least one value, each positive and finite.
absl::Status CheckValues(absl::string_view field, absl::Span<const double> values);
// At least one value, each finite, none negative.
absl::Status CheckNotNegative(absl::string_view field, absl::Span<const double> values);
// In (0, 1).
absl::Status CheckLevel(double level);
// In (0, 1).
absl::Status CheckMargin(double margin);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_CHECK_H_
