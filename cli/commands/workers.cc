#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "common/base/status_macros.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

std::string WorkersTable(const v1::ListWorkersResponse& workers) {
  TextTable table;
  table.AddRow({"name", "state", "run", "cpus", "pythons", "last seen", "labels"});
  for (const v1::Worker& worker : workers.workers()) {
    std::vector<std::string> pythons, labels;
    for (const v1::Interpreter& python : worker.facts().interpreters()) pythons.push_back(python.version());
    const std::map<std::string, std::string> sorted(worker.labels().begin(), worker.labels().end());
    for (const auto& [key, value] : sorted) labels.push_back(absl::StrCat(key, "=", value));
    table.AddRow({Printable(worker.name()), WordOf(worker.state()),
                  worker.run_id().empty() ? "-" : Printable(worker.run_id()), absl::StrCat(worker.facts().cpus()),
                  pythons.empty() ? "-" : Printable(absl::StrJoin(pythons, ",")), TimeText(worker.last_seen_time()),
                  Printable(absl::StrJoin(labels, ","))});
  }
  return table.Render("");
}

absl::StatusOr<int> ListAll(const Invocation& invocation) {
  BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());
  v1::ListWorkersRequest request;
  v1::ListWorkersResponse all;
  do {
    BF_ASSIGN_OR_RETURN(v1::ListWorkersResponse page, connection->ListWorkers(request));
    all.mutable_workers()->MergeFrom(page.workers());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  Print(invocation.format() == OutputFormat::kJson ? RenderJson(all) : WorkersTable(all));
  return kExitOk;
}

}  // namespace

void AddWorkers(CLI::App& app, Invocation& invocation) {
  CLI::App& command = *app.add_subcommand("workers", "List workers by name");
  AddServerOption(command, invocation);
  AddOutputOption(command, invocation);
  command.callback([&invocation] { invocation.action = [&invocation](Interrupts&) { return ListAll(invocation); }; });
}

}  // namespace benchfleet
