#include "common/stats/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/common/stats/golden.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

std::vector<Order> Orders(const YAML::Node& node) { return node.as<std::vector<Order>>(); }

TEST(WilliamsTest, SquaresAreTheReference) {
  const YAML::Node golden = Golden("schedules.json");
  for (int variants = 2; variants <= 8; ++variants) {
    const std::string key = absl::StrCat(variants);
    EXPECT_EQ(WilliamsSquare(variants), Orders(golden["squares"][key])) << variants;
    EXPECT_EQ(BlockRounds(variants), golden["block_rounds"][key].as<int>()) << variants;
  }
}

TEST(WilliamsTest, IsOfferedUpToSixAndForEight) {
  std::set<int> offered;
  for (int variants = -1; variants <= 20; ++variants) {
    if (HasWilliams(variants)) offered.insert(variants);
  }
  EXPECT_THAT(offered, ::testing::ElementsAre(2, 3, 4, 5, 6, 8));
  EXPECT_EQ(BlockRounds(1), 1);
}

TEST(CaseScheduleTest, SeededSchedulesAreTheReference) {
  const std::regex key("V=(\\d+),seed=(\\d+),blocks=(\\d+)");
  int checked = 0;
  for (const auto& entry : Golden("schedules.json")["example_schedules"]) {
    const std::string name = entry.first.as<std::string>();
    std::smatch part;
    ASSERT_TRUE(std::regex_match(name, part, key)) << name;
    const int variants = std::stoi(part[1]);
    const int rounds = std::stoi(part[3]) * BlockRounds(variants);
    const auto orders = BuildCaseSchedule(Schedule::kWilliams, variants, rounds, std::stoull(part[2]));
    ASSERT_TRUE(orders.ok()) << orders.status();
    EXPECT_EQ(*orders, Orders(entry.second)) << name;
    ++checked;
  }
  EXPECT_EQ(checked, 4);
}

class WilliamsBalanceTest : public ::testing::TestWithParam<int> {};

// The property the design is chosen for, in every block of every seed.
TEST_P(WilliamsBalanceTest, PositionsAndNeighboursAreBalancedInEveryBlock) {
  const int variants = GetParam();
  const int block = BlockRounds(variants);
  const int each = block / variants;
  for (uint64_t seed : {0u, 1u, 7u, 123456u}) {
    const auto orders = BuildCaseSchedule(Schedule::kWilliams, variants, 3 * block, seed);
    ASSERT_TRUE(orders.ok()) << orders.status();
    ASSERT_EQ(static_cast<int>(orders->size()), 3 * block);
    for (int first = 0; first < 3 * block; first += block) {
      std::map<std::pair<int, int>, int> at_position;
      std::map<std::pair<int, int>, int> follows;
      for (int round = first; round < first + block; ++round) {
        const Order& order = (*orders)[round];
        for (int slot = 0; slot < variants; ++slot) ++at_position[{order[slot], slot}];
        for (int slot = 1; slot < variants; ++slot) ++follows[{order[slot - 1], order[slot]}];
      }
      EXPECT_EQ(static_cast<int>(at_position.size()), variants * variants);
      for (const auto& [key, count] : at_position) EXPECT_EQ(count, each) << key.first << " at " << key.second;
      EXPECT_EQ(static_cast<int>(follows.size()), variants * (variants - 1));
      for (const auto& [key, count] : follows) EXPECT_EQ(count, each) << key.second << " after " << key.first;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, WilliamsBalanceTest, ::testing::Values(2, 3, 4, 5, 6, 8));

// Relabelling the square of four gives 6 different sets of rows (24 labellings, 4 of
// which are rotations of the square into itself), and shuffling 24 orders of each.
TEST(CaseScheduleTest, BlocksAreRelabelledAndShuffledAnew) {
  const auto orders = BuildCaseSchedule(Schedule::kWilliams, 4, 400, 9);
  ASSERT_TRUE(orders.ok());
  std::set<std::vector<Order>> blocks;
  std::set<std::set<Order>> squares;
  for (auto first = orders->begin(); first != orders->end(); first += 4) {
    blocks.insert(std::vector<Order>(first, first + 4));
    squares.insert(std::set<Order>(first, first + 4));
  }
  EXPECT_EQ(squares.size(), 6u);
  EXPECT_GT(blocks.size(), 50u);
}

TEST(CaseScheduleTest, RandomOrdersArePermutationsThatDependOnTheSeed) {
  for (int variants : {1, 2, 7, 12}) {
    const auto orders = BuildCaseSchedule(Schedule::kRandom, variants, 9, 42);
    ASSERT_TRUE(orders.ok());
    ASSERT_EQ(orders->size(), 9u);
    for (const Order& order : *orders) {
      EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), static_cast<size_t>(variants));
      EXPECT_EQ(*std::max_element(order.begin(), order.end()), variants - 1);
    }
    EXPECT_EQ(*orders, *BuildCaseSchedule(Schedule::kRandom, variants, 9, 42));
  }
  EXPECT_NE(*BuildCaseSchedule(Schedule::kRandom, 7, 9, 42), *BuildCaseSchedule(Schedule::kRandom, 7, 9, 43));
}

TEST(CaseScheduleTest, OneVariantHasATrivialWilliamsSchedule) {
  const auto orders = BuildCaseSchedule(Schedule::kWilliams, 1, 3, 1);
  ASSERT_TRUE(orders.ok()) << orders.status();
  EXPECT_THAT(*orders, ::testing::ElementsAre(Order{0}, Order{0}, Order{0}));
}

struct RefusedCase {
  const char* name;
  Schedule schedule;
  int variants;
  int rounds;
  const char* message;
};

class CaseScheduleRefusalTest : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(CaseScheduleRefusalTest, NamesTheFieldAndTheValue) {
  const RefusedCase& c = GetParam();
  const auto orders = BuildCaseSchedule(c.schedule, c.variants, c.rounds, 1);
  EXPECT_EQ(orders.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(orders.status().message()), HasSubstr(c.message));
}

INSTANTIATE_TEST_SUITE_P(All, CaseScheduleRefusalTest,
                         ::testing::ValuesIn<RefusedCase>({
                             {"NoVariants", Schedule::kRandom, 0, 9, "variants: must be at least 1, is 0"},
                             {"NegativeRounds", Schedule::kRandom, 2, -1, "rounds: must not be negative, is -1"},
                             {"NoSquareOfSeven", Schedule::kWilliams, 7, 14, "variants: no Williams schedule for 7"},
                             {"NoSquareOfNine", Schedule::kWilliams, 9, 18, "variants: no Williams schedule for 9"},
                             {"HalfABlock", Schedule::kWilliams, 3, 9, "rounds: must be a multiple of 6"},
                             {"OneRoundOver", Schedule::kWilliams, 4, 9, "is 9"},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace benchfleet
