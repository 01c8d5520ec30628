#include "common/model/selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

Selector Parsed(absl::string_view text) {
  const auto selector = Selector::Parse(text);
  EXPECT_TRUE(selector.ok()) << text << ": " << selector.status();
  return selector.value_or(Selector());
}

struct MatchCase {
  const char* name;
  const char* selector;
  Labels labels;
  bool matches;
};

class SelectorMatchTest : public ::testing::TestWithParam<MatchCase> {};

TEST_P(SelectorMatchTest, Matches) {
  const MatchCase& c = GetParam();
  EXPECT_EQ(Parsed(c.selector).Matches(c.labels), c.matches) << c.selector;
}

INSTANTIATE_TEST_SUITE_P(All, SelectorMatchTest,
                         ::testing::ValuesIn<MatchCase>({
                             {"EmptyMatchesAll", "", {{"a", "b"}}, true},
                             {"EmptyMatchesNoLabels", "  ", {}, true},
                             {"Equal", "a=b", {{"a", "b"}}, true},
                             {"EqualOther", "a=b", {{"a", "c"}}, false},
                             {"EqualMissing", "a=b", {}, false},
                             {"DoubleEqual", "a==b", {{"a", "b"}}, true},
                             {"EqualEmpty", "a=", {{"a", ""}}, true},
                             {"EqualEmptyMissing", "a=", {}, false},
                             {"NotEqual", "a!=b", {{"a", "c"}}, true},
                             {"NotEqualSame", "a!=b", {{"a", "b"}}, false},
                             {"NotEqualMissing", "a!=b", {}, true},
                             {"In", "a in (b,c)", {{"a", "c"}}, true},
                             {"InOther", "a in (b,c)", {{"a", "d"}}, false},
                             {"InMissing", "a in (b,c)", {}, false},
                             {"NotIn", "a notin (b,c)", {{"a", "d"}}, true},
                             {"NotInListed", "a notin (b,c)", {{"a", "b"}}, false},
                             {"NotInMissing", "a notin (b,c)", {}, true},
                             {"Exists", "a", {{"a", ""}}, true},
                             {"ExistsMissing", "a", {{"aa", ""}}, false},
                             {"NotExists", "!a", {{"b", ""}}, true},
                             {"NotExistsPresent", "!a", {{"a", ""}}, false},
                             {"AllMustHold", "a=b,c", {{"a", "b"}, {"c", "d"}}, true},
                             {"OneFails", "a=b,c", {{"a", "b"}}, false},
                             {"Contradiction", "a=b,a=c", {{"a", "b"}}, false},
                             {"Prefix", "example.com/a=b", {{"example.com/a", "b"}}, true},
                             {"KeyNamedIn", "in in (in),notin notin (x)", {{"in", "in"}}, true},
                             {"CaseCounts", "a=B", {{"a", "b"}}, false},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

struct CanonicalCase {
  const char* name;
  const char* text;
  const char* canonical;
};

class SelectorCanonicalTest : public ::testing::TestWithParam<CanonicalCase> {};

TEST_P(SelectorCanonicalTest, IsSpelledOneWay) {
  const CanonicalCase& c = GetParam();
  const Selector selector = Parsed(c.text);
  EXPECT_EQ(selector.canonical(), c.canonical);
  EXPECT_EQ(Parsed(selector.canonical()), selector) << "the canonical spelling parses to itself";
}

INSTANTIATE_TEST_SUITE_P(All, SelectorCanonicalTest,
                         ::testing::ValuesIn<CanonicalCase>({
                             {"Empty", " ", ""},
                             {"Spaces", "  a  =  b  ,\t! c ", "!c,a=b"},
                             {"DoubleEqual", "a==b", "a=b"},
                             {"Sorted", "c,b=1,a!=2", "a!=2,b=1,c"},
                             {"RepeatedRequirement", "a=b,a==b", "a=b"},
                             {"SortedValues", "a in (z,b,z, c)", "a in (b,c,z)"},
                             {"OneValueIn", "a in (b)", "a=b"},
                             {"OneValueNotIn", "a notin(b)", "a!=b"},
                             {"EmptyValue", "a in (,b)", "a in (,b)"},
                             {"NotIn", "a notin (c,b)", "a notin (b,c)"},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SelectorTest, TheDefaultIsTheEmptySelector) {
  EXPECT_EQ(Selector(), Parsed(""));
  EXPECT_TRUE(Selector().Matches({}));
  EXPECT_FALSE(Selector() == Parsed("a"));
}

struct RefusedCase {
  const char* name;
  std::string text;
  const char* message;
};

class SelectorRefusalTest : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(SelectorRefusalTest, SaysWhatWasExpectedAndWhere) {
  const auto selector = Selector::Parse(GetParam().text);
  EXPECT_EQ(selector.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(selector.status().message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(All, SelectorRefusalTest,
                         ::testing::ValuesIn<RefusedCase>({
                             {"LeadingComma", ",a", "expected a label key at position 1, found ',a'"},
                             {"TrailingComma", "a=b, ", "expected a requirement at position 6, found the end"},
                             {"DoubleComma", "a,,b", "expected a label key at position 3, found ',b'"},
                             {"NoComma", "a b", "expected ',' or the end at position 3, found 'b'"},
                             {"NoKey", "=b", "expected a label key at position 1"},
                             {"LoneBang", "!", "expected a label key at position 2, found the end"},
                             {"BangWithValue", "!a=b", "expected ',' or the end at position 3"},
                             {"InWithoutList", "a in b", "expected '(' at position 6, found 'b'"},
                             {"OpenList", "a in (b", "expected ',' or ')' at position 8, found the end"},
                             {"ListWithSpace", "a in (b c)", "expected ',' or ')' at position 9"},
                             {"OrdersAreNoOperators", "a>1", "expected ',' or the end at position 2, found '>1'"},
                             {"ValueWithSlash", "a=b/c", "expected ',' or the end at position 4"},
                             {"BadKey", "-a", "'-a' is not a label key"},
                             {"BadValue", "a=-b", "'-b' is not a label value"},
                             {"NotAscii", "\xc3\xa4=b", "expected a label key at position 1"},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

std::string Numbered(const char* prefix, int count) {
  std::vector<std::string> parts;
  for (int i = 0; i < count; ++i) parts.push_back(absl::StrCat(prefix, i));
  return absl::StrJoin(parts, ",");
}

TEST(SelectorLimitTest, Bytes) {
  const std::string text = absl::StrCat("a", std::string(kMaxSelectorBytes - 2, ' '), ",");
  EXPECT_TRUE(Selector::Parse(text.substr(0, text.size() - 1) + " ").ok());
  EXPECT_EQ(Selector::Parse(text + " ").status().message(), "is 1025 bytes long, at most 1024 are allowed");
}

TEST(SelectorLimitTest, Requirements) {
  EXPECT_TRUE(Selector::Parse(Numbered("a", kMaxSelectorRequirements)).ok());
  EXPECT_EQ(Selector::Parse(Numbered("a", kMaxSelectorRequirements + 1)).status().message(),
            "has more than 32 requirements");
}

TEST(SelectorLimitTest, Values) {
  for (const char* op : {"in", "notin"}) {
    EXPECT_TRUE(Selector::Parse(absl::StrCat("a ", op, " (", Numbered("v", kMaxSelectorValues), ")")).ok());
    EXPECT_EQ(
        Selector::Parse(absl::StrCat("a ", op, " (", Numbered("v", kMaxSelectorValues + 1), ")")).status().message(),
        "lists more than 64 values");
  }
}

struct LabelCase {
  const char* name;
  std::string text;
  bool is_key;
  bool is_value;
};

class LabelRuleTest : public ::testing::TestWithParam<LabelCase> {};

TEST_P(LabelRuleTest, KeysAndValuesFollowTheRules) {
  const LabelCase& c = GetParam();
  EXPECT_EQ(CheckLabelKey(c.text).ok(), c.is_key) << c.text;
  EXPECT_EQ(CheckLabelValue(c.text).ok(), c.is_value) << c.text;
}

INSTANTIATE_TEST_SUITE_P(All, LabelRuleTest,
                         ::testing::ValuesIn<LabelCase>({
                             {"Empty", "", false, true},
                             {"OneCharacter", "7", true, true},
                             {"AllCharacters", "Az09.b_c-d", true, true},
                             {"LeadingDot", ".a", false, false},
                             {"TrailingDash", "a-", false, false},
                             {"Space", "a b", false, false},
                             {"NotAscii", "\xc3\xa4", false, false},
                             {"Newline", "a\n", false, false},
                             {"Longest", std::string(63, 'a'), true, true},
                             {"TooLong", std::string(64, 'a'), false, false},
                             {"Prefixed", "bench-fleet.example.com/pool", true, false},
                             {"PrefixUpperCase", "Example.com/pool", false, false},
                             {"PrefixUnderscore", "a_b.com/pool", false, false},
                             {"PrefixEmpty", "/pool", false, false},
                             {"PrefixEmptyLabel", "a..b/pool", false, false},
                             {"PrefixLeadingDot", ".a/pool", false, false},
                             {"PrefixTrailingDot", "a./pool", false, false},
                             {"PrefixDashAtLabelStart", "a.-b/pool", false, false},
                             {"PrefixDashAtLabelEnd", "a-.b/pool", false, false},
                             {"PrefixTrailingDash", "a-/pool", false, false},
                             {"PrefixWithoutName", "a.com/", false, false},
                             {"TwoSlashes", "a.com/b/c", false, false},
                             {"LongestPrefix", std::string(253, 'a') + "/b", true, false},
                             {"PrefixTooLong", std::string(254, 'a') + "/b", false, false},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LabelTest, ErrorsNameTheValue) {
  EXPECT_EQ(CheckLabelKey("a b").message(), "'a b' is not a label key");
  EXPECT_EQ(CheckLabelValue("a b").message(), "'a b' is not a label value");
}

}  // namespace
}  // namespace benchfleet
