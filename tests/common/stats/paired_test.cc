#include "common/stats/paired.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "common/stats/rng.h"
#include "tests/common/stats/golden.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ComparePairedTest, IsTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("paired.json")) {
    const YAML::Node want = entry.second;
    for (const auto& interval : want["sign_ci"]) {
      SCOPED_TRACE(entry.first.as<std::string>() + " at " + interval.first.as<std::string>());
      const double level = interval.first.as<double>();
      const auto got = ComparePaired(Doubles(want["A"]), Doubles(want["B"]), level, 0.02);
      ASSERT_TRUE(got.ok()) << got.status();
      const auto near = [](double value, const YAML::Node& expected) {
        EXPECT_NEAR(value, expected.as<double>(), Allowed(expected.as<double>(), kGoldenTolerance));
      };
      EXPECT_EQ(got->rounds, want["n"].as<int>());
      EXPECT_EQ(got->level, level);
      near(got->ratio.value(), want["median_ratio"]);
      ASSERT_EQ(got->ratio_interval.has_value(), !interval.second.IsNull());
      if (got->ratio_interval.has_value()) {
        near(got->ratio_interval->lower, interval.second["lo_ratio"]);
        near(got->ratio_interval->upper, interval.second["hi_ratio"]);
        EXPECT_THAT(got->notes, IsEmpty());
      } else {
        EXPECT_THAT(got->notes, ElementsAre("too_few_rounds"));
        EXPECT_EQ(got->verdict, Verdict::kInconclusive);
      }
      ++checked;
    }
  }
  EXPECT_EQ(checked, 17 * 3);
}

TEST(ComparePairedTest, VerdictsFollowTheInterval) {
  const std::vector<double> base = {100, 200, 300, 400, 500, 600};
  const auto verdict = [&](double factor, double spread) {
    std::vector<double> contender;
    for (size_t i = 0; i < base.size(); ++i) contender.push_back(base[i] * (factor + (i % 2 == 0 ? spread : -spread)));
    const auto comparison = ComparePaired(base, contender, 0.95, 0.02);
    EXPECT_TRUE(comparison.ok()) << comparison.status();
    return comparison.ok() ? comparison->verdict : Verdict::kInconclusive;
  };
  EXPECT_EQ(verdict(1.05, 0.01), Verdict::kSlower);
  EXPECT_EQ(verdict(0.95, 0.01), Verdict::kFaster);
  EXPECT_EQ(verdict(1.0, 0.01), Verdict::kSame);
  EXPECT_EQ(verdict(1.0, 0.05), Verdict::kInconclusive);
}

TEST(ComparePairedTest, AnArmAgainstItselfIsExactlyOne) {
  const std::vector<double> values = {0.1, 0.3, 0.7, 1.1, 1.3, 1.9, 2.3, 2.9};
  const auto comparison = ComparePaired(values, values, 0.95, 0.02);
  ASSERT_TRUE(comparison.ok());
  EXPECT_EQ(comparison->ratio, 1.0);
  EXPECT_EQ(comparison->ratio_interval, (Interval{1.0, 1.0}));
  EXPECT_EQ(comparison->verdict, Verdict::kSame);
}

TEST(ComparePairedTest, PairsMatterAndTheirOrderDoesNot) {
  std::vector<double> base;
  std::vector<double> contender;
  SplitMix64 rng(21);
  for (int i = 0; i < 30; ++i) {
    base.push_back(static_cast<double>(1000 + rng.Below(500)));
    contender.push_back(base.back() * static_cast<double>(1000 + rng.Below(40)) / 1000);
  }
  const auto expected = ComparePaired(base, contender, 0.95, 0.02);
  const auto estimate = HodgesLehmannRatio(base, contender);
  ASSERT_TRUE(expected.ok());
  for (int i = 0; i < 20; ++i) {
    std::vector<double> shuffled_base;
    std::vector<double> shuffled_contender;
    for (int index : rng.Permutation(30)) {
      shuffled_base.push_back(base[index]);
      shuffled_contender.push_back(contender[index]);
    }
    EXPECT_EQ(*ComparePaired(shuffled_base, shuffled_contender, 0.95, 0.02), *expected);
    EXPECT_EQ(*HodgesLehmannRatio(shuffled_base, shuffled_contender), *estimate);
    EXPECT_NE(*ComparePaired(base, shuffled_contender, 0.95, 0.02), *expected);
  }
}

