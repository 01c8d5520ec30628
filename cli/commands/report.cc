#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"

namespace benchfleet {

void AddReport(CLI::App& app, Invocation& invocation) {
  CLI::App& command = *app.add_subcommand("report", "Print the figures of a job so far");
  const auto id = std::make_shared<std::string>();
  command.add_option("id", *id, "Job id")->required();
  AddServerOption(command, invocation);
  AddReportOptions(command, invocation);
  command.callback([id, &invocation] {
    invocation.action = [id, &invocation](Interrupts&) -> absl::StatusOr<int> {
      BF_ASSIGN_OR_RETURN(const std::vector<ReportFile> files, invocation.ReportFiles());
      BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());
      BF_ASSIGN_OR_RETURN(const v1::Report report, connection->GetReport(*id, NeedRoundValues(files)));
      BF_RETURN_IF_ERROR(PrintReport(report, invocation.format(), files));
      return kExitOk;
    };
  });
}

}  // namespace benchfleet
