// The subcommands: each adds its options to the parser and sets what it does.
#ifndef BENCHFLEET_CLI_COMMANDS_COMMANDS_H_
#define BENCHFLEET_CLI_COMMANDS_COMMANDS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "cli/connection.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "common/wire/enum_words.h"
#include "google/protobuf/generated_enum_reflection.h"
#include "google/protobuf/timestamp.pb.h"

namespace benchfleet {

// Options that many commands have, and what the chosen command does.
struct Invocation {
  std::string server;           // --server; empty when not given
  std::string output = "text";  // --output
  std::vector<std::string> reports;
  std::function<absl::StatusOr<int>(Interrupts&)> action;  // returns the exit code

  OutputFormat format() const { return OutputFormatFromWord(output).value_or(OutputFormat::kText); }
  absl::StatusOr<std::unique_ptr<Connection>> Connect() const;
  absl::StatusOr<std::vector<ReportFile>> ReportFiles() const;
};

// Each keeps a reference to `invocation`.
void AddRun(CLI::App& app, Invocation& invocation);
void AddWait(CLI::App& app, Invocation& invocation);
void AddJobs(CLI::App& app, Invocation& invocation);
void AddJob(CLI::App& app, Invocation& invocation);
void AddCancel(CLI::App& app, Invocation& invocation);
void AddReport(CLI::App& app, Invocation& invocation);
void AddWorkers(CLI::App& app, Invocation& invocation);
void AddHealth(CLI::App& app, Invocation& invocation);

// Shared pieces of the commands above.
// A value of an enum as people read it, "queued"; "unknown" for one of a newer server.
template <typename Enum>
std::string WordOf(Enum value) {
  const auto* found = google::protobuf::GetEnumDescriptor<Enum>()->FindValueByNumber(value);
  return found == nullptr ? "unknown" : EnumWord(*found);
}
std::string TimeText(const google::protobuf::Timestamp& time);
void AddServerOption(CLI::App& command, Invocation& invocation);
// --output of what is no report: text or json.
void AddOutputOption(CLI::App& command, Invocation& invocation);
// --output and --report of a report.
void AddReportOptions(CLI::App& command, Invocation& invocation);

// Follows a job to its end and prints its report; `cancel_on_signal` says whose job it is.
struct AwaitOptions {
  std::optional<absl::Duration> wait_for_worker;
  bool cancel_on_signal = false;
};
absl::StatusOr<int> AwaitJob(const v1::Job& job, const AwaitOptions& options, const Invocation& invocation,
                             const std::vector<ReportFile>& files, Connection& connection, Interrupts& interrupts);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_COMMANDS_COMMANDS_H_
