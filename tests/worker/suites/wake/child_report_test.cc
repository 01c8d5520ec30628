#include "worker/suites/wake/child_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

TEST(ChildReportTest, ReadsWhatAChildPrints) {
  const auto report = ParseChildReport(
      "{\"batch_ns\": [1, 200000, 9007199254740991], \"iterations\": 7, \"counters\": {\"parks\": 0}}\n");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(*report, (ChildReport{{1, 200000, 9007199254740991}, 7, {{"parks", 0}}}));
}

struct Refused {
  const char* name;
  const char* text;
  const char* error;
};

class ChildReportRefusesTest : public ::testing::TestWithParam<Refused> {};

TEST_P(ChildReportRefusesTest, NamesWhatIsWrong) {
  const auto report = ParseChildReport(GetParam().text);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    All, ChildReportRefusesTest,
    ::testing::ValuesIn<Refused>({
        {"Nothing", "", "not a JSON object"},
        {"Words", "Segmentation fault", "not a JSON object"},
        {"List", "[1]", "not a JSON object"},
        {"Truncated", R"({"batch_ns": [1], "iterations": 7)", "not a JSON object"},
        {"TwoObjects", R"({"batch_ns":[1],"iterations":7,"counters":{}} {})", "not a JSON object"},
        {"NoTimes", R"({"iterations": 7, "counters": {}})", "batch_ns is missing"},
        {"NoIterations", R"({"batch_ns": [1], "counters": {}})", "iterations is missing"},
        {"NoCounters", R"({"batch_ns": [1], "iterations": 7})", "counters is missing"},
        {"MoreFields", R"({"batch_ns": [1], "iterations": 7, "counters": {}, "mood": 1})", "mood is not known"},
        {"TimesNoList", R"({"batch_ns": 1, "iterations": 7, "counters": {}})", "batch_ns is not a list"},
        {"ZeroTime", R"({"batch_ns": [5, 0], "iterations": 7, "counters": {}})", "batch_ns[1] must be"},
        {"NegativeTime", R"({"batch_ns": [-5], "iterations": 7, "counters": {}})", "batch_ns[0] must be"},
        {"FractionOfATime", R"({"batch_ns": [1.5], "iterations": 7, "counters": {}})", "batch_ns[0] must be"},
        {"TextAsTime", R"({"batch_ns": ["1"], "iterations": 7, "counters": {}})", "batch_ns[0] is not a number"},
        {"HugeTime", R"({"batch_ns": [9007199254740992], "iterations": 7, "counters": {}})", "batch_ns[0] must be"},
        {"InfiniteTime", R"({"batch_ns": [1e999], "iterations": 7, "counters": {}})", "all of it"},
        {"ZeroIterations", R"({"batch_ns": [1], "iterations": 0, "counters": {}})", "iterations must be"},
        {"CountersNoObject", R"({"batch_ns": [1], "iterations": 7, "counters": []})", "counters is not an object"},
        {"NegativeCounter", R"({"batch_ns": [1], "iterations": 7, "counters": {"parks": -1}})",
         "counters.parks must be"},
        {"NullCounter", R"({"batch_ns": [1], "iterations": 7, "counters": {"parks": null}})", "counters.parks is not"},
    }),
    [](const auto& refused) { return refused.param.name; });

TEST(ChildReportTest, SizeLimitIsExact) {
  const std::string report = R"({"batch_ns": [1], "iterations": 7, "counters": {}})";
  EXPECT_TRUE(ParseChildReport(report + std::string(kMaxChildReportBytes - report.size(), ' ')).ok());
  const auto over = ParseChildReport(report + std::string(kMaxChildReportBytes + 1 - report.size(), ' '));
  EXPECT_THAT(std::string(over.status().message()), HasSubstr("65537 bytes"));
}

}  // namespace
}  // namespace benchfleet