TEST(ComparePairedTest, ExchangingTheArmsInvertsTheRatio) {
  const std::vector<double> base = {10, 11, 12, 13, 14, 15, 16};
  const std::vector<double> contender = {11, 11.5, 13, 14.5, 14.7, 17, 16.9};
  const auto one = ComparePaired(base, contender, 0.95, 0.02);
  const auto other = ComparePaired(contender, base, 0.95, 0.02);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NEAR(*one->ratio * *other->ratio, 1, 1e-15);
  EXPECT_NEAR(one->ratio_interval->lower * other->ratio_interval->upper, 1, 1e-15);
  EXPECT_EQ(one->verdict, Verdict::kSlower);
  EXPECT_EQ(other->verdict, Verdict::kFaster);
}

TEST(ComparePairedTest, ExtremeRatiosOfTwoRoundsDoNotOverflow) {
  const auto comparison =
      ComparePaired(std::vector<double>{1e-150, 1e-150}, std::vector<double>{1e150, 1e150}, 0.5, 0.02);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_NEAR(*comparison->ratio, 1e300, 1e285);
}

TEST(HodgesLehmannRatioTest, IsTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("paired.json")) {
    const double want = entry.second["hodges_lehmann_ratio"].as<double>();
    const auto got = HodgesLehmannRatio(Doubles(entry.second["A"]), Doubles(entry.second["B"]));
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_NEAR(*got, want, Allowed(want, kGoldenTolerance)) << entry.first;
    ++checked;
  }
  EXPECT_EQ(checked, 17);
}

struct RefusedCase {
  const char* name;
  std::vector<double> base;
  std::vector<double> contender;
  const char* message;
};

class PairedRefusalTest : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(PairedRefusalTest, NamesTheIndexAndTheValue) {
  const RefusedCase& c = GetParam();
  for (const absl::Status& status :
       {ComparePaired(c.base, c.contender, 0.95, 0.02).status(), HodgesLehmannRatio(c.base, c.contender).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PairedRefusalTest,
    ::testing::ValuesIn<RefusedCase>({
        {"Empty", {}, {}, "base: must not be empty"},
        {"Shorter", {1, 2, 3}, {1, 2}, "contender: must have as many values as base, 3, has 2"},
        {"NotANumber", {1, 2}, {1, kNan}, "contender[1]: must be positive and finite, is nan"},
        {"Zero", {0, 2}, {1, 2}, "base[0]: must be positive and finite, is 0"},
        {"Negative", {1, 2}, {1, -2}, "contender[1]: must be positive and finite, is -2"},
        {"RatioTooLarge", {1, 1e-200}, {1, 1e200}, "contender / base[1]: must be positive and finite, is inf"},
        {"RatioTooSmall", {1e200, 1}, {1e-200, 1}, "contender / base[0]: must be positive and finite, is 0"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ComparePairedTest, RefusesALevelOrMarginThatIsNone) {
  const std::vector<double> values = {1, 2};
  for (double wrong : {0.0, 1.0, -0.5, 95.0, kNan}) {
    EXPECT_THAT(std::string(ComparePaired(values, values, wrong, 0.02).status().message()),
                HasSubstr("level: must lie"));
    EXPECT_THAT(std::string(ComparePaired(values, values, 0.95, wrong).status().message()),
                HasSubstr("margin: must lie"));
  }
}

}  // namespace
}  // namespace benchfleet
