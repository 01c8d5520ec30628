#include "common/report/run_results.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_split.h"

namespace benchfleet {
namespace {

constexpr char kCompiles[] = "compiles";

CaseResults NewCase(const std::string& path) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(path, absl::MaxSplits('/', 1));
  return {path, parts.first, parts.second, {}, {}};
}

}  // namespace

bool RunResults::IsMatrix() const {
  return std::all_of(cases.begin(), cases.end(),
                     [](const CaseResults& c) { return c.setting.find('/') != std::string::npos; });
}

absl::string_view RunResults::Operation() const {
  const bool is_pass = std::any_of(cases.begin(), cases.end(), [](const CaseResults& c) {
    return c.of.begin()->second.begin()->second->counters().contains(kCompiles);
  });
  return is_pass ? kPass : "operation";
}

RunResults ResultsOf(const v1::Report& report, const v1::ReportRun& run) {
  RunResults results{&run, {}, {}, {}, {}};
  std::map<std::string, size_t> case_at;
  for (const v1::Summary& summary : report.summaries()) {
    if (summary.run_id() != run.id()) continue;
    AddOnce(results.variants, summary.variant());
    const auto [at, is_new] = case_at.emplace(summary.case_(), results.cases.size());
    if (is_new) results.cases.push_back(NewCase(summary.case_()));
    CaseResults& seen = results.cases[at->second];
    AddOnce(seen.measures, summary.measure());
    seen.of[summary.measure()][summary.variant()] = &summary;
  }
  for (const v1::Comparison& comparison : report.comparisons()) {
    if (comparison.run_id() == run.id()) results.comparisons.push_back(&comparison);
  }
  for (const v1::ReportCapability& capability : report.capabilities()) {
    if (capability.run_id() == run.id()) results.capabilities.push_back(&capability);
  }
  return results;
}

}  // namespace benchfleet
