#include "common/report/render_html_figures.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/report/render_html_table.h"
#include "common/report/render_html_text.h"
#include "common/report/text_format.h"

namespace benchfleet::html {
namespace {

using VariantPair = std::pair<std::string, std::string>;  // contender, base

std::string PairText(const VariantPair& pair) { return absl::StrCat(Name(pair.first), " / ", Name(pair.second)); }

std::string CaseLink(const PageCase& page_case) {
  return absl::StrCat("<a href=\"#", page_case.id, "\">", Name(page_case.path), "</a>");
}

// Shape and change for the eye, the word for everybody else.
void AddVerdictCell(Table& table, const v1::Comparison* comparison) {
  if (comparison == nullptr) return table.Number("", std::nullopt);
  const std::string word = absl::StrCat("<span class=\"aside\">", Text(comparison->verdict()), "</span>");
  if (!comparison->has_ratio()) {
    return table.Number(absl::StrCat(VerdictMark(comparison->verdict()), word), std::nullopt);
  }
  table.Number(absl::StrCat("<span class=\"verdict ", VerdictClass(comparison->verdict()), "\">",
                            VerdictMark(comparison->verdict()), ChangeText(comparison->ratio()), word, "</span>"),
               comparison->ratio());
}

Unit UnitOf(const std::vector<const v1::Summary*>& arms, const std::string& measure) {
  const v1::Summary* smallest = nullptr;
  for (const v1::Summary* arm : arms) {
    if (arm->measure() == measure && (smallest == nullptr || arm->median() < smallest->median())) smallest = arm;
  }
  return smallest == nullptr ? Unit{"", 1} : ChooseUnit(smallest->unit(), smallest->median());
}

std::string MeasureName(const std::string& measure, const Unit& unit) {
  return absl::StrCat(Words(measure), unit.name.empty() ? "" : ", ", Text(unit.name));
}

std::string MedianTable(const PageCase& page_case) {
  const Unit unit = UnitOf(page_case.arms, page_case.measure);
  Table table(absl::StrCat("Medians, ", MeasureName(page_case.measure, unit)));
  table.TextColumn("variant");
  for (const char* name : {"median", "interval", "least", "greatest", "rounds"}) table.NumberColumn(name);
  const auto number = [&](double value) { return FormatNumber(value * unit.factor); };
  for (const v1::Summary* arm : page_case.arms) {
    table.Row(page_case.IsBase(arm->variant()) ? "base" : "");
    table.Name(Name(arm->variant()));
    table.Number(number(arm->median()), arm->median());
    if (arm->has_median_lower() && arm->has_median_upper()) {
      table.Number(absl::StrCat(number(arm->median_lower()), "\u2013", number(arm->median_upper())),
                   arm->median_upper() - arm->median_lower());
    } else {
      table.Number("", std::nullopt);
    }
    table.Number(number(arm->min()), arm->min());
    table.Number(number(arm->max()), arm->max());
    table.Number(absl::StrCat(arm->rounds()), arm->rounds());
  }
  return table.Finish();
}

std::string MeasureTable(const PageCase& page_case) {
  if (page_case.other_measures.empty()) return "";
  Table table("Further measures, medians");
  table.TextColumn("variant");
  std::map<std::string, Unit> units;
  for (const std::string& measure : page_case.other_measures) {
    units[measure] = UnitOf(page_case.other_arms, measure);
    table.NumberColumn(MeasureName(measure, units[measure]));
  }
  for (const v1::Summary* arm : page_case.arms) {
    table.Row(page_case.IsBase(arm->variant()) ? "base" : "");
    table.Name(Name(arm->variant()));
    for (const std::string& measure : page_case.other_measures) {
      const v1::Summary* summary = page_case.Find(arm->variant(), measure);
      if (summary == nullptr) {
        table.Number("", std::nullopt);
      } else {
        table.Number(FormatNumber(summary->median() * units[measure].factor), summary->median());
      }
    }
  }
  return table.Finish();
}

std::string CounterTable(const PageCase& page_case) {
  const auto counters = ExplainingCounters(page_case);
  if (counters.empty()) return "";
  Table table("Counters per operation");
  table.TextColumn("variant");
  for (const auto& [name, values] : counters) table.NumberColumn(Words(name));
  for (const v1::Summary* arm : page_case.arms) {
    table.Row(page_case.IsBase(arm->variant()) ? "base" : "");
    table.Name(Name(arm->variant()));
    for (const auto& [name, values] : counters) {
      const auto value = values.find(arm->variant());
      if (value == values.end()) {
        table.Number("", std::nullopt);
      } else {
        table.Number(FormatCount(value->second), value->second);
      }
    }
  }
  return table.Finish();
}

std::string OutcomeLabel(const std::string& outcome) {
  const char* look = outcome == "accepted" ? "accepted" : outcome == "refused" ? "refused" : "other";
  const char* symbol = outcome == "accepted" ? "\u2713" : outcome == "refused" ? "\u00D7" : "!";
  return absl::StrCat("<span class=\"outcome ", look, "\"><i aria-hidden=\"true\">", symbol, "</i>", Words(outcome),
                      "</span>");
}

std::string ToolName(const v1::ReportCapability& capability) {
  return absl::StrCat(capability.compiler(), "@", capability.version(), " ", capability.mode());
}

}  // namespace

std::string Tally(const std::vector<const v1::Comparison*>& comparisons, bool words) {
  std::string html;
  for (const char* verdict : {"faster", "slower", "same", "inconclusive"}) {
    const auto count = std::count_if(comparisons.begin(), comparisons.end(),
                                     [&](const v1::Comparison* c) { return VerdictClass(c->verdict()) == verdict; });
    if (count == 0) continue;
    absl::StrAppend(&html, "<li class=\"verdict ", verdict, "\">", VerdictMark(verdict), "<b>", count, "</b> ",
                    words ? "" : "<span class=\"aside\">", verdict, words ? "" : "</span>", "</li>");
  }
  return html.empty() ? "" : absl::StrCat("<ul class=\"tally\">", html, "</ul>\n");
}

std::string VerdictMatrix(const PageRun& run) {
  std::vector<VariantPair> pairs;
  std::map<std::pair<const PageCase*, VariantPair>, const v1::Comparison*> cells;
  std::vector<const PageCase*> cases;
  for (const PageCase& page_case : run.cases) {
    if (!page_case.comparisons.empty()) cases.push_back(&page_case);
    for (const v1::Comparison* c : page_case.comparisons) {
      const VariantPair pair(c->contender().variant(), c->base().variant());
      if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
      cells.emplace(std::pair(&page_case, pair), c);
    }
  }
  if (pairs.empty()) return "";
  const auto find = [&](const PageCase* page_case, const VariantPair& pair) {
    const auto cell = cells.find(std::pair(page_case, pair));
    return cell == cells.end() ? nullptr : cell->second;
  };
  Table table("Change of the median time, contender / base");
  if (pairs.size() <= cases.size()) {
    table.TextColumn("case");
    for (const VariantPair& pair : pairs) table.NumberColumn(PairText(pair));
    for (const PageCase* page_case : cases) {
      table.Row();
      table.Name(CaseLink(*page_case));
      for (const VariantPair& pair : pairs) AddVerdictCell(table, find(page_case, pair));
    }
  } else {
    table.TextColumn("contender / base");
    for (const PageCase* page_case : cases) table.NumberColumn(CaseLink(*page_case));
    for (const VariantPair& pair : pairs) {
      table.Row();
      table.Name(PairText(pair));
      for (const PageCase* page_case : cases) AddVerdictCell(table, find(page_case, pair));
    }
  }
  return table.Finish();
}

std::string CaseTables(const PageCase& page_case) {
  return absl::StrCat("<div class=\"tables\">\n", MedianTable(page_case), MeasureTable(page_case),
                      CounterTable(page_case), "</div>\n");
}

std::string ComparisonTable(const PageRun& run) {
  Table table("Every comparison");
  for (const char* name : {"contender", "base"}) table.TextColumn(name);
  for (const char* name : {"ratio", "interval", "change"}) table.NumberColumn(name);
  table.TextColumn("verdict");
  table.NumberColumn("rounds");
  const bool any_notes = std::any_of(run.comparisons.begin(), run.comparisons.end(),
                                     [](const v1::Comparison* c) { return !c->notes().empty(); });
  for (const char* name : {"measure", "kind"}) table.TextColumn(name);
  if (any_notes) table.TextColumn("notes");
  for (const v1::Comparison* c : run.comparisons) {
    table.Row();
    table.Name(absl::StrCat(Name(c->contender().case_()), " <b>", Text(c->contender().variant()), "</b>"));
    table.Cell(absl::StrCat(c->base().case_() == c->contender().case_() ? "" : Name(c->base().case_()) + " ", "<b>",
                            Text(c->base().variant()), "</b>"));
    const std::optional<double> ratio = c->has_ratio() ? std::optional(c->ratio()) : std::nullopt;
    const std::string interval = RatioIntervalText(*c);
    table.Number(ratio ? RatioText(*ratio) : "", ratio);
    table.Number(interval, interval.empty() ? std::nullopt : std::optional(c->ratio_upper() / c->ratio_lower()));
    table.Number(ratio ? ChangeText(*ratio) : "", ratio);
    table.Cell(VerdictLabel(c->verdict()));
    table.Number(absl::StrCat(c->rounds()), c->rounds());
    table.Cell(Words(c->measure()));
    table.Cell(Words(c->kind()));
    if (any_notes) table.Cell(OwnNotes(*c, {}));
  }
  return table.Finish();
}

std::string CapabilityMap(const PageRun& run) {
  std::vector<std::string> tools;
  std::vector<std::string> probes;
  std::map<std::pair<std::string, std::string>, std::string> outcomes;  // by probe and tool
  std::set<std::string> known;
  for (const v1::ReportCapability* capability : run.capabilities) {
    const std::string tool = ToolName(*capability);
    if (known.insert("tool " + tool).second) tools.push_back(tool);
    if (known.insert("probe " + capability->probe()).second) probes.push_back(capability->probe());
    outcomes[{capability->probe(), tool}] = capability->outcome();
  }
  if (probes.empty()) return "";
  Table table("What each compiler makes of each probe");
  table.TextColumn("probe");
  for (const std::string& tool : tools) table.TextColumn(Text(tool));
  for (const std::string& probe : probes) {
    table.Row();
    table.Name(Name(probe));
    for (const std::string& tool : tools) {
      const auto outcome = outcomes.find({probe, tool});
      table.Cell(outcome == outcomes.end() ? "" : OutcomeLabel(outcome->second));
    }
  }
  return table.Finish();
}

std::string PairLabel(const v1::Comparison& comparison) {
  const v1::ReportArm& contender = comparison.contender();
  const v1::ReportArm& base = comparison.base();
  std::string base_case = base.case_();
  // The part both share is said once.
  const size_t slash = contender.case_().find('/');
  if (slash != std::string::npos && base_case.compare(0, slash + 1, contender.case_(), 0, slash + 1) == 0) {
    base_case.erase(0, slash + 1);
  }
  if (contender.variant() == base.variant()) {
    return absl::StrCat(Name(contender.case_()), " / ", Name(base_case), ", <b>", Text(base.variant()), "</b>");
  }
  return absl::StrCat(Name(contender.case_()), " <b>", Text(contender.variant()), "</b> / ", Name(base_case), " <b>",
                      Text(base.variant()), "</b>");
}

}  // namespace benchfleet::html
