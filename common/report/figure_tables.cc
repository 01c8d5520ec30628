#include "common/report/figure_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

constexpr char kWall[] = "wall";
// The measuring program's own, no part of what was measured.
constexpr char kRunnerCpu[] = "runner_cpu";
constexpr char kCompiles[] = "compiles";
constexpr char kPeakChildren[] = "peak_children";

struct Meaning {
  const char* measure;
  const char* text;
};
constexpr std::array<Meaning, 5> kMeanings = {{
    {"cpu", "cpu: CPU time of everything in the pass"},
    {"overhead", "overhead: the strategy's own part of it"},
    {"launch", "launch: time to start one compile"},
    {"longest", "longest: the longest compile"},
    {"efficiency", "efficiency: the least time this host could need / the time taken"},
}};

Cell Dash() { return {"-", ""}; }

std::string Words(const std::string& name) { return absl::StrReplaceAll(name, {{"_", " "}}); }

Cell FiguresCell(const v1::Summary& summary, const Unit& unit) {
  return {FormatNumber(summary.median() * unit.factor),
          absl::StrCat("(", FormatNumber(summary.min() * unit.factor), "-", FormatNumber(summary.max() * unit.factor),
                       ")")};
}

// The unit in which the `rank`-th smallest median has a digit before its point.
Unit UnitOf(const std::string& base, std::vector<double> medians, size_t rank) {
  if (base == "ratio") return {"%", 100};
  std::sort(medians.begin(), medians.end());
  return ChooseUnit(base, medians[rank]);
}

std::vector<double> MediansOf(const ByVariant& cells) {
  std::vector<double> medians;
  for (const auto& [variant, summary] : cells) medians.push_back(summary->median());
  return medians;
}

// Cases as rows, variants as columns.
Grid MediansByCase(const RunResults& results) {
  Grid grid;
  grid.narrow = Grid::Narrow::kList;
  grid.columns = {{"case"}, {""}};
  for (size_t i = 0; i < results.variants.size(); ++i) {
    grid.columns.push_back({results.variants[i], "", Column::Kind::kFigures, static_cast<int>(i) + 1});
  }
  for (const CaseResults& c : results.cases) {
    for (const std::string& measure : c.measures) {
      const ByVariant& cells = c.of.at(measure);
      const Unit unit = UnitOf(cells.begin()->second->unit(), MediansOf(cells), 0);
      std::vector<Cell> row = {{measure == kWall ? c.path : absl::StrCat(c.path, " ", measure), ""}, {unit.name, ""}};
      for (const std::string& variant : results.variants) {
        const auto cell = cells.find(variant);
        row.push_back(cell == cells.end() ? Dash() : FiguresCell(*cell->second, unit));
      }
      grid.rows.push_back(std::move(row));
    }
  }
  return grid;
}

// Variants as rows, the subjects of one setting as columns.
Grid MediansOfSetting(const RunResults& results, const std::string& setting) {
  Grid grid;
  std::vector<const ByVariant*> columns;
  std::vector<double> medians;
  grid.columns = {{""}};
  for (const CaseResults& c : results.cases) {
    const auto wall = c.of.find(kWall);
    if (c.setting != setting || wall == c.of.end()) continue;
    columns.push_back(&wall->second);
    grid.columns.push_back({c.subject, "", Column::Kind::kFigures, static_cast<int>(columns.size())});
    const std::vector<double> more = MediansOf(wall->second);
    medians.insert(medians.end(), more.begin(), more.end());
  }
  if (columns.empty()) return grid;
  const Unit unit = UnitOf(columns[0]->begin()->second->unit(), medians, 0);
  grid.columns[0].head = absl::StrCat(setting, ", ", unit.name);
  for (const std::string& variant : results.variants) {
    std::vector<Cell> row = {{variant, ""}};
    bool any = false;
    for (const ByVariant* cells : columns) {
      const auto cell = cells->find(variant);
      row.push_back(cell == cells->end() ? Dash() : FiguresCell(*cell->second, unit));
      any = any || cell != cells->end();
    }
    if (any) grid.rows.push_back(std::move(row));
  }
  return grid;
}

// Values of one counter, by variant.
using Counter = std::map<std::string, double>;

