#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/report/render.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/report/examples.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

using Line = std::vector<std::string>;

// A reader of RFC 4180 that takes LF for the end of a line. Fails on a stray quote.
std::vector<Line> ParseCsv(absl::string_view text) {
  std::vector<Line> lines(1, Line(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string& cell = lines.back().back();
    if (quoted) {
      if (text[i] != '"') {
        cell.push_back(text[i]);
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell.push_back(text[i++]);
      } else {
        quoted = false;
        EXPECT_TRUE(i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\n')) << "after a quote at " << i;
      }
    } else if (text[i] == '"') {
      EXPECT_EQ(cell, "") << "quote within a cell at " << i;
      quoted = true;
    } else if (text[i] == ',') {
      lines.back().emplace_back();
    } else if (text[i] == '\n') {
      lines.emplace_back(1);
    } else {
      cell.push_back(text[i]);
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_THAT(lines.back(), ElementsAre("")) << "no line end at the end";
  lines.pop_back();
  return lines;
}

using Record = std::map<std::string, std::string>;

std::vector<Record> ReadRecords(const std::string& csv) {
  const std::vector<Line> lines = ParseCsv(csv);
  EXPECT_THAT(lines, Each(SizeIs(lines[0].size())));
  std::vector<Record> records;
  for (size_t i = 1; i < lines.size(); ++i) {
    records.emplace_back();
    for (size_t c = 0; c < lines[0].size(); ++c) records.back()[lines[0][c]] = lines[i][c];
  }
  return records;
}

// Cells that are not empty.
Record FilledOf(Record record) {
  std::erase_if(record, [](const auto& cell) { return cell.second.empty(); });
  return record;
}

TEST(RenderCsv, HasALinePerFigure) {
  const std::vector<Record> records = ReadRecords(RenderCsv(ExampleReport()));
  ASSERT_THAT(records, SizeIs(8));
  const Record job = {{"job", "local"},     {"suite", "wake"},      {"project", "default"},
                      {"commit", "abc123"}, {"branch", "main"},     {"run", "local/0"},
                      {"host", "lab-1"},    {"host_key", "hk1:ab"}, {"measure", "wall"}};
  Record summary = job;
  summary.insert({{"record", "summary"},
                  {"case", kWoken},
                  {"variant", "socket"},
                  {"unit", "seconds"},
                  {"rounds", "9"},
                  {"median", "4.2e-06"},
                  {"median_lower", "4.1e-06"},
                  {"median_upper", "1.23456e-05"},
                  {"min", "4.1e-06"},
                  {"max", "1.23456e-05"},
                  {"counter_lookups", "0"},
                  {"counter_socket_bytes_written", "0.3333333333333333"}});
  EXPECT_EQ(FilledOf(records[2]), summary);
  Record comparison = job;
  comparison.insert({{"record", "comparison"},
                     {"case", kReady},
                     {"variant", "socket"},
                     {"unit", "ratio"},
                     {"rounds", "9"},
                     {"kind", "variant"},
                     {"base_case", kReady},
                     {"base_variant", "lookup"},
                     {"ratio", "0.795"},
                     {"ratio_lower", "0.781"},
                     {"ratio_upper", "0.812"},
                     {"level", "0.95"},
                     {"margin", "0.02"},
                     {"verdict", "faster"}});
  EXPECT_EQ(FilledOf(records[4]), comparison);
  EXPECT_EQ(records[7].at("ratio"), "");
  EXPECT_EQ(records[7].at("notes"), "no_common_round");
}

TEST(RenderCsv, HasALinePerCapability) {
  const std::vector<Record> records = ReadRecords(RenderCsv(CompileReport()));
  const Record crashed = {{"record", "capability"}, {"job", "local"},      {"suite", "compile"},
                          {"project", "default"},   {"commit", "abc123"},  {"branch", "main"},
                          {"run", "local/0"},       {"host", "lab-1"},     {"host_key", "hk1:ab"},
                          {"compiler", "flang"},    {"version", "19.1.7"}, {"mode", "link"},
                          {"probe", "f2003pdt"},    {"outcome", "crashed"}};
  EXPECT_EQ(FilledOf(records[records.size() - 3]), crashed);
}

TEST(RenderCsv, AnEmptyReportIsItsHead) {
  const std::vector<Line> lines = ParseCsv(RenderCsv(v1::Report()));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], Contains("record"));
  EXPECT_EQ(lines[0].back(), "outcome");
}

TEST(RenderCsv, LinesEndInLf) {
  const std::string csv = RenderCsv(ExampleReport());
  EXPECT_EQ(csv.find('\r'), std::string::npos);
  EXPECT_EQ(csv.back(), '\n');
}

struct TextCase {
  const char* text;
  const char* read;
};

TEST(RenderCsv, TextComesBackAndIsNeverAFormula) {
  for (const TextCase& c : std::vector<TextCase>{{"plain", "plain"},
                                                 {"a,b", "a,b"},
                                                 {"say \"a\"", "say \"a\""},
                                                 {"\"", "\""},
                                                 {"two\nlines", "two\nlines"},
                                                 {"two\r\nlines", "two\r\nlines"},
                                                 {" spaces ", " spaces "},
                                                 {"=1+1", "'=1+1"},
                                                 {"+1", "'+1"},
                                                 {"-1", "'-1"},
                                                 {"@x,\"", "'@x,\""},
                                                 {"\t=1", "'\t=1"},
                                                 {"\r=1", "'\r=1"},
                                                 {"a=1", "a=1"}}) {
    v1::Report report = ExampleReport();
    report.mutable_summaries(0)->set_variant(c.text);
    const std::vector<Record> records = ReadRecords(RenderCsv(report));
    EXPECT_EQ(records[0].at("variant"), c.read);
    EXPECT_EQ(records[0].at("measure"), "wall");
  }
}

TEST(RenderCsv, NumbersAreNotTakenForFormulas) {
  v1::Report report = ExampleReport();
  report.mutable_summaries(0)->set_median(-0.5);
  EXPECT_EQ(ReadRecords(RenderCsv(report))[0].at("median"), "-0.5");
}

TEST(RenderCsv, ACountersNameIsQuotedToo) {
  v1::Report report = ExampleReport();
  (*report.mutable_summaries(0)->mutable_counters())["a,\"b\""] = 3;
  EXPECT_EQ(ReadRecords(RenderCsv(report))[0].at("counter_a,\"b\""), "3");
}

}  // namespace
}  // namespace benchfleet
