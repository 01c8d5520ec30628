#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"
#include "common/report/text_format.h"
#include "common/wire/states_wire.h"

namespace benchfleet {
namespace {

constexpr int kMaxPage = 1000;

struct JobsOptions {
  std::string project;
  std::vector<std::string> states;
  int limit = 50;
};

std::string JobsTable(const v1::ListJobsResponse& jobs) {
  TextTable table;
  table.AddRow({"id", "state", "project", "runs", "created", "commit"});
  for (const v1::Job& job : jobs.jobs()) {
    table.AddRow({Printable(job.id()), WordOf(job.state()), Printable(job.spec().project()),
                  absl::StrCat(job.runs_size()), TimeText(job.create_time()), Printable(job.spec().commit())});
  }
  return table.Render("");
}

absl::StatusOr<int> ListAll(const JobsOptions& options, const Invocation& invocation) {
  v1::ListJobsRequest request;
  request.set_project(options.project);
  for (const std::string& word : options.states) request.add_states(ToProto(*JobStateFromWord(word)));
  BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());
  v1::ListJobsResponse all;
  do {
    request.set_page_size(std::min(kMaxPage, options.limit - all.jobs_size()));
    BF_ASSIGN_OR_RETURN(v1::ListJobsResponse page, connection->ListJobs(request));
    all.mutable_jobs()->MergeFrom(page.jobs());
    all.set_next_page_token(page.next_page_token());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty() && all.jobs_size() < options.limit);
  Print(invocation.format() == OutputFormat::kJson ? RenderJson(all) : JobsTable(all));
  return kExitOk;
}

}  // namespace

void AddJobs(CLI::App& app, Invocation& invocation) {
  CLI::App& command = *app.add_subcommand("jobs", "List jobs, newest first");
  const auto options = std::make_shared<JobsOptions>();
  command.add_option("--project", options->project, "Only this project");
  command.add_option("--state", options->states, "Only this state, for example running; may be repeated")
      ->check(CLI::Validator(
          [](const std::string& word) {
            return JobStateFromWord(word).has_value() ? "" : absl::StrCat("'", word, "' is no state of a job");
          },
          "STATE"));
  command.add_option("--limit", options->limit, "At most so many")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  AddServerOption(command, invocation);
  AddOutputOption(command, invocation);
  command.callback([options, &invocation] {
    invocation.action = [options, &invocation](Interrupts&) { return ListAll(*options, invocation); };
  });
}

}  // namespace benchfleet
