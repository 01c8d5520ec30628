#include "common/report/render_html.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/report/render.h"
#include "common/report/render_html_assets.h"
#include "common/report/render_html_figures.h"
#include "common/report/render_html_header.h"
#include "common/report/render_html_plot.h"
#include "common/report/render_html_text.h"
#include "common/report/render_html_view.h"

namespace benchfleet {
namespace html {
namespace {

// What all runs of a page have in common.
struct PageFormat {
  bool draw_rounds = true;
  bool unfold_all = true;
  int arms_left = kMaxDetailedArms;
  int cases_shown = 0;
};

std::string RoundsKey(bool draw_rounds) {
  return absl::StrCat(
      "<p class=\"key\">",
      draw_rounds ? "Each dot is a round, the first at the top and the last at the bottom; an arrow "
                    "at the end of the axis is a round far beyond it. "
                  : "A thin line reaches from the least to the greatest round. ",
      "The upright bar is the median of the rounds, the tinted band its interval, the dashed line the median of the "
      "base.</p>\n");
}

std::string RatioKey(const v1::Comparison& c) {
  return absl::StrCat("<p class=\"key\">", VerdictLabel("faster"), " or ", VerdictLabel("slower"), ": the whole ",
                      PercentText(c.level()), " interval of the ratio lies below 1, or above it. ",
                      VerdictLabel("same"), ": it lies within the margin of ", PercentText(c.margin()),
                      ", the grey band. ", VerdictLabel("inconclusive"),
                      ": neither is shown; more rounds may show it.</p>\n");
}

std::string VariantLabel(const v1::Comparison& comparison) { return Name(comparison.contender().variant()); }

std::string CaseSection(const PageCase& page_case, bool draw_rounds, bool unfold) {
  std::string body = RoundsPlot(page_case, draw_rounds);
  for (const std::string& base : page_case.bases) {
    std::vector<const v1::Comparison*> against;
    std::copy_if(page_case.comparisons.begin(), page_case.comparisons.end(), std::back_inserter(against),
                 [&](const v1::Comparison* c) { return c->base().variant() == base; });
    body += RatioPlot(absl::StrCat("Ratio to ", Text(base), ", ", Words(against.front()->measure()), ", log scale"),
                      against, VariantLabel);
  }
  return absl::StrCat("<details class=\"case\"", unfold ? " open" : "", ">\n<summary><h4>", Name(page_case.path),
                      "</h4>", Tally(page_case.comparisons, /*words=*/false),
                      "</summary>\n<div class=\"case-body\" id=\"", page_case.id, "\">\n", body, CaseTables(page_case),
                      "</div>\n</details>\n");
}

std::string Cases(const PageRun& run, PageFormat& format) {
  if (run.cases.empty()) return "";
  std::string html = absl::StrCat("<div class=\"cases\">\n<div class=\"cases-head\"><h3 id=\"", run.id,
                                  "-cases\">Cases</h3></div>\n", RoundsKey(format.draw_rounds));
  std::vector<std::string> left_out;
  for (const PageCase& page_case : run.cases) {
    const int arms = static_cast<int>(page_case.arms.size());
    if (arms > format.arms_left) {
      left_out.push_back(absl::StrCat("<span id=\"", page_case.id, "\">", Text(page_case.path), "</span>"));
      continue;
    }
    format.arms_left -= arms;
    html += CaseSection(page_case, format.draw_rounds, format.unfold_all || format.cases_shown == 0);
    ++format.cases_shown;
  }
  if (!left_out.empty()) {
    absl::StrAppend(&html, "<p>This page shows ", kMaxDetailedArms,
                    " arms in detail; left out here: ", absl::StrJoin(left_out, ", "), ".</p>\n");
  }
  return html + "</div>\n";
}

std::string Across(const PageRun& run) {
  if (run.across.empty()) return "";
  std::string html = absl::StrCat("<h3 id=\"", run.id, "-across\">Across cases</h3>\n");
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<const v1::Comparison*>> by_kind;
  for (const v1::Comparison* c : run.across) {
    if (by_kind[c->kind()].empty()) kinds.push_back(c->kind());
    by_kind[c->kind()].push_back(c);
  }
  for (const std::string& kind : kinds) {
    html += RatioPlot(absl::StrCat("Ratio: ", Words(kind), ", log scale"), by_kind[kind], PairLabel);
  }
  return html;
}

std::string RunSection(const PageRun& run, PageFormat& format) {
  std::string html = absl::StrCat("<section class=\"run\" id=\"", run.id, "\">\n", RunHeader(*run.run));
  if (run.cases.empty()) html += "<p class=\"quiet\">No figures yet.</p>\n";
  if (!run.comparisons.empty()) {
    absl::StrAppend(&html, "<h3 id=\"", run.id, "-verdicts\">Verdicts</h3>\n", Tally(run.comparisons, /*words=*/true),
                    run.listed ? VerdictMatrix(run)
                               : absl::StrCat("<p>This page lists ", kMaxListedComparisons,
                                              " comparisons; those of this run ", "are counted only.</p>\n"),
                    RatioKey(*run.comparisons.front()));
  }
  html += Cases(run, format);
  if (run.listed) html += Across(run);
  if (const std::string map = CapabilityMap(run); !map.empty()) {
    absl::StrAppend(&html, "<h3 id=\"", run.id, "-capabilities\">Capabilities</h3>\n", map);
  }
  absl::StrAppend(&html, "<h3 id=\"", run.id, "-details\">Details</h3>\n");
  if (run.listed && !run.comparisons.empty()) {
    absl::StrAppend(&html, "<details class=\"more\"><summary>Every comparison</summary>\n", ComparisonTable(run),
                    "</details>\n");
  }
  return absl::StrCat(html, RunFacts(*run.run), "</section>\n");
}

// The cases of a run by their first part, so that each is named in a word or two.
std::string CaseLinks(const PageRun& run) {
  std::vector<std::string> subjects;
  std::map<std::string, std::string> links;
  for (const PageCase& page_case : run.cases) {
    const size_t slash = page_case.path.find('/');
    const std::string subject = slash == std::string::npos ? "" : page_case.path.substr(0, slash);
    const std::string rest = slash == std::string::npos ? page_case.path : page_case.path.substr(slash + 1);
    if (links.find(subject) == links.end()) subjects.push_back(subject);
    absl::StrAppend(&links[subject], "<a href=\"#", page_case.id, "\">", Text(rest), "</a>");
  }
  if (subjects.empty()) return "";
  std::string html = "<dl class=\"groups\">\n";
  for (const std::string& subject : subjects) {
    absl::StrAppend(&html, "<dt>", Text(subject), "</dt><dd>", links[subject], "</dd>\n");
  }
  return html + "</dl>\n";
}

std::string Contents(const std::vector<PageRun>& runs) {
  std::string html = "<nav aria-label=\"Contents\">\n";
  for (const PageRun& run : runs) {
    if (runs.size() > 1) {
      absl::StrAppend(&html, "<p class=\"host\"><a href=\"#", run.id, "\">",
                      run.run->host().empty() ? "no host yet" : Text(run.run->host()), "</a></p>\n");
    }
    const auto link = [&](bool present, const char* place, const char* name) {
      return present ? absl::StrCat("<li><a href=\"#", run.id, "-", place, "\">", name, "</a></li>") : "";
    };
    absl::StrAppend(&html, "<ul class=\"places\">", link(!run.comparisons.empty(), "verdicts", "Verdicts"),
                    link(!run.cases.empty(), "cases", "Cases"),
                    link(run.listed && !run.across.empty(), "across", "Across cases"),
                    link(!run.capabilities.empty(), "capabilities", "Capabilities"), link(true, "details", "Details"),
                    "</ul>\n", CaseLinks(run));
  }
  return html + "</nav>\n";
}

std::string Head(const v1::ReportJob& job, bool reloads, const HtmlOptions& options) {
  std::string html = absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      HtmlReportPolicy(),
      "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n");  // else a browser asks the server for one
  if (reloads) {
    absl::StrAppend(&html, "<meta http-equiv=\"refresh\" content=\"", absl::ToInt64Seconds(options.reload_after),
                    "\">\n");
  }
  return absl::StrCat(html, "<title>", Text(JobTitle(job)), " \u00B7 Benchfleet</title>\n<style>", Style(),
                      "</style>\n</head>\n<body>\n", MarkDefinitions(), "<main>\n");
}

int CountArms(const std::vector<PageRun>& runs) {
  size_t count = 0;
  for (const PageRun& run : runs) {
    for (const PageCase& page_case : run.cases) count += page_case.arms.size();
  }
  return static_cast<int>(count);
}

// Marks the runs whose comparisons fit on the page.
void LimitComparisons(std::vector<PageRun>& runs) {
  size_t left = kMaxListedComparisons;
  for (PageRun& run : runs) {
    run.listed = run.comparisons.size() <= left;
    if (run.listed) left -= run.comparisons.size();
  }
}

}  // namespace
}  // namespace html

