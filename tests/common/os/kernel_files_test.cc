#include "common/os/kernel_files.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

struct CpuListCase {
  const char* name;
  std::string text;
  std::optional<std::set<int>> want;
};

class CpuListTest : public testing::TestWithParam<CpuListCase> {};

TEST_P(CpuListTest, Parses) { EXPECT_EQ(ParseCpuList(GetParam().text), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, CpuListTest,
                         testing::ValuesIn<CpuListCase>({
                             {"One", "7", {{7}}},
                             {"RangeAndOne", "0-2,8", {{0, 1, 2, 8}}},
                             {"Last", absl::StrCat(kMaxCpuNumber), {{kMaxCpuNumber}}},
                             {"Empty", "", std::nullopt},
                             {"Word", "x", std::nullopt},
                             {"Backwards", "3-1", std::nullopt},
                             {"ThreeEnds", "1-2-3", std::nullopt},
                             {"Negative", "-1", std::nullopt},
                             {"TrailingComma", "1,", std::nullopt},
                             {"TooGreat", absl::StrCat("0-", kMaxCpuNumber + 1), std::nullopt},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FindValue, TakesTheFirstWholeName) {
  const std::string text = "model\t: no\nmodel name\t: first: one\nmodel name\t: second\nbare\n";
  EXPECT_EQ(FindValue(text, "model name", ':'), "first: one");
  EXPECT_EQ(FindValue(text, "name", ':'), std::nullopt);
  EXPECT_EQ(FindValue(text, "bare", ':'), std::nullopt);
  EXPECT_EQ(FindValue("", "bare", ':'), std::nullopt);
}

}  // namespace
}  // namespace benchfleet