std::map<std::string, Counter> CountersOf(const CaseResults& c) {
  std::map<std::string, Counter> counters;
  for (const auto& [measure, cells] : c.of) {
    for (const auto& [variant, summary] : cells) {
      for (const auto& [name, value] : summary->counters()) counters[name][variant] = value;
    }
  }
  return counters;
}

std::vector<std::string> VariantsOf(const RunResults& results, const CaseResults& c) {
  std::vector<std::string> variants;
  for (const std::string& variant : results.variants) {
    const bool has_it =
        std::any_of(c.of.begin(), c.of.end(), [&](const auto& measure) { return measure.second.contains(variant); });
    if (has_it) variants.push_back(variant);
  }
  return variants;
}

bool Differs(const Counter& counter, size_t variants) {
  const double first = counter.begin()->second;
  return counter.size() < variants ||
         std::any_of(counter.begin(), counter.end(), [&](const auto& entry) { return entry.second != first; });
}

Cell CountCell(const Counter& counter, const std::string& variant) {
  const auto value = counter.find(variant);
  return value == counter.end() ? Dash() : Cell{FormatCount(value->second), ""};
}

// Counters that explain, one row per case and counter. With one variant, those that are
// not zero.
Grid CountersByCase(const RunResults& results) {
  Grid grid;
  grid.columns = {{absl::StrCat("Per ", results.Operation())}, {""}};
  for (size_t i = 0; i < results.variants.size(); ++i) {
    grid.columns.push_back({results.variants[i], "", Column::Kind::kNumber, static_cast<int>(i) + 1});
  }
  for (const CaseResults& c : results.cases) {
    const size_t variants = VariantsOf(results, c).size();
    std::string label = c.path;
    for (const auto& [name, counter] : CountersOf(c)) {
      if (variants == 1 ? counter.begin()->second == 0 : !Differs(counter, variants)) continue;
      std::vector<Cell> row = {{std::exchange(label, ""), ""}, {Words(name), ""}};
      for (const std::string& variant : results.variants) row.push_back(CountCell(counter, variant));
      grid.rows.push_back(std::move(row));
    }
  }
  return grid;
}

void AddMeasureColumn(const std::string& measure, const ByVariant& cells, Grid& grid,
                      const std::vector<std::string>& variants) {
  const Unit unit = UnitOf(cells.begin()->second->unit(), MediansOf(cells), (cells.size() - 1) / 2);
  const int group = static_cast<int>(grid.columns.size());
  grid.columns.push_back({Words(measure), unit.name, Column::Kind::kNumber, group});
  for (size_t i = 0; i < variants.size(); ++i) {
    const auto cell = cells.find(variants[i]);
    grid.rows[i].push_back(cell == cells.end() ? Dash() : Cell{FormatNumber(cell->second->median() * unit.factor), ""});
  }
}

// "peak", short for what its column holds.
std::string CounterName(const std::string& name) { return name == kPeakChildren ? "peak" : Words(name); }

// Measures and counters of one case; counters that are the same for every variant are
// named in the title.
Grid ReasonsOfCase(const RunResults& results, const CaseResults& c) {
  Grid grid;
  grid.columns = {{""}};
  const std::vector<std::string> variants = VariantsOf(results, c);
  for (const std::string& variant : variants) grid.rows.push_back({{variant, ""}});
  for (const std::string& measure : c.measures) {
    if (measure != kWall && measure != kRunnerCpu) AddMeasureColumn(measure, c.of.at(measure), grid, variants);
  }
  std::vector<std::string> common;
  for (const auto& [name, counter] : CountersOf(c)) {
    if (!Differs(counter, variants.size())) {
      // What is counted comes before how it ended.
      common.insert(name == kCompiles ? common.begin() : common.end(),
                    absl::StrCat(CounterName(name), " ", FormatCount(counter.begin()->second)));
      continue;
    }
    grid.columns.push_back({CounterName(name), "", Column::Kind::kNumber, static_cast<int>(grid.columns.size())});
    for (size_t i = 0; i < variants.size(); ++i) grid.rows[i].push_back(CountCell(counter, variants[i]));
  }
  grid.title = absl::StrCat(c.path, common.empty() ? "" : ": ", absl::StrJoin(common, ", "));
  return grid;
}

