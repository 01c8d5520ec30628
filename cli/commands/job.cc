#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"
#include "common/report/text_format.h"
#include "common/wire/states_wire.h"
#include "google/protobuf/util/time_util.h"

namespace benchfleet {
namespace {

template <typename State>
std::string WordOr(const absl::StatusOr<State>& state, absl::string_view otherwise) {
  return std::string(state.ok() ? Word(*state) : otherwise);
}

std::string Reason(const std::string& text) { return text.empty() ? "" : absl::StrCat(": ", Printable(text)); }

std::string JobText(const v1::Job& job) {
  std::string text = absl::StrCat(
      "job ", Printable(job.id()), ": ", WordOr(ParseJobState(job.state()), "unknown"), Reason(job.state_reason()),
      "\ncreated ", google::protobuf::util::TimeUtil::ToString(job.create_time()), ", project ",
      Printable(job.spec().project()), ", hosts ",
      job.spec().host_selector().empty() ? "any" : Printable(job.spec().host_selector()), "\n");
  for (const v1::Run& run : job.runs()) {
    absl::StrAppend(&text, "run ", Printable(run.id()), ": ", WordOr(ParseRunState(run.state()), "unknown"),
                    run.host().empty() ? "" : " on ", Printable(run.host()), Reason(run.end_reason()));
    if (run.rounds_planned() > 0) absl::StrAppend(&text, ", round ", run.rounds_done(), " of ", run.rounds_planned());
    text += "\n";
    for (const v1::Attempt& attempt : run.attempts()) {
      absl::StrAppend(&text, "  attempt ", attempt.lease_epoch(), " on ", Printable(attempt.host()), ": ",
                      WordOr(ParseAttemptEnd(attempt.end()), "running"), Reason(attempt.detail()), "\n");
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
