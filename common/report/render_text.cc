#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/report/capability_tables.h"
#include "common/report/figure_tables.h"
#include "common/report/grid.h"
#include "common/report/headings.h"
#include "common/report/render.h"
#include "common/report/run_results.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

constexpr char kIndent[] = "  ";

std::string RunHeader(const v1::ReportRun& run, int width) {
  const std::string text = Wrap(Printable(RunHeading(run)), "", width);
  const std::string facts = RunFacts(run);
  return facts.empty() ? text : text + Wrap(Printable(facts), kIndent, width);
}

std::string Rendered(const std::vector<Grid>& grids, const RenderOptions& options) {
  const TextLayout layout{kIndent, options.width, options.color};
  std::string text;
  for (const Grid& grid : grids) absl::StrAppend(&text, text.empty() ? "" : "\n", GridToText(grid, layout));
  return text;
}

// A matrix has a table per setting and case, which stand apart from what introduces them.
std::string Medians(const RunResults& results, const RenderOptions& options) {
  const std::vector<Grid> grids = MedianGrids(results);
  if (grids.empty()) return "";
  const std::string intro =
      absl::StrCat("Time per ", results.Operation(), ": median of the rounds (least-greatest round)");
  return absl::StrCat("\n", Wrap(intro, kIndent, options.width), results.IsMatrix() ? "\n" : "",
                      Rendered(grids, options));
}

std::string Reasons(const RunResults& results, const RenderOptions& options) {
  const std::vector<Grid> grids = ReasonGrids(results);
  if (grids.empty()) return "";
  if (!results.IsMatrix()) return "\n" + Rendered(grids, options);
  const std::string intro = absl::StrCat("What explains it: medians of the rounds, counts per ", results.Operation());
  const std::string legend = ReasonLegend(results);
  return absl::StrCat("\n", Wrap(intro, kIndent, options.width),
                      legend.empty() ? "" : Wrap(legend, kIndent, options.width), "\n", Rendered(grids, options));
}

std::string Comparisons(const RunResults& results, const RenderOptions& options) {
  const std::vector<Grid> grids = ComparisonGrids(results);
  if (grids.empty()) return "";
  const std::string thing = ComparedThing(results);
  const std::string intro = absl::StrCat("Comparisons, contender / base: ratio", thing.empty() ? "" : " of ", thing,
                                         " (", Percent(results.comparisons.front()->level()), " interval)");
  std::string text = absl::StrCat("\n", Wrap(intro, kIndent, options.width), grids.front().has_head ? "\n" : "",
                                  Rendered(grids, options));
  const std::string notes = NotesOfAll(results);
  if (!notes.empty()) text += Wrap(Printable("Every comparison: " + notes), kIndent, options.width);
  return text;
}

std::string Capabilities(const RunResults& results, const RenderOptions& options) {
  std::string text;
  for (const CapabilitySet& set : CapabilitySets(results)) {
    absl::StrAppend(&text, "\n", Rendered({set.grid}, options));
    if (set.has_marks) text += Wrap(kModeMarkLegend, kIndent, options.width);
    if (!set.controls.empty()) text += Wrap(Printable(set.controls), kIndent, options.width);
  }
  return text.empty() ? "" : absl::StrCat("\n", Wrap("What the compilers accept", kIndent, options.width), text);
}

std::string Failures(const v1::ReportRun& run, int width) {
  std::string text;
  if (run.failed_samples() > 0) {
    text = absl::StrCat("\n", kIndent, run.failed_samples(),
                        run.failed_samples() == 1 ? " measurement failed" : " measurements failed", "\n");
  }
  for (const std::string& failure : run.failures()) text += Wrap(Printable(failure), "    ", width);
  return text;
}

}  // namespace

std::string RenderText(const v1::Report& report, const RenderOptions& options) {
  std::string text = Wrap(Printable(JobHeading(report.job())), "", options.width);
  for (const v1::ReportRun& run : report.runs()) {
    const RunResults results = ResultsOf(report, run);
    absl::StrAppend(&text, "\n", RunHeader(run, options.width), Medians(results, options), Reasons(results, options),
                    Comparisons(results, options), Capabilities(results, options), Failures(run, options.width));
  }
  if (!report.comparisons().empty()) {
    text += "\n" + Wrap(VerdictLegend(report.comparisons(0)), "", options.width);
  }
  return text;
}

}  // namespace benchfleet
