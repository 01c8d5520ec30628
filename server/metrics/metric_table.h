// Every metric there is: one table that the exporters and docs/metrics.md share.
#ifndef BENCHFLEET_SERVER_METRICS_METRIC_TABLE_H_
#define BENCHFLEET_SERVER_METRICS_METRIC_TABLE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "prometheus/metric_family.h"

namespace benchfleet {

struct MetricInfo {
  absl::string_view name;
  prometheus::MetricType type;
  absl::string_view labels;  // names, separated by commas
  absl::string_view help;    // one line; becomes HELP
  absl::string_view absent;  // when there is no series; empty: never
};

const std::vector<MetricInfo>& MetricTable();

// The row named `name`. A name that is not in the table is a programming error and ends
// the program, at construction of its exporter.
const MetricInfo& FindMetric(absl::string_view name);

// An empty family of that row.
prometheus::MetricFamily MakeFamily(absl::string_view name);

using LabelList = std::vector<std::pair<std::string, std::string>>;
// Adds one series to a gauge or counter family.
void AddSeries(prometheus::MetricFamily& family, const LabelList& labels, double value);

// A gauge family of that row with one series, without labels.
prometheus::MetricFamily MakeGauge(absl::string_view name, double value);

// The table as Markdown, the way docs/metrics.md holds it.
std::string MetricTableMarkdown();

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_METRIC_TABLE_H_
