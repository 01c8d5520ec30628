#include "common/stats/check.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

absl::Status CheckFraction(absl::string_view field, double value) {
  if (value > 0 && value < 1) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, ": must lie between 0 and 1, is ", value));
}

template <typename Fits>
absl::Status CheckEach(absl::string_view field, absl::Span<const double> values, absl::string_view rule, Fits fits) {
  if (values.empty()) return absl::InvalidArgumentError(absl::StrCat(field, ": must not be empty"));
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && fits(values[i])) continue;
    return absl::InvalidArgumentError(absl::StrCat(field, "[", i, "]: must be ", rule, ", is ", values[i]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckValues(absl::string_view field, absl::Span<const double> values) {
  return CheckEach(field, values, "positive and finite", [](double value) { return value > 0; });
}

absl::Status CheckNotNegative(absl::string_view field, absl::Span<const double> values) {
  return CheckEach(field, values, "finite and not negative", [](double value) { return value >= 0; });
}

absl::Status CheckLevel(double level) { return CheckFraction("level", level); }

absl::Status CheckMargin(double margin) { return CheckFraction("margin", margin); }

}  // namespace benchfleet
