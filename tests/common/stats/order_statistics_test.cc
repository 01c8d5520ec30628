#include "common/stats/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/stats/rng.h"
#include "tests/common/stats/golden.h"

namespace benchfleet {
namespace {

constexpr double kNormalMad = 1.4826;  // sd of a normal distribution / its MAD

std::vector<double> Sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(OrderStatisticsTest, AreTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("summary.json")) {
    SCOPED_TRACE(entry.first.as<std::string>());
    const YAML::Node want = entry.second;
    const std::vector<double> sorted = Sorted(Doubles(want["input"]));
    const auto near = [&](double got, const YAML::Node& expected) {
      EXPECT_NEAR(got, expected.as<double>(), Allowed(expected.as<double>(), kGoldenTolerance));
    };
    near(Median(sorted), want["median"]);
    near(Mad(sorted), want["mad_raw"]);
    near(Mad(sorted) * kNormalMad, want["mad_normal_scaled"]);
    for (const auto& quantile : want["quantiles_type7"]) {
      near(Quantile(sorted, quantile.first.as<double>()), quantile.second);
    }
    for (const auto& interval : want["ci"]) {
      SCOPED_TRACE(interval.first.as<std::string>());
      const std::optional<Interval> got = MedianInterval(sorted, interval.first.as<double>());
      ASSERT_EQ(got.has_value(), !interval.second.IsNull());
      if (!got.has_value()) continue;
      EXPECT_EQ(got->lower, interval.second["lo"].as<double>());
      EXPECT_EQ(got->upper, interval.second["hi"].as<double>());
    }
    ++checked;
  }
  EXPECT_EQ(checked, 14);
}

TEST(OrderStatisticsTest, QuantileReachesBothEnds) {
  const std::vector<double> sorted = {1, 2, 4};
  EXPECT_EQ(Quantile(sorted, 0), 1);
  EXPECT_EQ(Quantile(sorted, 0.75), 3);
  EXPECT_EQ(Quantile(sorted, 1), 4);
  EXPECT_EQ(Quantile({&sorted[0], 1}, 0.3), 1);
}

TEST(OrderStatisticsTest, MedianOfTheLargestNumbersDoesNotOverflow) {
  EXPECT_EQ(Median(std::vector<double>{1.5e308, 1.7e308}), 1.6e308);
}

TEST(OrderStatisticsTest, BothMediansAreTheSameFigure) {
  SplitMix64 rng(11);
  for (int n = 1; n <= 60; ++n) {
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back(static_cast<double>(rng.Below(20)) / 7);
    const double median = Median(Sorted(values));
    EXPECT_EQ(MedianReordering(absl::MakeSpan(values)), median) << n;
  }
}

TEST(MedianIntervalRankTest, TableIsTheReference) {
  const YAML::Node rows = Golden("median_ci_table.json")["rows"];
  ASSERT_EQ(rows.size(), 64u);
  for (const auto& row : rows) {
    const int n = row["n"].as<int>();
    for (const char* level : {"0.90", "0.95", "0.99"}) {
      const YAML::Node want = row[level];
      const int k = MedianIntervalRank(n, std::stod(level));
      EXPECT_EQ(k, want["k"].as<int>()) << n << " at " << level;
      if (k == 0) {
        EXPECT_EQ(MedianIntervalCoverage(n, k), 0);
      } else {
        EXPECT_EQ(k, want["lower_order_stat"].as<int>());
        EXPECT_EQ(n + 1 - k, want["upper_order_stat"].as<int>());
        EXPECT_NEAR(MedianIntervalCoverage(n, k), want["coverage"].as<double>(), kGoldenTableTolerance);
      }
    }
    EXPECT_NEAR(MedianIntervalCoverage(n, 1), row["min_max_coverage"]["float"].as<double>(), kGoldenTableTolerance);
  }
}

// From exact integer arithmetic. 2^-1075 is the first power of two below every double.
TEST(MedianIntervalRankTest, LargeCountsAreExact) {
  constexpr struct {
    int n;
    double level;
    int k;
    double coverage;
  } kRows[] = {
      {100, 0.95, 40, 0.9647997997822951},    {500, 0.95, 228, 0.9559365304210726},
      {1000, 0.95, 469, 0.9537088026395019},  {1074, 0.95, 505, 0.952728117567383},
      {1075, 0.95, 505, 0.9559335206201514},  {1100, 0.95, 518, 0.9500329480537483},
      {2000, 0.90, 963, 0.9064922541479806},  {2000, 0.95, 956, 0.9534471795082162},
      {2000, 0.99, 942, 0.9911251389760949},  {2001, 0.9999, 914, 0.9999006120562087},
      {5000, 0.95, 2431, 0.9506841418958282}, {5000, 0.999, 2384, 0.9990180901773874},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(MedianIntervalRank(row.n, row.level), row.k) << row.n << " at " << row.level;
    EXPECT_NEAR(MedianIntervalCoverage(row.n, row.k), row.coverage, kGoldenTableTolerance) << row.n;
  }
}

TEST(MedianIntervalRankTest, ALevelThatIsReachedExactlyCounts) {
  EXPECT_EQ(MedianIntervalRank(5, 0.9375), 1);
  EXPECT_EQ(MedianIntervalRank(5, 0.9375000000000001), 0);
  EXPECT_EQ(MedianIntervalRank(9, 0.9609375), 2);
  EXPECT_EQ(MedianIntervalRank(9, 0.9609375000000001), 1);
}

TEST(MedianIntervalRankTest, GrowsWithTheCountAndFallsWithTheLevel) {
  int previous = 0;
  for (int n = 0; n <= 2500; ++n) {
    const int k = MedianIntervalRank(n, 0.95);
    EXPECT_GE(k, previous) << n;
    EXPECT_LE(k, previous + 1) << n;
    EXPECT_LE(MedianIntervalRank(n, 0.99), k) << n;
    EXPECT_GE(MedianIntervalRank(n, 0.90), k) << n;
    if (k > 0) {
      EXPECT_GE(MedianIntervalCoverage(n, k), 0.95) << n;
      EXPECT_LT(MedianIntervalCoverage(n, k + 1), 0.95) << n;
    }
    previous = k;
  }
}

}  // namespace
}  // namespace benchfleet
