#include "common/stats/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "tests/common/stats/golden.h"

namespace benchfleet {
namespace {

TEST(SplitMix64Test, OutputsAreTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("rng.json")["outputs"]) {
    SplitMix64 rng(entry.first.as<uint64_t>());
    for (const auto& want : entry.second) {
      EXPECT_EQ(rng.Next(), want.as<uint64_t>()) << "seed " << entry.first;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 20);
}

TEST(SplitMix64Test, BoundedDrawsAreTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("rng.json")["below"]) {
    SplitMix64 rng(entry.first.as<uint64_t>());
    const auto bounds = entry.second["n"].as<std::vector<uint64_t>>();
    const auto values = entry.second["values"].as<std::vector<uint64_t>>();
    ASSERT_EQ(bounds.size(), values.size());
    for (size_t i = 0; i < bounds.size(); ++i) {
      EXPECT_EQ(rng.Below(bounds[i]), values[i]) << "seed " << entry.first << " draw " << i;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 28);
}

TEST(SplitMix64Test, PermutationsAreTheReference) {
  int checked = 0;
  for (const auto& entry : Golden("rng.json")["permutations"]) {
    for (const auto& want : entry.second) {
      SplitMix64 rng(entry.first.as<uint64_t>());
      EXPECT_EQ(rng.Permutation(want.first.as<int>()), want.second.as<std::vector<int>>())
          << "seed " << entry.first << " n " << want.first;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 24);
}

TEST(SplitMix64Test, SmallPermutationsDrawOnlyWhatTheyNeed) {
  SplitMix64 rng(5);
  EXPECT_TRUE(rng.Permutation(0).empty());
  EXPECT_THAT(rng.Permutation(1), ::testing::ElementsAre(0));
  EXPECT_EQ(rng.Next(), SplitMix64(5).Next());
}

// Eight equally likely outputs fold onto five values here: without rejection the residues
// 0, 1 and 3 would come up twice as often as 2 and 4.
TEST(SplitMix64Test, BelowIsUnbiasedWhereRejectionMatters) {
  constexpr uint64_t kBound = 5 * (uint64_t{1} << 61);
  constexpr int kDraws = 5000;
  SplitMix64 rng(1);
  std::array<int, 5> fifths = {};
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t draw = rng.Below(kBound);
    ASSERT_LT(draw, kBound);
    ++fifths[draw % 5];
  }
  // Five standard deviations of Bin(5000, 1/5).
  for (int count : fifths) EXPECT_NEAR(count, kDraws / 5, 142);
}

TEST(SplitMix64Test, EveryPermutationOfFourIsEquallyLikely) {
  constexpr int kDraws = 24000;
  SplitMix64 rng(3);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[rng.Permutation(4)];
  EXPECT_EQ(counts.size(), 24u);
  // Five standard deviations of Bin(24000, 1/24).
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 155) << ::testing::PrintToString(order);
}

}  // namespace
}  // namespace benchfleet
