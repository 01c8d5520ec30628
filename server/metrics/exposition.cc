#include "server/metrics/exposition.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace benchfleet {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// One element of an Accept header.
struct MediaRange {
  std::string type;     // lower-case, "text/plain"
  std::string version;  // empty when not asked for
  double quality = 1;
};

MediaRange ParseMediaRange(absl::string_view text) {
  MediaRange range;
  bool first = true;
  for (absl::string_view part : absl::StrSplit(text, ';')) {
    part = absl::StripAsciiWhitespace(part);
    if (std::exchange(first, false)) {
      range.type = absl::AsciiStrToLower(part);
      continue;
    }
    const std::pair<absl::string_view, absl::string_view> parameter = absl::StrSplit(part, absl::MaxSplits('=', 1));
    if (absl::EqualsIgnoreCase(parameter.first, "version")) range.version = std::string(parameter.second);
    if (absl::EqualsIgnoreCase(parameter.first, "q") && !absl::SimpleAtod(parameter.second, &range.quality)) {
      range.quality = 0;
    }
  }
  return range;
}

bool Accepts(const MediaRange& range, ExpositionFormat format) {
  const auto version_is = [&](absl::string_view version) { return range.version.empty() || range.version == version; };
  if (format == ExpositionFormat::kOpenMetrics) {
    return range.type == "application/openmetrics-text" && version_is("1.0.0");
  }
  return range.type == "*/*" || range.type == "text/*" || (range.type == "text/plain" && version_is("0.0.4"));
}

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none.
// Overlong forms, surrogates and values above U+10FFFF are not well-formed.
size_t Utf8SequenceLength(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

// Backslash and newline are escaped in both kinds of text, the quote only where it ends one.
std::string Escape(absl::string_view text, bool escape_quote) {
  std::string escaped;
  for (const char c : ReplaceBadUtf8(text)) {
    if (c == '\\') {
      escaped += "\\\\";
    } else if (c == '\n') {
      escaped += "\\n";
    } else if (c == '"' && escape_quote) {
      escaped += "\\\"";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

absl::string_view TypeWord(MetricType type, ExpositionFormat format) {
  switch (type) {
    case MetricType::Counter:
      return "counter";
    case MetricType::Gauge:
      return "gauge";
    case MetricType::Summary:
      return "summary";
    case MetricType::Histogram:
      return "histogram";
    case MetricType::Untyped:
      break;
  }
  return format == ExpositionFormat::kOpenMetrics ? "unknown" : "untyped";
}

// Writes the samples of one family.
class FamilyWriter {
 public:
  FamilyWriter(const MetricFamily& family, ExpositionFormat format, std::string& out)
      : family_(family), openmetrics_(format == ExpositionFormat::kOpenMetrics), out_(out), name_(family.name) {
    // OpenMetrics names a counter's family without `_total` and its sample with it.
    if (openmetrics_ && family.type == MetricType::Counter) name_ = absl::StripSuffix(name_, "_total");
    absl::StrAppend(&out_, "# HELP ", name_, " ", Escape(family.help, /*escape_quote=*/openmetrics_), "\n");
    absl::StrAppend(&out_, "# TYPE ", name_, " ", TypeWord(family.type, format), "\n");
  }

  void Write(const ClientMetric& metric) {
    switch (family_.type) {
      case MetricType::Counter:
        return WriteSample(openmetrics_ ? "_total" : "", metric, "", "", FormatValue(metric.counter.value));
      case MetricType::Gauge:
        return WriteSample("", metric, "", "", FormatValue(metric.gauge.value));
      case MetricType::Untyped:
        return WriteSample("", metric, "", "", FormatValue(metric.untyped.value));
      case MetricType::Summary:
        return WriteSummary(metric);
      case MetricType::Histogram:
        return WriteHistogram(metric);
    }
  }

 private:
  void WriteSummary(const ClientMetric& metric) {
    for (const ClientMetric::Quantile& quantile : metric.summary.quantile) {
      WriteSample("", metric, "quantile", FormatValue(quantile.quantile), FormatValue(quantile.value));
    }
    WriteSample("_sum", metric, "", "", FormatValue(metric.summary.sample_sum));
    WriteSample("_count", metric, "", "", absl::StrCat(metric.summary.sample_count));
  }

  void WriteHistogram(const ClientMetric& metric) {
    bool has_infinity = false;
    for (const ClientMetric::Bucket& bucket : metric.histogram.bucket) {
      has_infinity = has_infinity || std::isinf(bucket.upper_bound);
      WriteSample("_bucket", metric, "le", FormatValue(bucket.upper_bound), absl::StrCat(bucket.cumulative_count));
    }
    const std::string count = absl::StrCat(metric.histogram.sample_count);
    if (!has_infinity) WriteSample("_bucket", metric, "le", "+Inf", count);
    WriteSample("_sum", metric, "", "", FormatValue(metric.histogram.sample_sum));
    WriteSample("_count", metric, "", "", count);
  }

  void WriteSample(absl::string_view suffix, const ClientMetric& metric, absl::string_view extra_label,
                   absl::string_view extra_value, absl::string_view value) {
    absl::StrAppend(&out_, name_, suffix);
    absl::string_view separator = "{";
    for (const ClientMetric::Label& label : metric.label) {
      absl::StrAppend(&out_, separator, label.name, "=\"", Escape(label.value, /*escape_quote=*/true), "\"");
      separator = ",";
    }
    if (!extra_label.empty()) {
      absl::StrAppend(&out_, separator, extra_label, "=\"", extra_value, "\"");
      separator = ",";
    }
    absl::StrAppend(&out_, separator == "," ? "} " : " ", value, "\n");
  }

  const MetricFamily& family_;
  const bool openmetrics_;
  std::string& out_;
  absl::string_view name_;
};

}  // namespace

ExpositionFormat NegotiateFormat(absl::string_view accept) {
  double text = 0;
  double openmetrics = 0;
  for (const absl::string_view part : absl::StrSplit(accept, ',')) {
    const MediaRange range = ParseMediaRange(part);
    if (Accepts(range, ExpositionFormat::kText)) text = std::max(text, range.quality);
    if (Accepts(range, ExpositionFormat::kOpenMetrics)) openmetrics = std::max(openmetrics, range.quality);
  }
  return openmetrics > text ? ExpositionFormat::kOpenMetrics : ExpositionFormat::kText;
}

absl::string_view ContentType(ExpositionFormat format) {
  return format == ExpositionFormat::kOpenMetrics ? kOpenMetricsContentType : kTextContentType;
}

Exposition Arrange(std::vector<MetricFamily> families) {
  Exposition result;
  std::map<std::string, MetricFamily> by_name;
  for (MetricFamily& family : families) {
    const auto [it, is_new] = by_name.try_emplace(family.name);
    MetricFamily& merged = it->second;
    if (is_new) {
      merged = std::move(family);
    } else if (merged.type != family.type) {
      result.duplicates_dropped += family.metric.size();
    } else {
      std::move(family.metric.begin(), family.metric.end(), std::back_inserter(merged.metric));
    }
  }
  for (auto& [name, family] : by_name) {
    for (ClientMetric& metric : family.metric) {
      // What is compared is what is written: two bad bytes may become the same text.
      for (ClientMetric::Label& label : metric.label) label.value = ReplaceBadUtf8(label.value);
      std::sort(metric.label.begin(), metric.label.end());
    }
    std::stable_sort(family.metric.begin(), family.metric.end(),
                     [](const ClientMetric& a, const ClientMetric& b) { return a.label < b.label; });
    const auto end = std::unique(family.metric.begin(), family.metric.end(),
                                 [](const ClientMetric& a, const ClientMetric& b) { return a.label == b.label; });
    result.duplicates_dropped += static_cast<size_t>(family.metric.end() - end);
    family.metric.erase(end, family.metric.end());
    result.series += family.metric.size();
    result.families.push_back(std::move(family));
  }
  return result;
}

std::string Serialise(const std::vector<MetricFamily>& arranged, ExpositionFormat format) {
  std::string out;
  for (const MetricFamily& family : arranged) {
    if (family.metric.empty()) continue;
    FamilyWriter writer(family, format, out);
    for (const ClientMetric& metric : family.metric) writer.Write(metric);
  }
  if (format == ExpositionFormat::kOpenMetrics) out += "# EOF\n";
  return out;
}

std::string FormatValue(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char buffer[32];
  const std::to_chars_result result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

std::string ReplaceBadUtf8(absl::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    if (length == 0) {
      clean += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      absl::StrAppend(&clean, text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return clean;
}

}  // namespace benchfleet
