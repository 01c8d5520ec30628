// A report, arranged as its page shows it.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_VIEW_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_VIEW_H_

#include <map>
#include <string>
#include <vector>

#include "benchfleet/v1/report.pb.h"

namespace benchfleet::html {

// One case of a run. Everything is in the report's order, which is the plan's, and
// borrowed from the report.
struct PageCase {
  std::string id;  // of its section
  std::string path;
  std::string measure;                             // what is plotted: "wall", or the first one
  std::vector<const v1::Summary*> arms;            // of that measure
  std::vector<std::string> other_measures;         // besides it
  std::vector<const v1::Summary*> other_arms;      // of those
  std::vector<std::string> bases;                  // variants others of this case are compared with
  std::vector<const v1::Comparison*> comparisons;  // within the case

  bool IsBase(const std::string& variant) const;
  // nullptr: not measured.
  const v1::Summary* Find(const std::string& variant, const std::string& measure) const;
};

struct PageRun {
  std::string id;
  const v1::ReportRun* run = nullptr;
  std::vector<PageCase> cases;
  bool listed = true;                              // else its comparisons are counted only
  std::vector<const v1::Comparison*> comparisons;  // all
  std::vector<const v1::Comparison*> across;       // of two cases
  std::vector<const v1::ReportCapability*> capabilities;
};

std::vector<PageRun> ArrangeRuns(const v1::Report& report);

// Counters that explain: of several arms those that are not the same for all, of one arm
// every one. By name, then by variant.
std::map<std::string, std::map<std::string, double>> ExplainingCounters(const PageCase& page_case);

// Rounds that would be drawn for all runs.
int CountRoundValues(const std::vector<PageRun>& runs);

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_VIEW_H_
