// Metric families as text that Prometheus reads: text 0.0.4 and OpenMetrics 1.0.
//
// prometheus-cpp's own serialiser is not used: a newline in a HELP or one bad UTF-8
// byte in a label makes its whole output unreadable, its order changes, and it prints
// 16 digits, which do not round trip.
#ifndef BENCHFLEET_SERVER_METRICS_EXPOSITION_H_
#define BENCHFLEET_SERVER_METRICS_EXPOSITION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "prometheus/metric_family.h"

namespace benchfleet {

// Prometheus 3 fails a scrape whose Content-Type is not exactly one it knows.
inline constexpr absl::string_view kTextContentType = "text/plain; version=0.0.4; charset=utf-8";
inline constexpr absl::string_view kOpenMetricsContentType =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";

enum class ExpositionFormat { kText, kOpenMetrics };

// What an Accept header prefers; text 0.0.4, which is always legal, when it says nothing
// we can serve or likes both equally.
ExpositionFormat NegotiateFormat(absl::string_view accept);
absl::string_view ContentType(ExpositionFormat format);

// Families ready to be written: families by name, labels by name, series by labels;
// each family in one place, each series once.
struct Exposition {
  std::vector<prometheus::MetricFamily> families;
  size_t series = 0;              // a histogram counts as one
  size_t duplicates_dropped = 0;  // series seen before, or of a family seen with another type
};
Exposition Arrange(std::vector<prometheus::MetricFamily> families);

// Timestamps are never written: a scraper's own are the right ones. Bad UTF-8 becomes
// U+FFFD. Families without series are left out.
std::string Serialise(const std::vector<prometheus::MetricFamily>& arranged, ExpositionFormat format);

// The shortest digits that read back as the same double (at most 17), or NaN, +Inf, -Inf.
std::string FormatValue(double value);

// `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string ReplaceBadUtf8(absl::string_view text);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_EXPOSITION_H_
