#include <memory>

#include "cli/commands/commands.h"
#include "common/base/status_macros.h"

namespace benchfleet {

void AddWait(CLI::App& app, Invocation& invocation) {
  CLI::App& command = *app.add_subcommand("wait", "Follow a job to its end and print its table");
  const auto id = std::make_shared<std::string>();
  command.add_option("id", *id, "Job id")->required();
  AddServerOption(command, invocation);
  AddReportOptions(command, invocation);
  command.footer(
      "Ctrl-C ends the waiting, not the job.\n\nExample:\n  benchfleet wait $(benchfleet run wake --detach)");
  command.callback([id, &invocation] {
    invocation.action = [id, &invocation](Interrupts& interrupts) -> absl::StatusOr<int> {
      BF_ASSIGN_OR_RETURN(const std::vector<ReportFile> files, invocation.ReportFiles());
      BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());
      BF_ASSIGN_OR_RETURN(const v1::Job job, connection->GetJob(*id));
      return AwaitJob(job, AwaitOptions(), invocation, files, *connection, interrupts);
    };
  });
}

}  // namespace benchfleet
