#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_local.h"
#include "cli/exit_codes.h"
#include "cli/job_options.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"

namespace benchfleet {
namespace {

struct RunOptionsGiven {
  JobFlags job;
  bool local = false;
  LocalPrograms programs;
  std::string request_id;
  bool wait = false;
  bool detach = false;
  std::string timeout;
};

void AddJobOptions(CLI::App& command, JobFlags& job) {
  command.add_option("target", job.target, "A suite (wake, compile) or a job file, YAML or JSON")
      ->required()
      ->type_name("wake|compile|FILE");
  command.add_option("--rounds", job.rounds, "Measured rounds (default: what fits the budget)");
  command.add_option("--budget", job.budget, "Time to measure on each host, for example 3m");
  command.add_option("--margin", job.margin, "Difference below which two variants are the same, for example 2%");
  command.add_option("--seed", job.seed, "Seed of the schedule");
  command.add_option("--variant", job.variants, "Variant to measure: counted, event_loop, ...; may be repeated");
  command.add_option("--interpreter", job.interpreters, "CPython to use, by version, for example 3.11");
  command.add_option("--loop", job.loops, "Event loop to measure: epoll, asyncio")->group("Wake suite");
  command.add_option("--case", job.cases, "Case to measure, for example frame.ready")->group("Wake suite");
  command.add_option("--compiler", job.compilers, "Compiler to use: gfortran, or gcc@12 for a version")
      ->type_name("NAME[@VERSION]")
      ->group("Compile suite");
  command.add_option("--mode", job.modes, "What the compiler makes: compile (an object), link (a program)")
      ->group("Compile suite");
  command.add_option("--limit", job.limits, "Compiles that may run at once (default: the CPUs of the host)")
      ->group("Compile suite");
  command.add_option("--project", job.project, "Project the job belongs to");
  command.add_option("--label", job.labels, "Label of the job; may be repeated")->type_name("KEY=VALUE");
  command.add_option("--commit", job.commit, "Commit the job speaks about");
  command.add_option("--branch", job.branch, "Branch the job speaks about");
}

absl::StatusOr<int> RunOnServer(const RunOptionsGiven& given, const Invocation& invocation, Interrupts& interrupts) {
  AwaitOptions await;
  await.cancel_on_signal = true;
  if (!given.timeout.empty()) {
    BF_ASSIGN_OR_RETURN(await.wait_for_worker, ParseDurationFlag("--timeout", given.timeout));
  }
  if (!given.request_id.empty() && !IsUuid(given.request_id)) {
    return absl::InvalidArgumentError("--request-id: must be a UUID");
  }
  BF_ASSIGN_OR_RETURN(const std::vector<ReportFile> files, invocation.ReportFiles());
  BF_ASSIGN_OR_RETURN(const RequestedJob job, RequestJob(given.job));
  BF_ASSIGN_OR_RETURN(const auto connection, invocation.Connect());

  v1::CreateJobRequest request;
  *request.mutable_spec() = job.proto;
  // Any id makes a second try after a lost answer find the first one's job.
  request.set_request_id(given.request_id.empty() ? UuidV4() : given.request_id);
  BF_ASSIGN_OR_RETURN(const v1::Job created, connection->CreateJob(request));
  if (given.detach) {
    Print(invocation.format() == OutputFormat::kJson ? RenderJson(created) : created.id() + "\n");
    return kExitOk;
  }
  StderrProgress().Say("job " + created.id());
  return AwaitJob(created, await, invocation, files, *connection, interrupts);
}

absl::StatusOr<int> RunHere(const RunOptionsGiven& given, const Invocation& invocation, Interrupts& interrupts) {
  BF_ASSIGN_OR_RETURN(const std::vector<ReportFile> files, invocation.ReportFiles());
  BF_ASSIGN_OR_RETURN(const RequestedJob job, RequestJob(given.job));
  return RunLocal(job.spec, given.programs, invocation.format(), files, interrupts);
}

}  // namespace

void AddRun(CLI::App& app, Invocation& invocation) {
  CLI::App& command = *app.add_subcommand("run", "Measure: on the hosts of a server, or on this one with --local");
  const auto given = std::make_shared<RunOptionsGiven>();
  AddJobOptions(command, given->job);
  CLI::Option* local = command.add_flag("--local", given->local, "Measure on this machine, without a server");
  command.add_option("--python", given->programs.interpreters, "Also use this CPython; may be repeated")
      ->needs(local)
      ->type_name("PATH");
  command.add_option("--compiler-path", given->programs.compilers, "Also look at this compiler; may be repeated")
      ->needs(local)
      ->type_name("PATH");
  for (CLI::Option* option : {
           command.add_option("--hosts", given->job.hosts, "Label selector of the hosts, for example pool=lab"),
           command.add_flag("--all-hosts", given->job.all_hosts, "Run on every matching host, not on one"),
           command.add_option("--timeout", given->timeout, "Give up when no worker has begun by then, for example 10m"),
           command.add_option("--request-id", given->request_id,
                              "UUID that makes a repeated request find the same job"),
           command.add_flag("--detach", given->detach, "Print the job's id and leave it running"),
       }) {
    option->excludes(local)->group("With a server");
  }
  command.add_flag("--wait", given->wait, "Wait for the end and print the table (default)")
      ->excludes("--detach")
      ->group("With a server");
  AddServerOption(command, invocation);
  AddReportOptions(command, invocation);
  command.footer(
      "Examples:\n"
      "  benchfleet run wake --local                       measure on this machine\n"
      "  benchfleet run compile --hosts pool=lab --all-hosts  measure on every host of the lab\n"
      "  benchfleet run job.yaml --rounds 9 --report json=report.json");
  command.callback([given, &invocation] {
    invocation.action = [given, &invocation](Interrupts& interrupts) {
      return given->local ? RunHere(*given, invocation, interrupts) : RunOnServer(*given, invocation, interrupts);
    };
  });
}

}  // namespace benchfleet
