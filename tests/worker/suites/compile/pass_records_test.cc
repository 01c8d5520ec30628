#include "worker/suites/compile/pass_records.h"

#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

PassRecord Compile(int64_t launch_ns, int64_t launched_ns, int64_t end_ns, int64_t cpu_ns = 10, int64_t helper_ns = 1) {
  return {launch_ns, launched_ns, end_ns, 0, kUnset, cpu_ns, helper_ns, 0};
}

// The conditioning, and three compiles of which two run at once.
PassRecords Good() {
  return {{kUnset, 7, {}},
          {Compile(0, 90, 100), Compile(200, 203, 300), Compile(250, 251, 420), Compile(300, 302, 330)}};
}

TEST(PassRecordsTest, FiguresAreOfTheTimedCompiles) {
  const absl::StatusOr<PassFigures> figures = FiguresOf(Good());
  ASSERT_TRUE(figures.ok()) << figures.status();
  EXPECT_EQ(figures->wall_ns, 220);
  EXPECT_EQ(figures->longest_ns, 170);
  EXPECT_EQ(figures->launch_ns, 2);
  EXPECT_EQ(figures->overhead_ns, 7);
  EXPECT_EQ(figures->cpu_ns, 37);
  EXPECT_EQ(figures->peak, 2);
}

TEST(PassRecordsTest, MedianOfAnEvenNumberLiesBetween) {
  PassRecords records = Good();
  records.compiles.push_back(Compile(400, 407, 420));
  EXPECT_EQ(FiguresOf(records)->launch_ns, 2);  // of 1, 2, 3, 7
  records.compiles[1].launched_ns = 206;
  EXPECT_EQ(FiguresOf(records)->launch_ns, 4);  // of 1, 2, 6, 7
}

TEST(PassRecordsTest, CpuOfTheHeaderWinsOverTheRecords) {
  PassRecords records = Good();
  records.header.children_cpu_ns = 1000;
  records.header.own_cpu_ns = kUnset;
  EXPECT_EQ(FiguresOf(records)->overhead_ns, 3);
  EXPECT_EQ(FiguresOf(records)->cpu_ns, 1003);
  records.compiles[2].helper_cpu_ns = kUnset;
  EXPECT_THAT(std::string(FiguresOf(records).status().message()), HasSubstr("CPU time of the strategy"));
  records = Good();
  records.compiles[2].cpu_ns = kUnset;
  EXPECT_THAT(std::string(FiguresOf(records).status().message()), HasSubstr("CPU time of the compiles"));
}

TEST(PassRecordsTest, WhatEndsAsAnotherIsLaunchedWasNotBesideIt) {
  const PassRecords records = {{0, 0, {}},
                               {Compile(0, 1, 2), Compile(10, 11, 20), Compile(20, 21, 30), Compile(25, 26, 30)}};
  EXPECT_EQ(FiguresOf(records)->peak, 2);
}

TEST(PassRecordsTest, WhatWasNotStartedIsNoneAtOnce) {
  PassRecords records = Good();
  records.compiles[2].launch_errno = 2;
  records.compiles[2].status = kUnset;
  EXPECT_EQ(FiguresOf(records)->peak, 1);
}

TEST(PassRecordsTest, IncompleteRecordsAreNamed) {
  const struct {
    int64_t PassRecord::*member;
    int64_t value;
    const char* message;
  } cases[] = {{&PassRecord::launch_ns, kUnset, "compile 2 has no launch"},
               {&PassRecord::launched_ns, kUnset, "compile 2 has no launch"},
               {&PassRecord::end_ns, kUnset, "compile 2 has no end"},
               {&PassRecord::status, kUnset, "compile 2 has no status"},
               {&PassRecord::launched_ns, 249, "run backwards"},
               {&PassRecord::end_ns, 250, "run backwards"}};
  for (const auto& one : cases) {
    PassRecords records = Good();
    records.compiles[2].*one.member = one.value;
    const absl::Status status = FiguresOf(records).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr(one.message));
  }
  PassRecords only_conditioning = Good();
  only_conditioning.compiles.resize(1);
  EXPECT_FALSE(FiguresOf(only_conditioning).ok());
}

TEST(PassRecordsTest, FileHasAPlaceForEveryNumber) {
  const std::string file = UnsetRecords(3);
  EXPECT_EQ(file.size(), 8u * (8 + 3 * 8));
  const absl::StatusOr<PassRecords> records = ParseRecords(file, 3);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->header.own_cpu_ns, kUnset);
  ASSERT_EQ(records->compiles.size(), 3u);
  EXPECT_EQ(records->compiles[2].helper_cpu_ns, kUnset);
  EXPECT_EQ(ParseRecords(file, 2).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ParseRecords(file.substr(1), 3).status().code(), absl::StatusCode::kDataLoss);
}

TEST(PassRecordsTest, NumbersKeepTheirPlaces) {
  std::string file = UnsetRecords(2);
  const int64_t own = 5, status = -9;
  std::memcpy(file.data() + 8, &own, sizeof own);
  std::memcpy(file.data() + 8 * (8 + 8 + 3), &status, sizeof status);
  const PassRecords records = ParseRecords(file, 2).value();
  EXPECT_EQ(records.header.own_cpu_ns, 5);
  EXPECT_EQ(records.compiles[1].status, -9);
}

}  // namespace
}  // namespace benchfleet