absl::string_view HtmlReportPolicy() {
  static const std::string* const policy =
      new std::string(absl::StrCat("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-",
                                   html::ScriptDigest(), "'; img-src data:; base-uri 'none'; form-action 'none'"));
  return *policy;
}

std::string RenderHtmlPage(const v1::Report& report, const HtmlOptions& options) {
  using namespace html;
  std::vector<PageRun> runs = ArrangeRuns(report);
  LimitComparisons(runs);
  const bool reloads = !HasEnded(report.job()) && options.reload_after != absl::InfiniteDuration();
  const int rounds = CountRoundValues(runs);
  PageFormat format;
  format.draw_rounds = rounds > 0 && rounds <= kMaxPlottedRounds;
  format.unfold_all = CountArms(runs) <= kMaxUnfoldedArms;

  std::string page = absl::StrCat(Head(report.job(), reloads, options), JobHeader(report.job()));
  if (reloads) {
    absl::StrAppend(&page, "<p class=\"quiet\">The job has not ended; this page loads itself anew every ",
                    absl::ToInt64Seconds(options.reload_after), " seconds.</p>\n");
  }
  if (rounds > kMaxPlottedRounds) {
    absl::StrAppend(&page, "<p class=\"notice\">Medians only: the report has ", rounds,
                    " values of rounds, and a page draws at most ", kMaxPlottedRounds, ".</p>\n");
  }
  if (!runs.empty()) page += Contents(runs);
  for (const PageRun& run : runs) page += RunSection(run, format);
  return absl::StrCat(page, "</main>\n<script>", Script(), "</script>\n</body>\n</html>\n");
}

std::string RenderHtml(const v1::Report& report) { return RenderHtmlPage(report, HtmlOptions{}); }

}  // namespace benchfleet