// "epoll/frame.ready, counted / lookup"; of two cases both are named, their loop and an
// equal variant once.
std::string PairName(const v1::Comparison& c) {
  const std::string& contender = c.contender().case_();
  std::string base = c.base().case_();
  if (base == contender) return absl::StrCat(contender, ", ", c.contender().variant(), " / ", c.base().variant());
  const size_t slash = contender.find('/');
  if (slash != std::string::npos && base.compare(0, slash + 1, contender, 0, slash + 1) == 0) base.erase(0, slash + 1);
  if (c.base().variant() == c.contender().variant()) {
    return absl::StrCat(contender, " / ", base, ", ", c.base().variant());
  }
  return absl::StrCat(contender, " ", c.contender().variant(), " / ", base, " ", c.base().variant());
}

std::vector<std::string> CommonNotes(const RunResults& results) {
  std::vector<std::string> common;
  if (results.comparisons.empty()) return common;
  for (const std::string& note : results.comparisons.front()->notes()) {
    const auto has_it = [&](const v1::Comparison* c) {
      return std::find(c->notes().begin(), c->notes().end(), note) != c->notes().end();
    };
    if (std::all_of(results.comparisons.begin(), results.comparisons.end(), has_it)) common.push_back(note);
  }
  return common;
}

// "-45.9 %".
std::string Change(double ratio) {
  const double change = (ratio - 1) * 100;
  return absl::StrFormat("%+.*f %%", std::abs(change) < 10 ? 2 : 1, change);
}

std::string Ratio(double ratio) { return absl::StrFormat("%.*f", ratio < 10 ? 3 : 1, ratio); }

Cell RatioCell(const v1::Comparison& c) {
  if (!c.has_ratio()) return Dash();
  if (!c.has_ratio_lower() || !c.has_ratio_upper()) return {Ratio(c.ratio()), "(no interval)"};
  return {Ratio(c.ratio()), absl::StrCat("(", Ratio(c.ratio_lower()), "-", Ratio(c.ratio_upper()), ")")};
}

// With the notes that only some comparisons have.
Cell VerdictCell(const v1::Comparison& c, const std::vector<std::string>& common) {
  std::vector<std::string> notes;
  std::copy_if(c.notes().begin(), c.notes().end(), std::back_inserter(notes),
               [&](const std::string& note) { return std::find(common.begin(), common.end(), note) == common.end(); });
  return {c.verdict(), notes.empty() ? "" : absl::StrCat("(", Words(absl::StrJoin(notes, ", ")), ")")};
}

Grid PairsGrid(const RunResults& results, const std::vector<const v1::Comparison*>& comparisons) {
  const std::vector<std::string> common = CommonNotes(results);
  const bool names_measure = ComparedThing(results).empty();
  Grid grid;
  grid.has_head = false;
  // One group: a row makes no sense in parts.
  grid.columns = {{"contender / base", "", Column::Kind::kText, 1},
                  {"ratio", "", Column::Kind::kFigures, 1},
                  {"change", "", Column::Kind::kNumber, 1},
                  {"verdict", "", Column::Kind::kVerdict, 1}};
  for (const v1::Comparison* c : comparisons) {
    grid.rows.push_back({{names_measure ? absl::StrCat(PairName(*c), ", ", c->measure()) : PairName(*c), ""},
                         RatioCell(*c),
                         {c->has_ratio() ? Change(c->ratio()) : "", ""},
                         VerdictCell(*c, common)});
  }
  return grid;
}

