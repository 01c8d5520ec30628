#include "worker/core/round_budget.h"

#include <string>
#include <vector>

#include "common/model/job_spec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

TEST(CommonBlock, IsTheLeastCommonMultipleOfTheCasesBlocks) {
  EXPECT_EQ(CommonBlock({1}), 1);
  EXPECT_EQ(CommonBlock({2, 2}), 2);
  EXPECT_EQ(CommonBlock({3, 3}), 6);
  EXPECT_EQ(CommonBlock({1, 3, 4}), 12);
  EXPECT_EQ(CommonBlock({3, 5}), 30);
  EXPECT_EQ(CommonBlock({5, 8}), std::nullopt);  // 40 rounds
  EXPECT_EQ(CommonBlock({7}), std::nullopt);     // no square
  EXPECT_EQ(CommonBlock({2, 9}), std::nullopt);
}

struct FixedCase {
  const char* name;
  int rounds;
  std::vector<int> variants;
  Schedule want;
};

class FixedRoundsTest : public testing::TestWithParam<FixedCase> {};

TEST_P(FixedRoundsTest, WilliamsOnlyForWholeBlocks) {
  const RoundChoice choice = ChooseForFixedRounds(GetParam().rounds, GetParam().variants);
  EXPECT_EQ(choice, (RoundChoice{GetParam().rounds, GetParam().want, ""}));
}

INSTANTIATE_TEST_SUITE_P(All, FixedRoundsTest,
                         testing::ValuesIn<FixedCase>({
                             {"NineOfThree", 9, {3}, Schedule::kRandom},
                             {"TwelveOfThree", 12, {3}, Schedule::kWilliams},
                             {"NineOfTwo", 9, {2}, Schedule::kRandom},
                             {"SixOfTwoAndThree", 6, {2, 3}, Schedule::kWilliams},
                             {"SixOfThreeAndFour", 6, {3, 4}, Schedule::kRandom},
                             {"SevenVariants", 14, {7}, Schedule::kRandom},
                             {"ManyRoundsOfBigBlocks", 40, {5, 8}, Schedule::kWilliams},
                             {"OneVariant", 9, {1}, Schedule::kWilliams},
                             {"OneRound", 1, {3}, Schedule::kRandom},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

struct BudgetCase {
  const char* name;
  absl::Duration left;
  absl::Duration expected;
  std::vector<int> variants;
  int rounds;
  Schedule schedule;
  std::string warning;  // part of it
};

class BudgetTest : public testing::TestWithParam<BudgetCase> {};

TEST_P(BudgetTest, WholeBlocksElseRandom) {
  const RoundChoice choice = ChooseForBudget(GetParam().left, GetParam().expected, GetParam().variants);
  EXPECT_EQ(choice.rounds, GetParam().rounds);
  EXPECT_EQ(choice.schedule, GetParam().schedule);
  EXPECT_EQ(choice.warning.empty(), GetParam().warning.empty());
  EXPECT_THAT(choice.warning, HasSubstr(GetParam().warning));
}

constexpr absl::Duration kSecond = absl::Seconds(1);

INSTANTIATE_TEST_SUITE_P(
    All, BudgetTest,
    testing::ValuesIn<BudgetCase>({
        {"WholeBlocks", 17 * kSecond, kSecond, {3}, 12, Schedule::kWilliams, ""},
        {"ExactlyOneBlock", 6 * kSecond, kSecond, {3}, 6, Schedule::kWilliams, ""},
        {"AlmostOneBlock", 6 * kSecond - absl::Nanoseconds(1), kSecond, {3}, 5, Schedule::kRandom, "5 rounds"},
        {"OneRound",
         1.5 * kSecond,
         kSecond,
         {3},
         1,
         Schedule::kRandom,
         "block of 6 rounds of 1s each: measuring 1 round "},
        {"LessThanARound", 0.5 * kSecond, kSecond, {3}, 1, Schedule::kRandom, "1 round"},
        {"NothingLeft", -kSecond, kSecond, {3}, 1, Schedule::kRandom, "1 round"},
        {"AtMost", 1000 * kSecond, kSecond, {3}, kMaxBudgetRounds, Schedule::kWilliams, ""},
        {"AtMostInWholeBlocks", 1000 * kSecond, kSecond, {8}, 24, Schedule::kWilliams, ""},
        {"NoSquareIsNoWarning", 1000 * kSecond, kSecond, {7}, kMaxBudgetRounds, Schedule::kRandom, ""},
        {"MixedCases", 13 * kSecond, kSecond, {2, 3, 4}, 12, Schedule::kWilliams, ""},
        {"NoTimeAtAll", kSecond, absl::ZeroDuration(), {2}, kMaxBudgetRounds, Schedule::kWilliams, ""},
    }),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace benchfleet
