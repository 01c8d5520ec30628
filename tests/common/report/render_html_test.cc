#include "common/report/render_html.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/os/digest.h"
#include "common/report/render.h"
#include "common/report/render_html_assets.h"
#include "common/report/render_html_axis.h"
#include "common/report/text_format.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "tests/common/report/example_reports.h"

namespace benchfleet {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::vector<std::string> Matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

// The markup of a page without the text of its style and script.
std::string Markup(std::string page) {
  for (const char* name : {"style", "script"}) {
    const size_t from = page.find(absl::StrCat("<", name, ">"));
    const size_t to = page.find(absl::StrCat("</", name, ">"));
    page.erase(from, to - from);
  }
  return page;
}

// What is wrong with the nesting of a page's elements; empty: nothing.
std::string NestingFault(const std::string& page) {
  static const std::set<std::string> kVoid = {"meta", "link", "wbr"};
  const std::regex tag(R"re(<(/?)([a-z0-9]+)((?:\s+[a-z0-9-]+(?:="[^"<>]*")?)*)(\s*/?)>)re");
  const std::string markup = Markup(page);
  std::vector<std::string> open;
  int tags = 0;
  for (std::sregex_iterator it(markup.begin(), markup.end(), tag), end; it != end; ++it, ++tags) {
    const std::string name = (*it)[2];
    if (kVoid.count(name) == 1 || (*it)[4] == "/" || name == "script" || name == "style") continue;
    if ((*it)[1] == "") {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return absl::StrCat("</", name, "> closes <", open.empty() ? "" : open.back(), ">");
    } else {
      open.pop_back();
    }
  }
  // Every '<' but that of the doctype, and of the ends of style and script, begins such a tag.
  if (tags != Count(markup, "<") - 1) return absl::StrCat("only ", tags, " tags in ", Count(markup, "<"), " '<'");
  return open.empty() ? "" : absl::StrCat("<", open.back(), "> is not closed");
}

std::map<std::string, v1::Report> Examples() {
  v1::Report empty;
  v1::Report queued;
  queued.mutable_job()->set_state("queued");
  queued.add_runs()->set_state("queued");
  v1::Report two_hosts = ExampleLargeReport(2, 2, 3);
  *two_hosts.add_runs() = two_hosts.runs(0);
  two_hosts.mutable_runs(1)->set_id("other/1");
  two_hosts.mutable_runs(1)->set_host("lab-2");
  return {{"wake", ExampleWakeReport()},
          {"compile", ExampleCompileReport()},
          {"empty", empty},
          {"queued", queued},
          {"one arm", ExampleLargeReport(1, 1, 1)},
          {"two hosts", two_hosts}};
}

