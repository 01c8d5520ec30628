#include <utility>

#include "cli/commands/commands.h"
#include "cli/settings.h"
#include "common/base/status_macros.h"
#include "common/report/text_format.h"
#include "common/wire/time_wire.h"

namespace benchfleet {

absl::StatusOr<std::unique_ptr<Connection>> Invocation::Connect() const {
  BF_ASSIGN_OR_RETURN(std::string address, ServerAddress(server));
  return std::make_unique<Connection>(std::move(address));
}

absl::StatusOr<std::vector<ReportFile>> Invocation::ReportFiles() const {
  std::vector<ReportFile> files;
  for (const std::string& text : reports) {
    BF_ASSIGN_OR_RETURN(ReportFile file, ParseReportFile(text));
    files.push_back(std::move(file));
  }
  return files;
}

std::string TimeText(const google::protobuf::Timestamp& time) {
  const absl::StatusOr<absl::Time> parsed = ParseTimestamp(time);
  return parsed.ok() ? UtcText(*parsed) : "unknown";
}

void AddServerOption(CLI::App& command, Invocation& invocation) {
  command
      .add_option("--server", invocation.server,
                  "Address of the server (default: BENCHFLEET_SERVER, then `server` of the configuration file, "
                  "then 127.0.0.1:7480)")
      ->type_name("HOST:PORT");
}

void AddOutputOption(CLI::App& command, Invocation& invocation) {
  command.add_option("--output,-o", invocation.output, "What goes to standard output")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void AddReportOptions(CLI::App& command, Invocation& invocation) {
  command.add_option("--output,-o", invocation.output, "What goes to standard output")
      ->check(CLI::IsMember({"text", "json", "csv", "markdown"}))
      ->capture_default_str();
  command
      .add_option("--report", invocation.reports,
                  "Also write the report to a file; FORMAT is text, json, csv, markdown or html; may be repeated")
      ->allow_extra_args(false)  // what follows its value is the command's
      ->type_name("FORMAT=PATH");
}

}  // namespace benchfleet
