#include "common/stats/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "common/stats/rng.h"
#include "tests/common/stats/golden.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SummariseTest, IsTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("summary.json")) {
    SCOPED_TRACE(entry.first.as<std::string>());
    const YAML::Node want = entry.second;
    for (const auto& interval : want["ci"]) {
      const auto summary = Summarise(Doubles(want["input"]), interval.first.as<double>());
      ASSERT_TRUE(summary.ok()) << summary.status();
      EXPECT_EQ(summary->rounds, want["n"].as<int>());
      EXPECT_NEAR(summary->median, want["median"].as<double>(), Allowed(summary->median, kGoldenTolerance));
      EXPECT_EQ(summary->min, want["min"].as<double>());
      EXPECT_EQ(summary->max, want["max"].as<double>());
      ASSERT_EQ(summary->median_interval.has_value(), !interval.second.IsNull());
      if (summary->median_interval.has_value()) {
        EXPECT_EQ(summary->median_interval->lower, interval.second["lo"].as<double>());
        EXPECT_EQ(summary->median_interval->upper, interval.second["hi"].as<double>());
      }
      ++checked;
    }
  }
  EXPECT_EQ(checked, 14 * 3);
}

TEST(SummariseTest, TheOrderOfValuesDoesNotMatter) {
  std::vector<double> values;
  SplitMix64 rng(4);
  for (int i = 0; i < 31; ++i) values.push_back(1e-7 * static_cast<double>(1000 + rng.Below(300)));
  const auto expected = Summarise(values, 0.95);
  ASSERT_TRUE(expected.ok());
  for (int i = 0; i < 20; ++i) {
    std::vector<double> shuffled;
    for (int index : rng.Permutation(31)) shuffled.push_back(values[index]);
    EXPECT_EQ(*Summarise(shuffled, 0.95), *expected);
  }
}

// A share of the CPU may be too small for its clock.
TEST(SummariseTest, ZeroIsAValue) {
  const auto summary = Summarise({0, 3, 1}, 0.95);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->min, 0);
  EXPECT_EQ(summary->median, 1);
  EXPECT_EQ(summary->rounds, 3);
}

struct RefusedCase {
  const char* name;
  std::vector<double> values;
  double level;
  const char* message;
};

class SummariseRefusalTest : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(SummariseRefusalTest, NamesTheIndexAndTheValue) {
  const auto summary = Summarise(GetParam().values, GetParam().level);
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(All, SummariseRefusalTest,
                         ::testing::ValuesIn<RefusedCase>({
                             {"Empty", {}, 0.95, "values: must not be empty"},
                             {"NotANumber", {1, kNan}, 0.95, "values[1]: must be finite and not negative, is nan"},
                             {"Infinite", {kInfinity}, 0.95, "values[0]: must be finite and not negative, is inf"},
                             {"Negative", {-1.5, 2}, 0.95, "values[0]: must be finite and not negative, is -1.5"},
                             {"LevelZero", {1}, 0, "level: must lie between 0 and 1, is 0"},
                             {"LevelOne", {1}, 1, "level: must lie between 0 and 1, is 1"},
                             {"LevelNotANumber", {1}, kNan, "level: must lie between 0 and 1, is nan"},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace benchfleet
