#include "common/stats/physical_limit.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace benchfleet {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;

// What one arm's pass cost; 0: not measured.
struct Pass {
  int64_t cpu_ns = 0;
  int64_t longest_ns = 0;
  int64_t launch_ns = 0;
  int64_t compiles = 0;
};

Sample ToSample(const Pass& pass) {
  Sample sample;
  if (pass.cpu_ns != 0) sample.measures_ns["cpu"] = pass.cpu_ns;
  if (pass.longest_ns != 0) sample.measures_ns["longest"] = pass.longest_ns;
  if (pass.launch_ns != 0) sample.measures_ns["launch"] = pass.launch_ns;
  if (pass.compiles != 0) sample.counters["compiles"] = pass.compiles;
  return sample;
}

struct LimitCase {
  const char* name;
  std::vector<Pass> passes;
  double usable_cpus;
  std::optional<double> want;  // seconds
};

class PhysicalLimitTest : public ::testing::TestWithParam<LimitCase> {};

TEST_P(PhysicalLimitTest, IsTheGreatestOfTheLeastTerms) {
  std::vector<Sample> samples;
  for (const Pass& pass : GetParam().passes) samples.push_back(ToSample(pass));
  std::vector<const Sample*> passes;
  for (const Sample& sample : samples) passes.push_back(&sample);
  const std::optional<double> limit = PhysicalLimitSeconds(passes, GetParam().usable_cpus);
  ASSERT_EQ(limit.has_value(), GetParam().want.has_value());
  EXPECT_DOUBLE_EQ(limit.value_or(0), GetParam().want.value_or(0));
}

INSTANTIATE_TEST_SUITE_P(
    All, PhysicalLimitTest,
    ::testing::ValuesIn<LimitCase>({
        {"Work", {{4 * kSecond, kSecond, kMillisecond, 16}}, 2, 2.0},
        {"WorkOnHalfACpu", {{4 * kSecond, kSecond, kMillisecond, 16}}, 0.5, 8.0},
        {"TheLongest", {{4 * kSecond, 3 * kSecond, kMillisecond, 16}}, 2, 3.0},
        {"Launches", {{4 * kSecond, kSecond, 200 * kMillisecond, 16}}, 2, 3.2},
        {"AllEqual", {{4 * kSecond, 2 * kSecond, 125 * kMillisecond, 16}}, 2, 2.0},
        {"TheLongestJustAboveTheWork", {{4 * kSecond, 2 * kSecond + 1}}, 2, 2.000000001},
        {"TheWorkJustAboveTheLongest", {{4 * kSecond + 2, 2 * kSecond}}, 2, 2.000000001},
        {"LeastWorkOfAnyArm", {{4 * kSecond}, {3 * kSecond}, {5 * kSecond}}, 2, 1.5},
        {"LeastLongestOfAnyArm", {{kSecond, 4 * kSecond}, {kSecond, 3 * kSecond}}, 2, 3.0},
        {"LeastLaunchesOfAnyArm", {{kSecond, 0, kSecond, 16}, {kSecond, 0, kSecond / 4, 16}}, 2, 4.0},
        {"EachTermOfItsOwnArm",
         {{6 * kSecond, kSecond, kSecond, 8}, {9 * kSecond, 2 * kSecond, kSecond / 4, 8}},
         2,
         3.0},
        {"LaunchesOfOneArmAreItsOwn", {{kSecond, 0, 3 * kSecond, 10}, {kSecond, 0, 10 * kSecond, 2}}, 2, 20.0},
        {"WorkOfOneArmOnly", {{0, kSecond}, {5 * kSecond, 2 * kSecond}}, 2, 2.5},
        {"NoLongest", {{kSecond, 0, 50 * kMillisecond, 16}}, 2, 0.8},
        {"NoLaunch", {{kSecond, 0, 0, 16}}, 2, 0.5},
        {"NoCompiles", {{kSecond, 0, kSecond, 0}}, 2, 0.5},
        {"NoWork", {{0, kSecond, kMillisecond, 16}}, 2, std::nullopt},
        {"NoPass", {}, 2, std::nullopt},
    }),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace benchfleet