// The comparisons within one case: contenders as rows, bases as columns.
Grid RatiosOfCase(const RunResults& results, const std::vector<const v1::Comparison*>& comparisons) {
  const std::vector<std::string> common = CommonNotes(results);
  std::vector<std::string> contenders, bases;
  for (const std::string& variant : results.variants) {
    const auto has_it = [&](const v1::Comparison* c) { return c->contender().variant() == variant; };
    if (std::any_of(comparisons.begin(), comparisons.end(), has_it)) contenders.push_back(variant);
  }
  for (const v1::Comparison* c : comparisons) {
    AddOnce(contenders, c->contender().variant());  // one without a single figure
    AddOnce(bases, c->base().variant());
  }
  Grid grid;
  grid.columns = {{comparisons.front()->base().case_()}};
  for (size_t i = 0; i < bases.size(); ++i) {
    const int group = static_cast<int>(i) + 1;
    grid.columns.push_back({absl::StrCat("/ ", bases[i]), "", Column::Kind::kFigures, group});
    grid.columns.push_back({"verdict", "", Column::Kind::kVerdict, group});
  }
  for (const std::string& variant : contenders) {
    std::vector<Cell> row(grid.columns.size());
    row[0].value = variant;
    for (size_t i = 0; i < bases.size(); ++i) {
      row[1 + 2 * i] = Dash();
      for (const v1::Comparison* c : comparisons) {
        if (c->contender().variant() != variant || c->base().variant() != bases[i]) continue;
        row[1 + 2 * i] = RatioCell(*c);
        row[2 + 2 * i] = VerdictCell(*c, common);
      }
    }
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

}  // namespace

std::vector<Grid> MedianGrids(const RunResults& results) {
  if (results.cases.empty()) return {};
  if (!results.IsMatrix()) return {MediansByCase(results)};
  std::vector<std::string> settings;
  for (const CaseResults& c : results.cases) AddOnce(settings, c.setting);
  std::vector<Grid> grids;
  for (const std::string& setting : settings) {
    Grid grid = MediansOfSetting(results, setting);
    if (!grid.rows.empty()) grids.push_back(std::move(grid));
  }
  return grids;
}

std::vector<Grid> ReasonGrids(const RunResults& results) {
  std::vector<Grid> grids;
  if (!results.IsMatrix()) {
    grids.push_back(CountersByCase(results));
  } else {
    for (const CaseResults& c : results.cases) grids.push_back(ReasonsOfCase(results, c));
  }
  const auto says_nothing = [](const Grid& grid) { return grid.rows.empty() || grid.columns.size() < 2; };
  grids.erase(std::remove_if(grids.begin(), grids.end(), says_nothing), grids.end());
  return grids;
}

std::string ReasonLegend(const RunResults& results) {
  if (!results.IsMatrix() || results.Operation() != kPass) return "";
  std::vector<std::string> meanings;
  const auto is_shown = [&](const char* measure) {
    return std::any_of(results.cases.begin(), results.cases.end(),
                       [&](const CaseResults& c) { return c.of.contains(measure); });
  };
  for (const Meaning& meaning : kMeanings) {
    if (is_shown(meaning.measure)) meanings.emplace_back(meaning.text);
  }
  const bool has_peak = std::any_of(results.cases.begin(), results.cases.end(), [](const CaseResults& c) {
    return c.of.begin()->second.begin()->second->counters().contains(kPeakChildren);
  });
  if (has_peak) meanings.emplace_back("peak: most compiles alive at once");
  return absl::StrJoin(meanings, "; ");
}

std::vector<Grid> ComparisonGrids(const RunResults& results) {
  if (results.comparisons.empty()) return {};
  const std::string thing = ComparedThing(results);
  if (results.cases.empty() || !results.IsMatrix() || thing.empty()) return {PairsGrid(results, results.comparisons)};
  std::vector<std::string> cases;
  std::map<std::string, std::vector<const v1::Comparison*>> within;
  std::vector<const v1::Comparison*> between;
  for (const v1::Comparison* c : results.comparisons) {
    if (c->base().case_() == c->contender().case_()) {
      AddOnce(cases, c->base().case_());
      within[c->base().case_()].push_back(c);
    } else {
      between.push_back(c);
    }
  }
  std::vector<Grid> grids;
  for (const std::string& path : cases) grids.push_back(RatiosOfCase(results, within[path]));
  if (!between.empty()) grids.push_back(PairsGrid(results, between));
  return grids;
}

std::string NotesOfAll(const RunResults& results) { return Words(absl::StrJoin(CommonNotes(results), ", ")); }

std::string ComparedThing(const RunResults& results) {
  const std::string& measure = results.comparisons.front()->measure();
  const bool all_the_same = std::all_of(results.comparisons.begin(), results.comparisons.end(),
                                        [&](const v1::Comparison* c) { return c->measure() == measure; });
  if (!all_the_same) return "";
  return measure == kWall ? "times" : Words(measure);
}

}  // namespace benchfleet
