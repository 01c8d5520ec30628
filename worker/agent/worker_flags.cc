#include "worker/agent/worker_flags.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/base/status_macros.h"
#include "common/model/worker_name.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

constexpr char kDefaultServer[] = "127.0.0.1:7480";
constexpr char kExamples[] =
    "Examples:\n"
    "  benchfleet-worker --server bench.example.net:7480 --label rack=b4 --label quiet=yes\n"
    "      serves the coordinator until it is told to stop\n"
    "  benchfleet-worker --once --label commit=$GIT_COMMIT\n"
    "      takes one job, then exits: 0 when it succeeded, 4 when it did not\n"
    "\n"
    "SIGTERM and SIGINT: the run is stopped, its lease given back, the session closed (exit 0).\n"
    "A second one kills what still runs and exits at once.\n"
    "\n"
    "Exit codes: 0 ended as asked, 2 wrong usage or the worker cannot start, 4 the one job failed.";

// What of the host's name can be a worker's.
std::string NameOfHost(absl::string_view hostname) {
  hostname = hostname.substr(0, kMaxWorkerNameBytes);
  while (!hostname.empty() && !absl::ascii_isalnum(hostname.back())) hostname.remove_suffix(1);
  return std::string(hostname);
}

std::string OneLine(absl::string_view text) {
  return absl::StrReplaceAll(absl::StripAsciiWhitespace(text), {{"\n", "; "}});
}

void Declare(CLI::App& app, WorkerFlags& flags, std::vector<std::string>& labels, std::string& on_sigterm) {
  app.add_option("--server", flags.server, "Address of the coordinator")
      ->envname("BENCHFLEET_SERVER")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  app.add_option("--name", flags.name,
                 "Name of this worker, unique per coordinator: [a-z0-9.-], at most 63; default: the host's")
      ->type_name("NAME");
  app.add_option("--state-dir", flags.state_dir,
                 "Where identity and unsent results are kept; default: $STATE_DIRECTORY, then "
                 "/var/lib/benchfleet/worker for root, $XDG_STATE_HOME/benchfleet/worker for others")
      ->type_name("DIR");
  app.add_option("--label", labels, "Label jobs can select by; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--python", flags.interpreters,
                 "A CPython interpreter to measure besides those that are found; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  app.add_option("--compiler", flags.compilers, "A compiler to measure besides those that are found; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  app.add_flag("--once", flags.once, "Take one job, then exit");
  app.add_option("--on-sigterm", on_sigterm, "What SIGTERM does with a run: release stops it and gives its lease back")
      ->check(CLI::IsMember({"release"}))
      ->capture_default_str();
  app.add_option("--log-level", flags.log_level, "Least severe message on stderr")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->capture_default_str();
}

absl::Status CheckServer(absl::string_view server) {
  const size_t colon = server.rfind(':');
  if (colon == absl::string_view::npos || colon == 0 || colon + 1 == server.size()) {
    return absl::InvalidArgumentError(absl::StrCat("--server: ", Quoted(server), " is not HOST:PORT"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> CheckWorkerName(absl::string_view name) {
  std::string lower = absl::AsciiStrToLower(name);
  if (!IsWorkerName(lower)) {
    return absl::InvalidArgumentError(absl::StrCat("--name: ", Quoted(name), " is not a worker name, 1-",
                                                   kMaxWorkerNameBytes,
                                                   " characters of [a-z0-9.-], the first and the last of [a-z0-9]"));
  }
  return lower;
}

absl::StatusOr<Labels> ParseLabelFlags(const std::vector<std::string>& flags) {
  Labels labels;
  for (const std::string& flag : flags) {
    const size_t equals = flag.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("--label: ", Quoted(flag), " is not KEY=VALUE"));
    }
    const std::string key = flag.substr(0, equals);
    const std::string value = flag.substr(equals + 1);
    if (IsBuiltInLabel(key)) {
      return absl::InvalidArgumentError(absl::StrCat("--label: ", Quoted(key), " is built in and cannot be set"));
    }
    for (const absl::Status& status : {CheckLabelKey(key), CheckLabelValue(value)}) {
      if (!status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("--label: ", Quoted(flag), ": ", status.message()));
      }
    }
    if (!labels.emplace(key, value).second) {
      return absl::InvalidArgumentError(absl::StrCat("--label: ", Quoted(key), " is given twice"));
    }
    if (labels.size() > kMaxLabels) {
      return absl::InvalidArgumentError(absl::StrCat("--label: more than ", kMaxLabels, " labels"));
    }
  }
  return labels;
}

absl::StatusOr<std::variant<WorkerFlags, PrintAndExit>> ParseWorkerFlags(int argc, const char* const* argv,
                                                                         const std::string& hostname,
                                                                         const std::string& version) {
  WorkerFlags flags;
  flags.server = kDefaultServer;
  flags.log_level = "info";
  std::vector<std::string> labels;
  std::string on_sigterm = "release";
  const std::string version_text = absl::StrCat("benchfleet-worker ", version, "\n");
  try {
    CLI::App app("Runs benchmark jobs of a Benchfleet coordinator on this host.", "benchfleet-worker");
    app.footer(kExamples);
    bool print_version = false;
    app.add_flag("--version", print_version, "Print the version and exit");
    Declare(app, flags, labels, on_sigterm);
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return PrintAndExit{app.help()};
    }
    if (print_version) return PrintAndExit{version_text};
  } catch (const CLI::Error& error) {
    return absl::InvalidArgumentError(OneLine(error.what()));
  }
  BF_RETURN_IF_ERROR(CheckServer(flags.server));
  BF_ASSIGN_OR_RETURN(flags.name, CheckWorkerName(flags.name.empty() ? NameOfHost(hostname) : flags.name));
  BF_ASSIGN_OR_RETURN(flags.labels, ParseLabelFlags(labels));
  return flags;
}

}  // namespace benchfleet
