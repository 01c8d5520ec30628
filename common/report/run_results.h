// What one run has to show, sorted for tables.
#ifndef BENCHFLEET_COMMON_REPORT_RUN_RESULTS_H_
#define BENCHFLEET_COMMON_REPORT_RUN_RESULTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchfleet/v1/report.pb.h"

namespace benchfleet {

inline constexpr absl::string_view kPass = "pass";

// The summaries of one case and measure, by variant.
using ByVariant = std::map<std::string, const v1::Summary*>;

struct CaseResults {
  std::string path;                     // "gfortran@12.2.0/link/j2"
  std::string subject;                  // "gfortran@12.2.0", its first part
  std::string setting;                  // "link/j2", the others
  std::vector<std::string> measures;    // in the report's order
  std::map<std::string, ByVariant> of;  // by measure, each not empty
};

// Everything in the report's order, which is the plan's. Points into the report.
struct RunResults {
  const v1::ReportRun* run;
  std::vector<std::string> variants;
  std::vector<CaseResults> cases;
  std::vector<const v1::Comparison*> comparisons;
  std::vector<const v1::ReportCapability*> capabilities;

  // Whether cases are subjects under settings, `<subject>/<setting>/...`: tables then
  // have the variants as rows and the subjects as columns, one table per setting.
  bool IsMatrix() const;
  // What one operation is: kPass where it runs many programs, else "operation".
  absl::string_view Operation() const;
};

RunResults ResultsOf(const v1::Report& report, const v1::ReportRun& run);

template <typename T>
void AddOnce(std::vector<T>& list, const T& value) {
  for (const T& known : list) {
    if (known == value) return;
  }
  list.push_back(value);
}

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_RUN_RESULTS_H_
