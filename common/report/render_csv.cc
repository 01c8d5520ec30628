#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "common/report/render.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

constexpr std::array<const char*, 34> kColumns = {
    "record",       "job",          "suite",        "project",     "commit",  "branch", "run",
    "host",         "host_key",     "case",         "variant",     "measure", "unit",   "rounds",
    "median",       "median_lower", "median_upper", "min",         "max",     "kind",   "base_case",
    "base_variant", "ratio",        "ratio_lower",  "ratio_upper", "level",   "margin", "verdict",
    "notes",        "compiler",     "version",      "mode",        "probe",   "outcome"};
constexpr char kCounterPrefix[] = "counter_";

// A cell that a spreadsheet would take for a formula becomes text.
std::string Text(absl::string_view text) {
  const bool is_formula = !text.empty() && absl::string_view("=+-@\t\r").find(text[0]) != absl::string_view::npos;
  std::string cell = absl::StrCat(is_formula ? "'" : "", text);
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  return absl::StrCat("\"", absl::StrReplaceAll(cell, {{"\"", "\"\""}}), "\"");
}

// One line; cells by column, the others empty.
class Record {
 public:
  Record(const v1::Report& report, absl::string_view kind, const std::string& run_id, const std::string& host) {
    Set("record", kind);
    Set("job", report.job().id());
    Set("suite", report.job().suite());
    Set("project", report.job().project());
    Set("commit", report.job().commit());
    Set("branch", report.job().branch());
    Set("run", run_id);
    Set("host", host);
    for (const v1::ReportRun& run : report.runs()) {
      if (run.id() == run_id) Set("host_key", run.host_key());
    }
  }
  void Set(const std::string& column, absl::string_view text) { cells_[column] = Text(text); }
  void Set(const std::string& column, double value) { cells_[column] = ExactNumber(value); }
  void Set(const std::string& column, int value) { cells_[column] = absl::StrCat(value); }

  std::string Line(const std::vector<std::string>& columns) const {
    std::vector<std::string> line;
    for (const std::string& column : columns) {
      const auto cell = cells_.find(column);
      line.push_back(cell == cells_.end() ? "" : cell->second);
    }
    return absl::StrCat(absl::StrJoin(line, ","), "\n");
  }

 private:
  std::map<std::string, std::string> cells_;
};

Record SummaryRecord(const v1::Report& report, const v1::Summary& summary) {
  Record record(report, "summary", summary.run_id(), summary.host());
  record.Set("case", summary.case_());
  record.Set("variant", summary.variant());
  record.Set("measure", summary.measure());
  record.Set("unit", summary.unit());
  record.Set("rounds", summary.rounds());
  record.Set("median", summary.median());
  if (summary.has_median_lower()) record.Set("median_lower", summary.median_lower());
  if (summary.has_median_upper()) record.Set("median_upper", summary.median_upper());
  record.Set("min", summary.min());
  record.Set("max", summary.max());
  for (const auto& [name, value] : summary.counters()) record.Set(kCounterPrefix + name, value);
  return record;
}

Record ComparisonRecord(const v1::Report& report, const v1::Comparison& comparison) {
  Record record(report, "comparison", comparison.run_id(), comparison.host());
  record.Set("case", comparison.contender().case_());
  record.Set("variant", comparison.contender().variant());
  record.Set("measure", comparison.measure());
  record.Set("unit", "ratio");
  record.Set("rounds", comparison.rounds());
  record.Set("kind", comparison.kind());
  record.Set("base_case", comparison.base().case_());
  record.Set("base_variant", comparison.base().variant());
  if (comparison.has_ratio()) record.Set("ratio", comparison.ratio());
  if (comparison.has_ratio_lower()) record.Set("ratio_lower", comparison.ratio_lower());
  if (comparison.has_ratio_upper()) record.Set("ratio_upper", comparison.ratio_upper());
  record.Set("level", comparison.level());
  record.Set("margin", comparison.margin());
  record.Set("verdict", comparison.verdict());
  record.Set("notes", absl::StrJoin(comparison.notes(), " "));
  return record;
}

Record CapabilityRecord(const v1::Report& report, const v1::ReportCapability& capability) {
  Record record(report, "capability", capability.run_id(), capability.host());
  record.Set("compiler", capability.compiler());
  record.Set("version", capability.version());
  record.Set("mode", capability.mode());
  record.Set("probe", capability.probe());
  record.Set("outcome", capability.outcome());
  return record;
}

// The fixed ones, then a column per counter.
std::vector<std::string> ColumnsOf(const v1::Report& report) {
  std::vector<std::string> columns(kColumns.begin(), kColumns.end());
  std::set<std::string> counters;
  for (const v1::Summary& summary : report.summaries()) {
    for (const auto& [name, value] : summary.counters()) counters.insert(kCounterPrefix + name);
  }
  columns.insert(columns.end(), counters.begin(), counters.end());
  return columns;
}

}  // namespace

std::string RenderCsv(const v1::Report& report) {
  const std::vector<std::string> columns = ColumnsOf(report);
  std::vector<std::string> head;
  for (const std::string& column : columns) head.push_back(Text(column));
  std::string csv = absl::StrCat(absl::StrJoin(head, ","), "\n");
  for (const v1::Summary& summary : report.summaries()) csv += SummaryRecord(report, summary).Line(columns);
  for (const v1::Comparison& comparison : report.comparisons())
    csv += ComparisonRecord(report, comparison).Line(columns);
  for (const v1::ReportCapability& c : report.capabilities()) csv += CapabilityRecord(report, c).Line(columns);
  return csv;
}

}  // namespace benchfleet
