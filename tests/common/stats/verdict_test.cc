#include "common/stats/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "common/model/states.h"
#include "tests/common/stats/golden.h"

namespace benchfleet {
namespace {

TEST(DecideVerdictTest, IsTheReference) {
  const YAML::Node cases = Golden("verdict.json")["cases"];
  ASSERT_EQ(cases.size(), 24u);
  for (const auto& c : cases) {
    const Interval interval = {c["lo_ratio"].as<double>(), c["hi_ratio"].as<double>()};
    const Verdict verdict = DecideVerdict(interval, c["margin"].as<double>());
    EXPECT_EQ(std::string(Word(verdict)), c["verdict"].as<std::string>())
        << interval.lower << " " << interval.upper << " margin " << c["margin"];
  }
}

TEST(DecideVerdictTest, WithoutAnIntervalNothingIsDecided) {
  EXPECT_EQ(DecideVerdict(std::nullopt, 0.02), Verdict::kInconclusive);
}

// A margin and bounds that binary fractions hold exactly: 1.25 and 1 / 1.25 = 0.8, whose
// double lies just above 0.8.
TEST(DecideVerdictTest, BoundsOfTheMarginBelongToIt) {
  EXPECT_EQ(DecideVerdict(Interval{0.8, 1.25}, 0.25), Verdict::kSame);
  EXPECT_EQ(DecideVerdict(Interval{std::nextafter(0.8, 0), 1.25}, 0.25), Verdict::kInconclusive);
  EXPECT_EQ(DecideVerdict(Interval{0.8, std::nextafter(1.25, 2)}, 0.25), Verdict::kInconclusive);
}

// The doubles nearest to 1.02 and 1 / 1.02 lie outside what the double 0.02 allows, by
// less than the rounding of 1 + 0.02. Each bound alone, as the reference has them at once.
TEST(DecideVerdictTest, BoundsAreComparedExactly) {
  EXPECT_EQ(DecideVerdict(Interval{1 / 1.02, 1}, 0.02), Verdict::kInconclusive);
  EXPECT_EQ(DecideVerdict(Interval{std::nextafter(1 / 1.02, 1), 1}, 0.02), Verdict::kSame);
  EXPECT_EQ(DecideVerdict(Interval{1, 1.02}, 0.02), Verdict::kInconclusive);
  EXPECT_EQ(DecideVerdict(Interval{1, std::nextafter(1.02, 1)}, 0.02), Verdict::kSame);
}

TEST(DecideVerdictTest, AnIntervalThatTouchesOneHasNoSign) {
  EXPECT_EQ(DecideVerdict(Interval{1, 1.5}, 0.02), Verdict::kInconclusive);
  EXPECT_EQ(DecideVerdict(Interval{std::nextafter(1, 2), 1.5}, 0.02), Verdict::kSlower);
  EXPECT_EQ(DecideVerdict(Interval{0.5, 1}, 0.02), Verdict::kInconclusive);
  EXPECT_EQ(DecideVerdict(Interval{0.5, std::nextafter(1, 0)}, 0.02), Verdict::kFaster);
}

TEST(DecideVerdictTest, ExtremeIntervalsKeepTheirSign) {
  EXPECT_EQ(DecideVerdict(Interval{1e-300, 1e-299}, 0.99), Verdict::kFaster);
  EXPECT_EQ(DecideVerdict(Interval{1e299, 1e300}, 0.99), Verdict::kSlower);
  EXPECT_EQ(DecideVerdict(Interval{1e-300, 1e300}, 0.99), Verdict::kInconclusive);
}

}  // namespace
}  // namespace benchfleet
