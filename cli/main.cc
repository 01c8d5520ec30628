// The client: flags, the chosen command, its exit code.
#include <cstdio>
#include <exception>
#include <string>

#include "CLI/CLI.hpp"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/interrupts.h"

namespace benchfleet {
namespace {

int Main(int argc, char** argv) {
  CLI::App app("Honest benchmarks on many hosts.", "benchfleet");
  // At least one is asked for below: the parser would hide a mistyped one behind its own complaint.
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", std::string("benchfleet ") + BENCHFLEET_VERSION);
  app.footer(
      "Examples:\n"
      "  benchfleet run wake --local    measure event loops on this machine, no server needed\n"
      "  benchfleet run wake            measure on a host of the server\n"
      "  benchfleet jobs                what was asked for lately\n"
      "\n"
      "Exit codes: 0 ok, 2 usage or invalid job, 4 the benchmark failed or was cancelled, 5 no\n"
      "matching worker in time, 6 server unreachable or not authorised, 7 server error,\n"
      "130 and 143 signals.");
  Invocation invocation;
  for (const auto add : {AddRun, AddWait, AddJobs, AddJob, AddCancel, AddReport, AddWorkers, AddHealth}) {
    add(app, invocation);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  if (!invocation.action) {
    std::fprintf(stderr, "benchfleet: a command is required\n\n%s", app.help().c_str());
    return kExitUsage;
  }
  Interrupts interrupts;
  const absl::StatusOr<int> code = invocation.action(interrupts);
  return code.ok() ? *code : PrintError(code.status());
}

}  // namespace
}  // namespace benchfleet

int main(int argc, char** argv) {
  try {
    return benchfleet::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchfleet: %s\n", error.what());
    return benchfleet::kExitServer;
  }
}
