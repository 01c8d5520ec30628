#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

// What is known already need not be said again.
std::string Reason(const std::string& text, const std::string& said) {
  return text.empty() || text == said ? "" : absl::StrCat(": ", Printable(text));
}

std::string JobText(const v1::Job& job) {
  std::string text =
      absl::StrCat("job ", Printable(job.id()), ": ", WordOf(job.state()), Reason(job.state_reason(), ""), "\ncreated ",
                   TimeText(job.create_time()), ", project ", Printable(job.spec().project()), ", hosts ",
                   job.spec().host_selector().empty() ? "any" : Printable(job.spec().host_selector()), "\n");
  for (const v1::Run& run : job.runs()) {
    absl::StrAppend(&text, "run ", Printable(run.id()), ": ", WordOf(run.state()), run.host().empty() ? "" : " on ",
                    Printable(run.host()), Reason(run.end_reason(), job.state_reason()));
    if (run.rounds_planned() > 0) absl::StrAppend(&text, ", round ", run.rounds_done(), " of ", run.rounds_planned());
    text += "\n";
    for (const v1::Attempt& attempt : run.attempts()) {
      absl::StrAppend(&text, "  attempt ", attempt.lease_epoch(), " on ", Printable(attempt.host()), ": ",
                      attempt.end() == v1::ATTEMPT_END_UNSPECIFIED ? "running" : WordOf(attempt.end()),
                      Reason(attempt.detail(), run.end_reason()), "\n");
    }
  }
  return text;
}

void AddJobCommand(CLI::App& app, Invocation& invocation, const char* name, const char* description,
                   absl::StatusOr<v1::Job> (Connection::*call)(const std::string&)) {
  CLI::App& command = *app.add_subcommand(name, description);
  const auto id = std::make_shared<std::string>();
  command.add_option("id", *id, "Job id")->required();
  AddServerOption(command, invocation);
  AddOutputOption(command, invocation);
  command.callback([id, call, &invocation] {
    invocation.action = [id, call, &invocation](Interrupts&) -> absl::StatusOr<int> {
      BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());
      BF_ASSIGN_OR_RETURN(const v1::Job job, ((*connection).*call)(*id));
      Print(invocation.format() == OutputFormat::kJson ? RenderJson(job) : JobText(job));
      return kExitOk;
    };
  });
}

}  // namespace

void AddJob(CLI::App& app, Invocation& invocation) {
  AddJobCommand(app, invocation, "job", "Show a job with its runs and attempts", &Connection::GetJob);
}

void AddCancel(CLI::App& app, Invocation& invocation) {
  AddJobCommand(app, invocation, "cancel", "Cancel a job", &Connection::CancelJob);
}

}  // namespace benchfleet
