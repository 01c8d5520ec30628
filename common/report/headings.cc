#include "common/report/headings.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

void AppendIf(std::vector<std::string>& parts, absl::string_view name, absl::string_view value) {
  if (!value.empty()) parts.push_back(absl::StrCat(name, name.empty() ? "" : " ", value));
}

std::string Fact(const v1::ReportRun& run, const std::string& name) {
  const auto fact = run.host_facts().find(name);
  return fact == run.host_facts().end() || fact->second == "unknown" ? "" : fact->second;
}

}  // namespace

std::string JobHeading(const v1::ReportJob& job) {
  std::vector<std::string> parts;
  AppendIf(parts, "suite", job.suite());
  AppendIf(parts, "project", job.project());
  AppendIf(parts, "commit", job.commit());
  AppendIf(parts, "branch", job.branch());
  AppendIf(parts, "", job.state());
  std::string line = absl::StrCat("job ", job.id(), ": ", absl::StrJoin(parts, ", "));
  if (!job.state_reason().empty()) absl::StrAppend(&line, ": ", job.state_reason());
  return line;
}

std::string RunHeading(const v1::ReportRun& run) {
  std::string line =
      absl::StrCat("host ", run.host().empty() ? "(none yet)" : run.host(), ", run ", run.id(), ": ", run.state());
  if (!run.end_reason().empty()) absl::StrAppend(&line, ": ", run.end_reason());
  return line;
}

std::string RunFacts(const v1::ReportRun& run) {
  if (run.seed().empty()) return "";  // there never was a plan
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
  return absl::StrJoin(parts, ", ");
}

std::string VerdictLegend(const v1::Comparison& c) {
  return absl::StrCat("faster, slower: the whole ", Percent(c.level()),
                      " interval of the ratio lies below 1, above 1. same: it lies within the margin of ",
                      Percent(c.margin()), ". inconclusive: neither is shown; more rounds may show it.");
}

}  // namespace benchfleet