TEST(RenderHtml, IsWellFormedForEveryReport) {
  for (const auto& [name, report] : Examples()) {
    const std::string page = RenderHtml(report);
    EXPECT_EQ(NestingFault(page), "") << name;
    EXPECT_EQ(page.rfind("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">", 0), 0u) << name;
    EXPECT_EQ(page.back(), '\n') << name;
  }
}

TEST(RenderHtml, EveryLinkLeadsToAPlaceOnThePageAndNoIdIsTwice) {
  for (const auto& [name, report] : Examples()) {
    const std::string page = RenderHtml(report);
    const std::vector<std::string> ids = Matches(page, " id=\"([^\"]*)\"");
    const std::set<std::string> places(ids.begin(), ids.end());
    EXPECT_EQ(ids.size(), places.size()) << name;
    for (const std::string& link : Matches(page, "<(?:a|use) [^>]*href=\"([^\"]*)\"")) {
      ASSERT_EQ(link[0], '#') << name;
      EXPECT_EQ(places.count(link.substr(1)), 1u) << name << " " << link;
    }
  }
}

TEST(RenderHtml, LoadsNothing) {
  const std::string page = RenderHtml(ExampleCompileReport());
  for (const char* outside : {"http:", "https:", "stylesheet", "<img", "src=", "url(", "@import", "@font-face",
                              " style=", " onclick=", "eval("}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
}

TEST(RenderHtml, OnlyItsOwnScriptMayRun) {
  const std::string digest = absl::Base64Escape(absl::HexStringToBytes(Sha256Hex(html::Script())));
  EXPECT_EQ(html::ScriptDigest(), digest);
  EXPECT_THAT(std::string(HtmlReportPolicy()), HasSubstr("script-src 'sha256-" + digest + "'"));
  EXPECT_EQ(HtmlReportPolicy().substr(0, 18), "default-src 'none'");
  const std::string page = RenderHtml(ExampleWakeReport());
  EXPECT_THAT(page, HasSubstr(absl::StrCat("<meta http-equiv=\"Content-Security-Policy\" content=\"",
                                           HtmlReportPolicy(), "\">")));
  EXPECT_THAT(page, HasSubstr(absl::StrCat("<script>", html::Script(), "</script>")));
  EXPECT_EQ(Count(page, "<script"), 1);
}

// Puts `text` into every string field of a message and of those in it.
void FillStrings(google::protobuf::Message& message, const std::string& text) {
  using google::protobuf::FieldDescriptor;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *message.GetDescriptor()->field(i);
    const bool is_message = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const bool is_string = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    if (field.is_repeated()) {
      const int count = reflection.FieldSize(message, &field);
      for (int k = 0; k < count && is_message; ++k)
        FillStrings(*reflection.MutableRepeatedMessage(&message, &field, k), text);
      if (is_string) reflection.AddString(&message, &field, text);
    } else if (is_message) {
      if (reflection.HasField(message, &field)) FillStrings(*reflection.MutableMessage(&message, &field), text);
    } else if (is_string) {
      reflection.SetString(&message, &field, text);
    }
  }
}

TEST(RenderHtml, NoTextOfTheReportIsMarkup) {
  const std::string attack = "\"'><script>alert(1)</script><b onload=x>&\x01\u0085";
  v1::Report report = ExampleCompileReport();
  report.mutable_summaries()->DeleteSubrange(3, report.summaries_size() - 3);
  report.mutable_comparisons()->DeleteSubrange(3, report.comparisons_size() - 3);
  report.mutable_summaries(0)->mutable_counters()->clear();
  (*report.mutable_summaries(0)->mutable_counters())[attack] = 1;
  (*report.mutable_job()->mutable_labels())[attack] = attack;
  (*report.mutable_runs(0)->mutable_host_facts())[attack] = attack;
  FillStrings(report, attack);
  // A case of two parts, and a second arm that is not the base.
  for (v1::Summary& summary : *report.mutable_summaries()) summary.set_case_(attack + "/" + attack);
  report.mutable_comparisons(0)->mutable_base()->set_case_("other");
  const std::string page = RenderHtml(report);
  EXPECT_EQ(NestingFault(page), "");
  EXPECT_EQ(Count(page, "<script"), 1);
  EXPECT_THAT(Markup(page), Not(HasSubstr("<b onload")));
  EXPECT_GT(Count(page, "&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;"), 20);
  EXPECT_THAT(page, Not(HasSubstr("\x01")));
  EXPECT_THAT(page, Not(HasSubstr("\u0085")));
}

TEST(RenderHtml, DrawsEveryRoundOfEveryArm) {
  for (const auto& [report, arms, rounds] :
       {std::tuple(ExampleWakeReport(), 60, 18), std::tuple(ExampleCompileReport(), 40, 9)}) {
    const std::string page = RenderHtml(report);
    EXPECT_EQ(Count(page, "<svg class=\"arm-rounds\""), arms);
    EXPECT_EQ(Count(page, "<title>round "), arms * rounds);
    EXPECT_EQ(Count(page, "<circle ") + Count(page, "<use class=\"beyond\""), arms * rounds);
    EXPECT_EQ(Count(page, "<line class=\"median\""), arms);
    EXPECT_EQ(Count(page, "<div class=\"ratio\""), report.comparisons_size());
    EXPECT_THAT(page, Not(HasSubstr("Medians only")));
  }
}

TEST(RenderHtml, NamesRoundAndValueOfADot) {
  v1::Report report = ExampleLargeReport(1, 1, 2);
  report.mutable_summaries(0)->set_round_values(1, 1.5e-6);
  report.mutable_summaries(0)->set_round_indices(1, 7);
  EXPECT_THAT(RenderHtml(report), HasSubstr("<title>round 7: 1.50 \u00B5s</title>"));
}

TEST(RenderHtml, WithoutRoundsDrawsFromTheLeastToTheGreatest) {
  v1::Report report = ExampleWakeReport();
  for (v1::Summary& summary : *report.mutable_summaries()) summary.clear_round_values();
  const std::string page = RenderHtml(report);
  EXPECT_THAT(page, Not(HasSubstr("<circle")));
  EXPECT_EQ(Count(page, "<line class=\"span\""), 60);
  EXPECT_THAT(page, HasSubstr("A thin line reaches from the least to the greatest round."));
  EXPECT_THAT(page, Not(HasSubstr("Medians only"))) << "nothing was left out";
}

TEST(RenderHtml, ARoundFarFromTheOthersDoesNotStretchTheAxis) {
  v1::Report report = ExampleLargeReport(1, 1, 18);
  v1::Summary& arm = *report.mutable_summaries(0);
  for (int i = 0; i < 18; ++i) arm.set_round_values(i, 1e-6 + i * 1e-9);
  arm.set_median(1.0085e-6);
  arm.set_median_lower(1.004e-6);
  arm.set_median_upper(1.013e-6);
  arm.set_round_values(5, 40e-6);
  arm.set_min(1e-6);
  arm.set_max(40e-6);
  const std::string page = RenderHtml(report);
  EXPECT_EQ(Count(page, "<circle "), 17);
  EXPECT_THAT(page, HasSubstr("<use class=\"beyond\" href=\"#mark-slower\" x=\"97.00%\""));
  EXPECT_THAT(page, HasSubstr(": 40.0 \u00B5s</title>"));
}

TEST(RenderHtml, DrawsNoRoundsAboveTheLimitAndSaysSo) {
  v1::Report report = ExampleLargeReport(10, 100, kMaxPlottedRounds / 1000);
  EXPECT_EQ(Count(RenderHtml(report), "<title>round "), kMaxPlottedRounds);
  report.mutable_summaries(0)->add_round_values(1e-6);
  const std::string page = RenderHtml(report);
  EXPECT_EQ(Count(page, "<title>round "), 0);
  EXPECT_THAT(page, HasSubstr(absl::StrCat("Medians only: the report has ", kMaxPlottedRounds + 1,
                                           " values of rounds, and a page draws at most ", kMaxPlottedRounds, ".")));
  EXPECT_EQ(Count(page, "<line class=\"median\""), 1000);
}

TEST(RenderHtml, ShowsArmsInDetailUpToTheLimitAndNamesTheOtherCases) {
  const int cases = kMaxDetailedArms / 100;
  EXPECT_THAT(RenderHtml(ExampleLargeReport(cases, 100, 1)), Not(HasSubstr("left out here")));
  const std::string page = RenderHtml(ExampleLargeReport(cases + 1, 100, 1));
  EXPECT_EQ(Count(page, "<details class=\"case\""), cases);
  EXPECT_THAT(page, HasSubstr(absl::StrCat("left out here: <span id=\"run0-case", cases + 1, "\">epoll/case", cases)));
}

TEST(RenderHtml, ListsComparisonsUpToTheLimitAndCountsTheOthers) {
  v1::Report report = ExampleLargeReport(kMaxListedComparisons / 100, 101, 1);
  EXPECT_THAT(RenderHtml(report), HasSubstr("<caption>Every comparison</caption>"));
  *report.add_comparisons() = report.comparisons(0);
  report.mutable_comparisons(kMaxListedComparisons)->mutable_base()->set_case_("another");
  const std::string page = RenderHtml(report);
  EXPECT_THAT(page, HasSubstr("This page lists 2000 comparisons; those of this run are counted only."));
  EXPECT_THAT(page, HasSubstr("inconclusive</li>"));
  for (const char* left_out : {"<caption>Every comparison", "<caption>Change of", "Across cases"}) {
    EXPECT_THAT(page, Not(HasSubstr(left_out)));
  }
}

TEST(RenderHtml, UnfoldsASmallReportAndTheFirstCaseOfALargeOne) {
  const std::string small = RenderHtml(ExampleLargeReport(2, kMaxUnfoldedArms / 2, 2));
  EXPECT_EQ(Count(small, "<details class=\"case\" open>"), 2);
  const std::string large = RenderHtml(ExampleLargeReport(2, kMaxUnfoldedArms / 2 + 1, 2));
  EXPECT_EQ(Count(large, "<details class=\"case\" open>"), 1);
  EXPECT_EQ(Count(large, "<details class=\"case\">"), 1);
}

TEST(RenderHtml, SaysWhatWhereAndWhen) {
  const std::string page = RenderHtml(ExampleWakeReport());
  for (const char* said :
       {"<title>wake \u00B7 demo \u00B7 Benchfleet</title>", "<code>01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12</code>",
        "<time datetime=\"2026-02-17T09:30:00Z\">2026-02-17 09:30:00 UTC</time>", "<code>pr=17</code>", "lab-1",
        "Example CPU @ 2.20GHz", "6.1.0-28-amd64", "18, random", "15742305981177092864", "0.12\u20130.94",
        "0.04\u00A0%", "1 measurement failed", "counter lookups is 3, promised is 0",
        "hk1:9c4be1c1d67e9f2f0a3d5b8e7c6a4f10", "sk1:5d8a60c2f1be49d7a0c3e5f7b9d1a2c4"}) {
    EXPECT_THAT(page, HasSubstr(said));
  }
}

TEST(RenderHtml, ARunWithoutFiguresSaysWhy) {
  v1::Report report;
  report.mutable_job()->set_state("expired");
  report.mutable_job()->set_state_reason("no worker took it");
  v1::ReportRun& run = *report.add_runs();
  run.set_state("expired");
  run.set_end_reason("no worker matched arch=arm64");
  const std::string page = RenderHtml(report);
  for (const char* said : {"no worker took it", "no host yet", "no worker matched arch=arm64", "No figures yet."}) {
    EXPECT_THAT(page, HasSubstr(said));
  }
  EXPECT_THAT(page, Not(HasSubstr("Seed")));
}

TEST(RenderHtml, LoadsItselfAnewOnlyWhenAskedAndWhileTheJobHasNotEnded) {
  v1::Report report;
  for (const char* state : {"queued", "running", "succeeded", "failed", "cancelled", "expired"}) {
    report.mutable_job()->set_state(state);
    EXPECT_THAT(RenderHtml(report), Not(HasSubstr("http-equiv=\"refresh\"")));
    const bool reloads = std::string(state) == "queued" || std::string(state) == "running";
    const std::string page = RenderHtmlPage(report, {.reload_after = absl::Seconds(20)});
    EXPECT_EQ(Count(page, "<meta http-equiv=\"refresh\" content=\"20\">"), reloads ? 1 : 0) << state;
    EXPECT_EQ(Count(page, "every 20 seconds"), reloads ? 1 : 0) << state;
  }
}

TEST(RenderHtml, ShowsTheVerdictAsShapeAndWord) {
  v1::Report report = ExampleLargeReport(1, 5, 9);
  const std::vector<std::string> verdicts = {"faster", "slower", "same", "inconclusive"};
  for (int i = 0; i < 4; ++i) report.mutable_comparisons(i)->set_verdict(verdicts[i]);
  const std::string page = RenderHtml(report);
  for (const std::string& verdict : verdicts) {
    // In the overview, in the plot with its words, and in the table of all comparisons.
    const std::string mark = absl::StrCat("<use href=\"#mark-", verdict, "\"");
    EXPECT_GE(Count(page, mark), 4) << verdict;
    EXPECT_GE(Count(page, mark + "/></svg>" + verdict + "</span>"), 2) << verdict;
    EXPECT_THAT(page, HasSubstr("<b>1</b> " + verdict + "</li>"));
  }
}

TEST(RenderHtml, AComparisonWithoutRatioOrIntervalSaysSo) {
  v1::Report report = ExampleLargeReport(1, 3, 9);
  report.mutable_comparisons(0)->clear_ratio_lower();
  report.mutable_comparisons(1)->clear_ratio();
  report.mutable_comparisons(1)->clear_ratio_lower();
  report.mutable_comparisons(1)->add_notes("no_common_round");
  const std::string page = RenderHtml(report);
  EXPECT_THAT(page, HasSubstr(">no interval<"));
  EXPECT_THAT(page, HasSubstr("variant2 <small>no common round</small>"));
  EXPECT_EQ(Count(page, "class=\"whisker\""), 0);
}

TEST(RenderHtml, ANoteOfEveryComparisonIsSaidOnceBelowThePlot) {
  v1::Report report = ExampleLargeReport(1, 4, 9);
  for (v1::Comparison& comparison : *report.mutable_comparisons()) comparison.add_notes("too_few_rounds");
  const std::string page = RenderHtml(report);
  EXPECT_EQ(Count(page, "Every one: too few rounds"), 1);
  EXPECT_THAT(page, Not(HasSubstr("<small>")));
}

TEST(RenderHtml, WritesNumbersAsTheOtherReportsDo) {
  const v1::Report report = ExampleLargeReport(1, 1, 9);
  const v1::Summary& arm = report.summaries(0);
  const Unit unit = ChooseUnit(arm.unit(), arm.median());
  const std::string page = RenderHtml(report);
  EXPECT_THAT(page, HasSubstr("Medians, wall, " + unit.name));
  for (const double value : {arm.median(), arm.min(), arm.max()}) {
    EXPECT_THAT(page, HasSubstr(">" + FormatNumber(value * unit.factor) + "</td>"));
  }
}

TEST(RenderHtml, ShowsCountersThatExplain) {
  v1::Report report = ExampleLargeReport(1, 2, 3);
  for (v1::Summary& summary : *report.mutable_summaries()) {
    (*summary.mutable_counters())["parks_taken"] = 1;
    (*summary.mutable_counters())["socket_bytes"] = summary.variant() == "variant1" ? 2.5 : 0;
  }
  EXPECT_THAT(RenderHtml(report), HasSubstr("socket bytes"));
  EXPECT_THAT(RenderHtml(report), Not(HasSubstr("parks taken"))) << "the same for all";
  report.mutable_summaries()->DeleteSubrange(1, 1);
  EXPECT_THAT(RenderHtml(report), HasSubstr("parks taken")) << "one arm: all of them";
}

TEST(RenderHtml, ShowsFurtherMeasuresEachInItsUnit) {
  const std::string page = RenderHtml(ExampleCompileReport());
  EXPECT_EQ(Count(page, "Further measures, medians</caption>"), 4);
  EXPECT_THAT(page, HasSubstr(">cpu, s</th>"));
  EXPECT_THAT(page, HasSubstr(">launch, \u00B5s</th>"));
  EXPECT_THAT(page, HasSubstr(">efficiency, ratio</th>"));
}

TEST(RenderHtml, TurnsTheOverviewSoThatItIsTallerThanWide) {
  EXPECT_THAT(RenderHtml(ExampleWakeReport()), HasSubstr("<th scope=\"col\">case</th>"));
  EXPECT_THAT(RenderHtml(ExampleCompileReport()), HasSubstr("<th scope=\"col\">contender / base</th>"));
}

TEST(RenderHtml, PlotsARatioAgainstEachBase) {
  const std::string page = RenderHtml(ExampleCompileReport());
  EXPECT_EQ(Count(page, "<figcaption>Ratio to threads, wall, log scale"), 4);
  EXPECT_EQ(Count(page, "<figcaption>Ratio to serial, wall, log scale"), 4);
  EXPECT_EQ(Count(page, "<span class=\"tag\">base</span>"), 8);
}

TEST(RenderHtml, ComparisonsOfTwoCasesAreApart) {
  const std::string page = RenderHtml(ExampleWakeReport());
  EXPECT_THAT(page, HasSubstr("<figcaption>Ratio: in loop against outside, log scale"));
  EXPECT_THAT(page,
              HasSubstr("epoll/<wbr>handle_<wbr>call<wbr>.in_<wbr>loop / handle_<wbr>call<wbr>.outside_<wbr>loop, "
                        "<b>lookup</b>"));
  EXPECT_THAT(RenderHtml(ExampleCompileReport()), Not(HasSubstr("Across cases")));
}

TEST(RenderHtml, ShowsCapabilitiesInWords) {
  const std::string page = RenderHtml(ExampleCompileReport());
  EXPECT_THAT(page, HasSubstr("<th scope=\"col\">gfortran@12.2.0 link</th>"));
  for (const char* outcome : {"</i>accepted<", "</i>refused<", "</i>crashed<"}) EXPECT_THAT(page, HasSubstr(outcome));
  EXPECT_THAT(RenderHtml(ExampleWakeReport()), Not(HasSubstr("Capabilities")));
}

std::vector<std::string> Labels(const html::Axis& axis) {
  std::vector<std::string> labels;
  for (const html::Tick& tick : axis.ticks()) labels.push_back(tick.label);
  return labels;
}

TEST(HtmlAxis, NamesNiceValuesExactly) {
  EXPECT_THAT(Labels(html::Axis::Linear(0, 100)), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_THAT(Labels(html::Axis::Linear(101, 102.6)), ElementsAre("101.0", "101.5", "102.0", "102.5"));
  EXPECT_THAT(Labels(html::Axis::Log(0.9, 1.1)), ElementsAre("0.90", "0.95", "1.00", "1.05", "1.10"));
  EXPECT_THAT(Labels(html::Axis::Log(0.4, 3)), ElementsAre("0.5", "0.7", "1", "1.5", "2", "3"));
  EXPECT_THAT(Labels(html::Axis::Log(0.1, 30)), ElementsAre("0.1", "0.2", "0.5", "1", "2", "5", "10", "20"));
  EXPECT_THAT(Labels(html::Axis::Log(1e-3, 1e3)), ElementsAre("0.001", "0.01", "0.1", "1", "10", "100", "1000"));
}

TEST(HtmlAxis, BeginsAtZeroWhereThatCostsLittle) {
  EXPECT_EQ(Labels(html::Axis::Linear(10, 100)).front(), "0");
  EXPECT_EQ(Labels(html::Axis::Linear(60, 100)).front(), "60");
}

TEST(HtmlAxis, EveryValueStandsWithinThePlotInOrder) {
  for (const html::Axis& axis :
       {html::Axis::Linear(3, 3), html::Axis::Linear(0, 0), html::Axis::Linear(1, 1 + 1e-15),
        html::Axis::Linear(2, 1e9), html::Axis::Log(1, 1), html::Axis::Log(0.2, 0.3), html::Axis::Log(1e-6, 1e6)}) {
    double previous = 0;
    for (const html::Tick& tick : axis.ticks()) {
      EXPECT_GT(axis.At(tick.value), previous);
      previous = axis.At(tick.value);
    }
    EXPECT_GE(axis.ticks().size(), 1u);
    EXPECT_LE(axis.ticks().size(), 14u);
    EXPECT_LT(previous, 100);
    EXPECT_GT(axis.At(-1e300), 0);
    EXPECT_LT(axis.At(1e300), 100);
  }
}

TEST(HtmlAxis, ARatioAxisHoldsOne) {
  for (const html::Axis& axis : {html::Axis::Log(0.2, 0.3), html::Axis::Log(3, 5), html::Axis::Log(1, 1)}) {
    EXPECT_TRUE(axis.Holds(1));
  }
}

}  // namespace
}  // namespace benchfleet
