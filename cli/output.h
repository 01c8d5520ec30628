// Results on standard output, talk and errors on standard error.
#ifndef BENCHFLEET_CLI_OUTPUT_H_
#define BENCHFLEET_CLI_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchfleet/v1/report.pb.h"
#include "cli/progress.h"
#include "common/report/render.h"

namespace benchfleet {

enum class OutputFormat { kText, kJson, kCsv, kMarkdown, kHtml };

// By its name, "markdown".
std::optional<OutputFormat> OutputFormatFromWord(absl::string_view word);

// A report file asked for with --report FORMAT=PATH.
struct ReportFile {
  OutputFormat format;
  std::string path;
};
absl::StatusOr<ReportFile> ParseReportFile(const std::string& text);

// Whether one of the files shows the value of every round.
bool NeedRoundValues(const std::vector<ReportFile>& files);

// Colours only on a terminal that wants them: neither NO_COLOR nor TERM=dumb.
RenderOptions StdoutOptions();
// Bars only on a terminal.
Progress StderrProgress();

void Print(absl::string_view text);
// "benchfleet: what", then each wrong field on a line of its own. Returns the exit code.
int PrintError(const absl::Status& status);

// Writes the files, then prints the report. A file has its old content until it has all of
// the new one, but for devices and pipes. Nothing is printed when a file fails.
absl::Status PrintReport(const v1::Report& report, OutputFormat format, const std::vector<ReportFile>& files);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_OUTPUT_H_
