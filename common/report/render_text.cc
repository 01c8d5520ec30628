#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/report/render.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

constexpr char kIndent[] = "  ";

template <typename T>
void AddOnce(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

// The summaries of one case and measure, by variant.
struct Row {
  std::string label;
  std::map<std::string, const v1::Summary*> cells;
};

// What one run has to show, in the report's order, which is the plan's.
struct RunView {
  const v1::ReportRun* run;
  std::vector<std::string> variants;
  std::vector<Row> rows;
  std::vector<const v1::Comparison*> comparisons;
};

RunView ViewOf(const v1::Report& report, const v1::ReportRun& run) {
  RunView view{&run, {}, {}, {}};
  std::map<std::string, size_t> row_of;
  for (const v1::Summary& summary : report.summaries()) {
    if (summary.run_id() != run.id()) continue;
    AddOnce(view.variants, summary.variant());
    const std::string label =
        summary.measure() == "wall" ? summary.case_() : absl::StrCat(summary.case_(), " ", summary.measure());
    const auto [at, is_new] = row_of.emplace(label, view.rows.size());
    if (is_new) view.rows.push_back({label, {}});
    view.rows[at->second].cells[summary.variant()] = &summary;
  }
  for (const v1::Comparison& comparison : report.comparisons()) {
    if (comparison.run_id() == run.id()) view.comparisons.push_back(&comparison);
  }
  return view;
}

std::string Percent(double ratio) { return absl::StrFormat("%.3g %%", ratio * 100); }

void AppendIf(std::vector<std::string>& parts, absl::string_view name, absl::string_view value) {
  if (!value.empty()) parts.push_back(absl::StrCat(name, name.empty() ? "" : " ", Printable(value)));
}

std::string JobLine(const v1::ReportJob& job) {
  std::vector<std::string> parts;
  AppendIf(parts, "suite", job.suite());
  AppendIf(parts, "project", job.project());
  AppendIf(parts, "commit", job.commit());
  AppendIf(parts, "branch", job.branch());
  AppendIf(parts, "", job.state());
  std::string line = absl::StrCat("job ", Printable(job.id()), ": ", absl::StrJoin(parts, ", "));
  if (!job.state_reason().empty()) absl::StrAppend(&line, ": ", Printable(job.state_reason()));
  return line;
}

std::string Fact(const v1::ReportRun& run, const std::string& name) {
  const auto fact = run.host_facts().find(name);
  return fact == run.host_facts().end() || fact->second == "unknown" ? "" : fact->second;
}

std::string RunHeader(const v1::ReportRun& run, int width) {
  std::string text = absl::StrCat("host ", run.host().empty() ? "(none yet)" : Printable(run.host()), ", run ",
                                  Printable(run.id()), ": ", Printable(run.state()));
  if (!run.end_reason().empty()) absl::StrAppend(&text, ": ", Printable(run.end_reason()));
  text = Wrap(text, "", width);
  if (run.seed().empty()) return text;  // there never was a plan

  std::vector<std::string> parts;
  AppendIf(parts, "", Fact(run, "cpu_model"));
  AppendIf(parts, "kernel", Fact(run, "kernel"));
  if (run.has_load1_min() && run.has_load1_max()) {
    parts.push_back(absl::StrFormat("load %.2f-%.2f", run.load1_min(), run.load1_max()));
  }
  if (run.has_steal_ratio()) parts.push_back(Percent(run.steal_ratio()) + " of CPU time stolen");
  parts.push_back(absl::StrCat(run.rounds(), run.rounds() == 1 ? " round" : " rounds"));
  if (run.attempts() > 1) parts.push_back(absl::StrCat("attempt ", run.attempts()));
  AppendIf(parts, "schedule", run.schedule());
  AppendIf(parts, "seed", run.seed());
  return text + Wrap(absl::StrJoin(parts, ", "), kIndent, width);
}

// "412 (405-430)" of each variant, with the medians of a column aligned at their right.
struct Figures {
  std::string median;
  std::string range;
};

Figures FiguresOf(const v1::Summary& summary, const Unit& unit) {
  return {FormatNumber(summary.median() * unit.factor),
          absl::StrCat("(", FormatNumber(summary.min() * unit.factor), "-", FormatNumber(summary.max() * unit.factor),
                       ")")};
}

Unit UnitOf(const Row& row) {
  double smallest = row.cells.begin()->second->median();
  for (const auto& [variant, summary] : row.cells) smallest = std::min(smallest, summary->median());
  return ChooseUnit(row.cells.begin()->second->unit(), smallest);
}

// One line per case, one column per variant.
TextTable WideMedians(const RunView& view) {
  std::map<std::string, int> median_width;
  for (const Row& row : view.rows) {
    for (const auto& [variant, summary] : row.cells) {
      int& width = median_width[variant];
      width = std::max(width, DisplayWidth(FiguresOf(*summary, UnitOf(row)).median));
    }
  }
  TextTable table;
  std::vector<std::string> header = {"case", ""};
  for (const std::string& variant : view.variants) header.push_back(Printable(variant));
  table.AddRow(header);
  for (const Row& row : view.rows) {
    const Unit unit = UnitOf(row);
    std::vector<std::string> cells = {Printable(row.label), unit.name};
    for (const std::string& variant : view.variants) {
      const auto cell = row.cells.find(variant);
      if (cell == row.cells.end()) {
        cells.push_back("-");
        continue;
      }
      const Figures figures = FiguresOf(*cell->second, unit);
      cells.push_back(absl::StrCat(PadLeft(figures.median, median_width[variant]), " ", figures.range));
    }
    table.AddRow(cells);
  }
  return table;
}

// One line per case, then one per variant: for narrow terminals and many variants.
std::string TallMedians(const RunView& view) {
  std::string text;
  for (const Row& row : view.rows) {
    const Unit unit = UnitOf(row);
    absl::StrAppend(&text, kIndent, Printable(row.label), ", ", unit.name, "\n");
    TextTable table;
    for (const std::string& variant : view.variants) {
      const auto cell = row.cells.find(variant);
      if (cell == row.cells.end()) continue;
      const Figures figures = FiguresOf(*cell->second, unit);
      table.AddRow({Printable(variant), figures.median, figures.range});
    }
    text += table.Render("    ");
  }
  return text;
}

std::string Medians(const RunView& view, int width) {
  const TextTable wide = WideMedians(view);
  const int available = width - DisplayWidth(kIndent);
  return absl::StrCat(Wrap("Time per operation: median of the rounds (least-greatest round)", kIndent, width),
                      wide.Width() <= available ? wide.Render(kIndent) : TallMedians(view));
}

// Whether a counter can explain a difference: it is not the same for every variant. With
// one variant, whether it is not zero.
bool Explains(const std::map<std::string, double>& values, size_t variants) {
  const double first = values.begin()->second;
  if (variants == 1) return first != 0;
  return values.size() < variants ||
         std::any_of(values.begin(), values.end(), [&](const auto& entry) { return entry.second != first; });
}

// Counters per operation that explain, one line per case and counter.
std::string Counters(const RunView& view) {
  TextTable table;
  std::vector<std::string> header = {"Per operation", ""};
  for (const std::string& variant : view.variants) header.push_back(Printable(variant));
  table.AddRow(header);
  bool any = false;
  for (const Row& row : view.rows) {
    std::map<std::string, std::map<std::string, double>> by_name;
    for (const auto& [variant, summary] : row.cells) {
      for (const auto& [name, value] : summary->counters()) by_name[name][variant] = value;
    }
    std::string label = Printable(row.label);
    for (const auto& [name, values] : by_name) {
      if (!Explains(values, row.cells.size())) continue;
      std::vector<std::string> cells = {std::exchange(label, ""), Printable(absl::StrReplaceAll(name, {{"_", " "}}))};
      for (const std::string& variant : view.variants) {
        const auto value = values.find(variant);
        cells.push_back(value == values.end() ? "-" : FormatCount(value->second));
      }
      table.AddRow(cells);
      any = true;
    }
  }
  return any ? "\n" + table.Render(kIndent) : "";
}

// "epoll/frame.ready, counted / lookup"; of two cases both are named, their loop and an
// equal variant once.
std::string Subject(const v1::Comparison& c) {
  const std::string& contender = c.contender().case_();
  std::string base = c.base().case_();
  if (base == contender) {
    return Printable(absl::StrCat(contender, ", ", c.contender().variant(), " / ", c.base().variant()));
  }
  const size_t slash = contender.find('/');
  if (slash != std::string::npos && base.compare(0, slash + 1, contender, 0, slash + 1) == 0) base.erase(0, slash + 1);
  if (c.base().variant() == c.contender().variant()) {
    return Printable(absl::StrCat(contender, " / ", base, ", ", c.base().variant()));
  }
  return Printable(absl::StrCat(contender, " ", c.contender().variant(), " / ", base, " ", c.base().variant()));
}

// Notes that every comparison has, so that they are said once.
std::vector<std::string> CommonNotes(const std::vector<const v1::Comparison*>& comparisons) {
  std::vector<std::string> common;
  for (const std::string& note : comparisons.front()->notes()) {
    const auto has_it = [&](const v1::Comparison* c) {
      return std::find(c->notes().begin(), c->notes().end(), note) != c->notes().end();
    };
    if (std::all_of(comparisons.begin(), comparisons.end(), has_it)) common.push_back(note);
  }
  return common;
}

std::string NotesText(const std::vector<std::string>& notes) {
  return Printable(absl::StrReplaceAll(absl::StrJoin(notes, ", "), {{"_", " "}}));
}

std::string ColoredVerdict(const std::string& verdict, bool color) {
  const char* code = verdict == "faster" ? "32" : verdict == "slower" ? "31" : verdict == "inconclusive" ? "33" : "";
  if (!color || *code == '\0') return Printable(verdict);
  return absl::StrCat("\x1b[", code, "m", Printable(verdict), "\x1b[0m");
}

// "-45.9 %".
std::string Change(double ratio) {
  const double change = (ratio - 1) * 100;
  return absl::StrFormat("%+.*f %%", std::abs(change) < 10 ? 2 : 1, change);
}

std::string Ratio(double ratio) { return absl::StrFormat("%.*f", ratio < 10 ? 3 : 1, ratio); }

std::string Comparisons(const RunView& view, const RenderOptions& options) {
  if (view.comparisons.empty()) return "";
  std::string text = absl::StrCat("\n", Wrap(absl::StrCat("Comparisons, contender / base: ratio of times (",
                                                          Percent(view.comparisons.front()->level()), " interval)"),
                                             kIndent, options.width));
  // One table, so that the columns of all lines agree; the verdict is added after it,
  // because colours would count as columns.
  TextTable table;
  for (const v1::Comparison* c : view.comparisons) {
    const std::string interval = c->has_ratio_lower() && c->has_ratio_upper()
                                     ? absl::StrCat("(", Ratio(c->ratio_lower()), "-", Ratio(c->ratio_upper()), ")")
                                     : "(no interval)";
    if (c->has_ratio()) {
      table.AddRow({Subject(*c), absl::StrCat(Ratio(c->ratio()), " ", interval), PadLeft(Change(c->ratio()), 9), "|"});
    } else {
      table.AddRow({Subject(*c), "-", "", "|"});
    }
  }
  const std::string body = table.Render(kIndent);
  const std::vector<std::string> common = CommonNotes(view.comparisons);
  size_t start = 0;
  for (const v1::Comparison* c : view.comparisons) {
    const size_t end = body.find('\n', start);
    absl::StrAppend(&text, body.substr(start, end - start - 1), ColoredVerdict(c->verdict(), options.color));
    std::vector<std::string> notes;
    std::copy_if(c->notes().begin(), c->notes().end(), std::back_inserter(notes), [&](const std::string& note) {
      return std::find(common.begin(), common.end(), note) == common.end();
    });
    if (!notes.empty()) absl::StrAppend(&text, " (", NotesText(notes), ")");
    text += "\n";
    start = end + 1;
  }
  if (!common.empty()) text += Wrap("Every comparison: " + NotesText(common), kIndent, options.width);
  return text;
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

std::string Legend(const v1::Comparison& c, int width) {
  return "\n" + Wrap(absl::StrCat("faster, slower: the whole ", Percent(c.level()),
                                  " interval of the ratio lies below 1, above 1. same: it lies within the margin of ",
                                  Percent(c.margin()), ". inconclusive: neither is shown; more rounds may show it."),
                     "", width);
}

}  // namespace

std::string RenderText(const v1::Report& report, const RenderOptions& options) {
  std::string text = Wrap(JobLine(report.job()), "", options.width);
  for (const v1::ReportRun& run : report.runs()) {
    const RunView view = ViewOf(report, run);
    absl::StrAppend(&text, "\n", RunHeader(run, options.width));
    if (!view.rows.empty()) {
      absl::StrAppend(&text, "\n", Medians(view, options.width), Counters(view));
    }
    absl::StrAppend(&text, Comparisons(view, options), Failures(run, options.width));
  }
  if (!report.comparisons().empty()) text += Legend(report.comparisons(0), options.width);
  return text;
}

}  // namespace benchfleet
