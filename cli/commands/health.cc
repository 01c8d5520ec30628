#include <string>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"

namespace benchfleet {

void AddHealth(CLI::App& app, Invocation& invocation) {
  CLI::App& command = *app.add_subcommand("health", "Ask the server whether it serves");
  AddServerOption(command, invocation);
  command.callback([&invocation] {
    invocation.action = [&invocation](Interrupts&) -> absl::StatusOr<int> {
      BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());
      BF_ASSIGN_OR_RETURN(const std::string word, connection->CheckHealth());
      Print(word + "\n");
      return word == "SERVING" ? kExitOk : kExitServer;
    };
  });
}

}  // namespace benchfleet
