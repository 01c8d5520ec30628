#include "server/metrics/exposition.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/metrics/metric_table.h"
#include "tests/server/metrics/exposition_checker.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

prometheus::MetricFamily Gauge(const std::string& name, const std::vector<std::pair<LabelList, double>>& series) {
  prometheus::MetricFamily family{name, "Help of " + name + ".", prometheus::MetricType::Gauge, {}};
  for (const auto& [labels, value] : series) AddSeries(family, labels, value);
  return family;
}

prometheus::MetricFamily Counter(const std::string& name, double value) {
  prometheus::MetricFamily family{name, "Help.", prometheus::MetricType::Counter, {}};
  AddSeries(family, {}, value);
  return family;
}

std::string Text(std::vector<prometheus::MetricFamily> families) {
  return Serialise(Arrange(std::move(families)).families, ExpositionFormat::kText);
}
std::string OpenMetrics(std::vector<prometheus::MetricFamily> families) {
  return Serialise(Arrange(std::move(families)).families, ExpositionFormat::kOpenMetrics);
}

struct AcceptCase {
  const char* name;
  const char* accept;
  ExpositionFormat want;
};
class NegotiateFormatTest : public ::testing::TestWithParam<AcceptCase> {};
TEST_P(NegotiateFormatTest, Prefers) { EXPECT_EQ(NegotiateFormat(GetParam().accept), GetParam().want); }
INSTANTIATE_TEST_SUITE_P(
    All, NegotiateFormatTest,
    ::testing::ValuesIn<AcceptCase>({
        {"Absent", "", ExpositionFormat::kText},
        {"Anything", "*/*", ExpositionFormat::kText},
        {"Browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ExpositionFormat::kText},
        {"Prometheus2",
         "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
         "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
         ExpositionFormat::kOpenMetrics},
        {"Prometheus3",
         "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6, "
         "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
         "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
         ExpositionFormat::kOpenMetrics},
        {"OpenMetricsOfAnyVersion", "Application/OpenMetrics-Text", ExpositionFormat::kOpenMetrics},
        {"OpenMetricsOfAnotherVersion", "application/openmetrics-text;version=0.0.1", ExpositionFormat::kText},
        {"TextPreferred", "application/openmetrics-text;q=0.4, text/plain; q=0.5", ExpositionFormat::kText},
        {"Tie", "application/openmetrics-text, text/plain", ExpositionFormat::kText},
        {"OpenMetricsRefused", "application/openmetrics-text;q=0", ExpositionFormat::kText},
        {"BadQuality", "application/openmetrics-text;q=x", ExpositionFormat::kText},
        {"NothingWeHave", "application/json", ExpositionFormat::kText},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Exposition, ContentTypesAreExact) {
  EXPECT_EQ(ContentType(ExpositionFormat::kText), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(ContentType(ExpositionFormat::kOpenMetrics), "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

TEST(Exposition, WritesText) {
  EXPECT_EQ(Text({Gauge("b", {{{{"y", "2"}, {"x", "1"}}, 2.5}}), Counter("a_total", 3)}),
            "# HELP a_total Help.\n# TYPE a_total counter\na_total 3\n"
            "# HELP b Help of b.\n# TYPE b gauge\nb{x=\"1\",y=\"2\"} 2.5\n");
}

TEST(Exposition, WritesOpenMetrics) {
  EXPECT_EQ(OpenMetrics({Counter("a_total", 3), Counter("b", 4)}),
            "# HELP a Help.\n# TYPE a counter\na_total 3\n"
            "# HELP b Help.\n# TYPE b counter\nb_total 4\n# EOF\n");
  EXPECT_EQ(OpenMetrics({}), "# EOF\n");
}

TEST(Exposition, WritesAHistogramWithItsLastBucket) {
  prometheus::MetricFamily family{"h", "Help.", prometheus::MetricType::Histogram, {}};
  prometheus::ClientMetric metric;
  metric.label = {{"l", "v"}};
  metric.histogram = {3, 4.5, {{1, 0.5}, {2, 10}}};
  family.metric.push_back(metric);
  const std::string want =
      "# HELP h Help.\n# TYPE h histogram\nh_bucket{l=\"v\",le=\"0.5\"} 1\nh_bucket{l=\"v\",le=\"10\"} 2\n"
      "h_bucket{l=\"v\",le=\"+Inf\"} 3\nh_sum{l=\"v\"} 4.5\nh_count{l=\"v\"} 3\n";
  EXPECT_EQ(Text({family}), want);
  EXPECT_EQ(OpenMetrics({family}), want + "# EOF\n");
  family.metric[0].histogram.bucket.push_back({3, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(Text({family}), want) << "a last bucket that is there is not written twice";
}

TEST(Exposition, WritesASummaryAndAnUntyped) {
  prometheus::MetricFamily summary{"s", "Help.", prometheus::MetricType::Summary, {}};
  summary.metric.emplace_back().summary = {2, 3, {{0.5, 1}}};
  prometheus::MetricFamily untyped{"u", "Help.", prometheus::MetricType::Untyped, {}};
  untyped.metric.emplace_back().untyped.value = 7;
  EXPECT_THAT(Text({summary}), HasSubstr("s{quantile=\"0.5\"} 1\ns_sum 3\ns_count 2\n"));
  EXPECT_THAT(Text({untyped}), HasSubstr("# TYPE u untyped\nu 7\n"));
  EXPECT_THAT(OpenMetrics({untyped}), HasSubstr("# TYPE u unknown\nu 7\n"));
}

TEST(Exposition, EscapesHelpAndLabelValues) {
  prometheus::MetricFamily family = Gauge("g", {{{{"l", "a\\b\n\"c\"\xFF"}}, 1}});
  family.help = "one\\two\nthree \"four\" \xC3";
  EXPECT_EQ(Text({family}),
            "# HELP g one\\\\two\\nthree \"four\" \xEF\xBF\xBD\n# TYPE g gauge\n"
            "g{l=\"a\\\\b\\n\\\"c\\\"\xEF\xBF\xBD\"} 1\n");
  EXPECT_THAT(OpenMetrics({family}), HasSubstr("# HELP g one\\\\two\\nthree \\\"four\\\" \xEF\xBF\xBD\n"));
  for (const ExpositionFormat format : {ExpositionFormat::kText, ExpositionFormat::kOpenMetrics}) {
    EXPECT_THAT(CheckExposition(Serialise(Arrange({family}).families, format), format).findings, IsEmpty());
  }
}

TEST(Exposition, SortsDropsDuplicatesAndMergesSplitFamilies) {
  const Exposition arranged = Arrange({
      Gauge("b", {{{{"l", "2"}}, 2}, {{{"l", "1"}}, 1}}),
      Gauge("a", {{{}, 0}}),
      Gauge("b", {{{{"l", "3"}}, 3}, {{{"l", "1"}}, 9}}),
      Counter("a", 5),
  });
  EXPECT_THAT(arranged.families, SizeIs(2));
  EXPECT_EQ(arranged.series, 4u);
  EXPECT_EQ(arranged.duplicates_dropped, 2u) << "b{l=1} again, and a as a counter";
  EXPECT_EQ(Serialise(arranged.families, ExpositionFormat::kText),
            "# HELP a Help of a.\n# TYPE a gauge\na 0\n"
            "# HELP b Help of b.\n# TYPE b gauge\nb{l=\"1\"} 1\nb{l=\"2\"} 2\nb{l=\"3\"} 3\n");
}

TEST(Exposition, SeriesThatBecomeEqualByReplacementAreDuplicates) {
  const Exposition arranged = Arrange({Gauge("g", {{{{"l", "\xFF"}}, 1}, {{{"l", "\xFE"}}, 2}})});
  EXPECT_EQ(arranged.series, 1u);
  EXPECT_EQ(arranged.duplicates_dropped, 1u);
}

TEST(Exposition, LabelOrderDoesNotMakeASeries) {
  const Exposition arranged = Arrange({Gauge("g", {{{{"a", "1"}, {"b", "2"}}, 1}, {{{"b", "2"}, {"a", "1"}}, 2}})});
  EXPECT_EQ(arranged.duplicates_dropped, 1u);
}

TEST(Exposition, AFamilyWithoutSeriesIsNotWritten) { EXPECT_EQ(Text({Gauge("g", {})}), ""); }

TEST(FormatValue, SpellsWhatIsNotANumber) {
  EXPECT_EQ(FormatValue(std::nan("")), "NaN");
  EXPECT_EQ(FormatValue(-std::nan("")), "NaN");
  EXPECT_EQ(FormatValue(std::numeric_limits<double>::infinity()), "+Inf");
  EXPECT_EQ(FormatValue(-std::numeric_limits<double>::infinity()), "-Inf");
}

TEST(FormatValue, RoundTrips) {
  for (const double value : {0.0, 0.1, 1.0 / 3, 1e-9, 1.7e9 + 0.125, 9007199254740993.0, 5e-324,
                             std::numeric_limits<double>::max(), -2.2250738585072014e-308, 0.30000000000000004}) {
    EXPECT_EQ(std::strtod(FormatValue(value).c_str(), nullptr), value) << FormatValue(value);
  }
  EXPECT_EQ(FormatValue(0.30000000000000004), "0.30000000000000004") << "17 digits";
  EXPECT_EQ(FormatValue(0.1), "0.1");
}

struct Utf8Case {
  const char* name;
  std::string bytes;
  std::string want;
};
constexpr char kReplacement[] = "\xEF\xBF\xBD";
std::string Replacements(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += kReplacement;
  return text;
}
class ReplaceBadUtf8Test : public ::testing::TestWithParam<Utf8Case> {};
TEST_P(ReplaceBadUtf8Test, Replaces) { EXPECT_EQ(ReplaceBadUtf8(GetParam().bytes), GetParam().want); }
INSTANTIATE_TEST_SUITE_P(All, ReplaceBadUtf8Test,
                         ::testing::ValuesIn<Utf8Case>({
                             {"Empty", "", ""},
                             {"Good", "a\u00e9\u20ac\U0001F600", "a\u00e9\u20ac\U0001F600"},
                             {"FirstAndLastOfEachLength",
                              "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
                              "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
                             {"LoneContinuation", "\x80", Replacements(1)},
                             {"CutShort", "a\xE2\x82", "a" + Replacements(2)},
                             {"ContinuationMissing", "\xC3z", Replacements(1) + "z"},
                             {"Overlong2", "\xC0\x80", Replacements(2)},
                             {"Overlong3", "\xE0\x9F\xBF", Replacements(3)},
                             {"Overlong4", "\xF0\x8F\xBF\xBF", Replacements(4)},
                             {"Surrogate", "\xED\xA0\x80", Replacements(3)},
                             {"AboveTheLast", "\xF4\x90\x80\x80", Replacements(4)},
                             {"NeverALead", "\xF5\xFF", Replacements(2)},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

// The checker itself must see what is wrong.
TEST(ExpositionChecker, FindsFaults) {
  for (const char* text :
       {"a 1\n", "# HELP a x\n# TYPE a gauge\na 1\na 1\n",
        "# HELP b x\n# TYPE b gauge\nb 1\n# HELP a x\n# TYPE a gauge\na 1\n",
        "# HELP a x\n# TYPE a gauge\na{l=\"2\"} 1\na{l=\"1\"} 1\n", "# HELP a x\n# TYPE a gauge\na{l=\"\"\"} 1\n",
        "# HELP a x\n# TYPE a gauge\na one\n", "# HELP a x\n# TYPE a gauge\na{l=\"\xFF\"} 1\n", "# TYPE a gauge\na 1\n",
        "# HELP a x\n# TYPE a gauge\na 1\n# HELP a x\n# TYPE a gauge\na{l=\"2\"} 1\n"}) {
    EXPECT_THAT(CheckExposition(text, ExpositionFormat::kText).findings, Not(IsEmpty())) << text;
  }
  EXPECT_THAT(CheckExposition("# HELP a x\n# TYPE a gauge\na 1\n", ExpositionFormat::kOpenMetrics).findings,
              Not(IsEmpty()))
      << "no # EOF";
}

}  // namespace
}  // namespace benchfleet
