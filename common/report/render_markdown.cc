#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/report/capability_tables.h"
#include "common/report/figure_tables.h"
#include "common/report/grid.h"
#include "common/report/headings.h"
#include "common/report/render.h"
#include "common/report/run_results.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

// Blank lines around, so that Markdown within is read as such. `summary` is ours.
std::string Details(absl::string_view summary, absl::string_view body) {
  return absl::StrCat("\n<details><summary>", summary, "</summary>\n\n", body, "\n</details>\n");
}

std::string Tables(const std::vector<Grid>& grids) {
  std::string text;
  for (const Grid& grid : grids) {
    absl::StrAppend(&text, text.empty() ? "" : "\n");
    if (!grid.title.empty()) absl::StrAppend(&text, "**", MarkdownText(grid.title), "**\n\n");
    text += GridToMarkdown(grid);
  }
  return text;
}

// "**14 comparisons: 3 slower, 2 faster, 9 same**".
std::string VerdictCounts(const v1::Report& report) {
  if (report.comparisons().empty()) return "";
  std::map<std::string, int> counts;
  for (const v1::Comparison& c : report.comparisons()) ++counts[c.verdict()];
  std::vector<std::string> parts;
  for (const char* verdict : {"slower", "faster", "same", "inconclusive"}) {
    if (counts[verdict] > 0) parts.push_back(absl::StrCat(counts[verdict], " ", verdict));
  }
  const int total = report.comparisons_size();
  return absl::StrCat("\n**", total, total == 1 ? " comparison: " : " comparisons: ", absl::StrJoin(parts, ", "),
                      "**\n");
}

std::string Medians(const RunResults& results) {
  const std::vector<Grid> grids = MedianGrids(results);
  if (grids.empty()) return "";
  return absl::StrCat("\nTime per ", results.Operation(), ": median of the rounds (least-greatest round)\n\n",
                      Tables(grids));
}

std::string Reasons(const RunResults& results) {
  const std::vector<Grid> grids = ReasonGrids(results);
  if (grids.empty()) return "";
  const std::string legend = ReasonLegend(results);
  return Details(absl::StrCat("What explains it, per ", results.Operation()),
                 absl::StrCat(legend.empty() ? "" : MarkdownText(legend) + "\n\n", Tables(grids)));
}

std::string Comparisons(const RunResults& results) {
  const std::vector<Grid> grids = ComparisonGrids(results);
  if (grids.empty()) return "";
  const std::string thing = ComparedThing(results);
  std::string text =
      absl::StrCat("\nComparisons, contender / base: ratio", thing.empty() ? "" : " of ", MarkdownText(thing), " (",
                   Percent(results.comparisons.front()->level()), " interval)\n\n", Tables(grids));
  const std::string notes = NotesOfAll(results);
  if (!notes.empty()) absl::StrAppend(&text, "\nEvery comparison: ", MarkdownText(notes), "\n");
  return text;
}

std::string Capabilities(const RunResults& results) {
  std::string text;
  for (const CapabilitySet& set : CapabilitySets(results)) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", GridToMarkdown(set.grid));
    if (set.has_marks) absl::StrAppend(&text, "\n", MarkdownText(kModeMarkLegend), "\n");
    if (!set.controls.empty()) absl::StrAppend(&text, "\n", MarkdownText(set.controls), "\n");
  }
  return text.empty() ? "" : Details("What the compilers accept", text);
}

// As they are: a block of their own needs no escapes but HTML's.
std::string Failures(const v1::ReportRun& run) {
  std::string text;
  if (run.failed_samples() > 0) {
    text = absl::StrCat("\n**", run.failed_samples(),
                        run.failed_samples() == 1 ? " measurement failed**\n" : " measurements failed**\n");
  }
  if (run.failures().empty()) return text;
  text += "\n<pre>\n";
  for (const std::string& failure : run.failures()) {
    absl::StrAppend(&text, absl::StrReplaceAll(Printable(failure), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}}),
                    "\n");
  }
  return text + "</pre>\n";
}

void AddParts(const std::string& of, const google::protobuf::Map<std::string, std::string>& parts, Grid& grid) {
  const std::map<std::string, std::string> sorted(parts.begin(), parts.end());
  for (const auto& [name, value] : sorted) grid.rows.push_back({{of, ""}, {name, ""}, {value, ""}});
}

// The host, then what was measured.
std::string HostFacts(const v1::ReportRun& run) {
  Grid grid;
  grid.columns = {{"of"}, {"fact"}, {"value"}};
  if (!run.host_key().empty()) grid.rows.push_back({{"host", ""}, {"key", ""}, {run.host_key(), ""}});
  AddParts("host", run.host_facts(), grid);
  for (const v1::ReportSubject& subject : run.subjects()) {
    grid.rows.push_back({{subject.name(), ""}, {"key", ""}, {subject.digest(), ""}});
    AddParts(subject.name(), subject.parts(), grid);
  }
  return grid.rows.empty() ? "" : Details("Host and what was measured", GridToMarkdown(grid));
}

std::string RunSection(const v1::Report& report, const v1::ReportRun& run) {
  const RunResults results = ResultsOf(report, run);
  const std::string facts = RunFacts(run);
  return absl::StrCat("\n### ", MarkdownText(RunHeading(run)), "\n", facts.empty() ? "" : "\n", MarkdownText(facts),
                      facts.empty() ? "" : "\n", Medians(results), Comparisons(results), Failures(run),
                      Reasons(results), Capabilities(results), HostFacts(run));
}

}  // namespace

std::string RenderMarkdown(const v1::Report& report) {
  std::string text = absl::StrCat("## ", MarkdownText(JobHeading(report.job())), "\n", VerdictCounts(report));
  for (const v1::ReportRun& run : report.runs()) text += RunSection(report, run);
  if (!report.comparisons().empty()) {
    absl::StrAppend(&text, "\n", MarkdownText(VerdictLegend(report.comparisons(0))), "\n");
  }
  return text;
}

}  // namespace benchfleet
