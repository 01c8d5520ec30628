#include "common/report/render_html_view.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace benchfleet::html {
namespace {

constexpr char kHeadline[] = "wall";

bool Has(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void AddOnce(std::vector<std::string>& list, const std::string& value) {
  if (!Has(list, value)) list.push_back(value);
}

// The headline's summaries become the arms, the others stand beside them.
void ChooseMeasure(std::vector<const v1::Summary*> summaries, PageCase& page_case) {
  const bool has_headline =
      std::any_of(summaries.begin(), summaries.end(), [](const auto* s) { return s->measure() == kHeadline; });
  page_case.measure = has_headline ? kHeadline : summaries.front()->measure();
  for (const v1::Summary* summary : summaries) {
    if (summary->measure() == page_case.measure) {
      page_case.arms.push_back(summary);
    } else {
      AddOnce(page_case.other_measures, summary->measure());
      page_case.other_arms.push_back(summary);
    }
  }
}

PageRun ArrangeRun(const v1::Report& report, const v1::ReportRun& run, int number) {
  PageRun page;
  page.id = absl::StrCat("run", number);
  page.run = &run;
  std::vector<std::string> paths;
  std::map<std::string, std::vector<const v1::Summary*>> summaries;
  for (const v1::Summary& summary : report.summaries()) {
    if (summary.run_id() != run.id()) continue;
    AddOnce(paths, summary.case_());
    summaries[summary.case_()].push_back(&summary);
  }
  std::map<std::string, size_t> index;
  for (const std::string& path : paths) {
    index[path] = page.cases.size();
    PageCase& added = page.cases.emplace_back();
    added.id = absl::StrCat(page.id, "-case", page.cases.size());
    added.path = path;
    ChooseMeasure(summaries[path], added);
  }
  for (const v1::Comparison& comparison : report.comparisons()) {
    if (comparison.run_id() != run.id()) continue;
    page.comparisons.push_back(&comparison);
    const auto at = index.find(comparison.contender().case_());
    if (at == index.end() || comparison.base().case_() != comparison.contender().case_()) {
      page.across.push_back(&comparison);
      continue;
    }
    page.cases[at->second].comparisons.push_back(&comparison);
    AddOnce(page.cases[at->second].bases, comparison.base().variant());
  }
  for (const v1::ReportCapability& capability : report.capabilities()) {
    if (capability.run_id() == run.id()) page.capabilities.push_back(&capability);
  }
  return page;
}

}  // namespace

bool PageCase::IsBase(const std::string& variant) const { return Has(bases, variant); }

const v1::Summary* PageCase::Find(const std::string& variant, const std::string& wanted) const {
  const std::vector<const v1::Summary*>& list = wanted == measure ? arms : other_arms;
  const auto found = std::find_if(list.begin(), list.end(), [&](const v1::Summary* s) {
    return s->variant() == variant && s->measure() == wanted;
  });
  return found == list.end() ? nullptr : *found;
}

std::vector<PageRun> ArrangeRuns(const v1::Report& report) {
  std::vector<PageRun> runs;
  for (const v1::ReportRun& run : report.runs()) runs.push_back(ArrangeRun(report, run, static_cast<int>(runs.size())));
  return runs;
}

std::map<std::string, std::map<std::string, double>> ExplainingCounters(const PageCase& page_case) {
  std::map<std::string, std::map<std::string, double>> counters;
  for (const v1::Summary* arm : page_case.arms) {
    for (const auto& [name, value] : arm->counters()) counters[name][arm->variant()] = value;
  }
  if (page_case.arms.size() == 1) return counters;
  for (auto counter = counters.begin(); counter != counters.end();) {
    const std::map<std::string, double>& values = counter->second;
    const bool differs = values.size() < page_case.arms.size() ||
                         std::any_of(values.begin(), values.end(),
                                     [&](const auto& entry) { return entry.second != values.begin()->second; });
    counter = differs ? std::next(counter) : counters.erase(counter);
  }
  return counters;
}

int CountRoundValues(const std::vector<PageRun>& runs) {
  int count = 0;
  for (const PageRun& run : runs) {
    for (const PageCase& page_case : run.cases) {
      for (const v1::Summary* arm : page_case.arms) count += arm->round_values_size();
    }
  }
  return count;
}

}  // namespace benchfleet::html
