#include "common/runner/runner_process.h"

#include <stdlib.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "benchfleet/v1/worker.pb.h"
#include "common/base/status_macros.h"
#include "common/os/process.h"
#include "common/runner/framing.h"
#include "common/runner/runner_session.h"
#include "common/wire/host_wire.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

constexpr char kRunnerName[] = "benchfleet-runner";
// Every interpreter and compiler may take its ten seconds.
constexpr absl::Duration kDescribeTimeout = absl::Minutes(2);

std::vector<std::string> RunnerArguments(const RunnerOptions& options, bool describe) {
  std::vector<std::string> argv = {options.runner_path};
  if (describe) argv.push_back("describe");
  for (const std::string& path : options.interpreters) {
    argv.push_back("--python");
    argv.push_back(path);
  }
  for (const std::string& path : options.compilers) {
    argv.push_back("--compiler");
    argv.push_back(path);
  }
  return argv;
}

// Ours, with the attempt's token in place of any other.
std::vector<std::string> RunnerEnvironment(const std::string& attempt_token) {
  const std::string prefix = absl::StrCat(kAttemptVariable, "=");
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!absl::StartsWith(*entry, prefix)) environment.push_back(*entry);
  }
  if (!attempt_token.empty()) environment.push_back(absl::StrCat(prefix, attempt_token));
  return environment;
}

absl::StatusOr<HostFacts> ParseFacts(const ProcessResult& result) {
  FrameDecoder decoder;
  decoder.Append(result.out);
  v1::HostFacts message;
  BF_ASSIGN_OR_RETURN(const bool whole, decoder.Next(message));
  if (!whole || decoder.InsideFrame()) return absl::DataLossError("not exactly one message");
  return ParseHostFacts(message);
}

std::string LastWords(const std::string& err) {
  absl::string_view words = absl::StripAsciiWhitespace(err);
  if (words.size() > kMaxLastWordsBytes) words.remove_prefix(words.size() - kMaxLastWordsBytes);
  return words.empty() ? "" : absl::StrCat("; its last words: ", ToUtf8(words));
}

}  // namespace

absl::StatusOr<std::string> FindRunnerFrom(const std::string& folder) {
  const std::string beside = absl::StrCat(folder, "/", kRunnerName);
  const std::string libexec = absl::StrCat(folder, "/../libexec/benchfleet/", kRunnerName);
  for (const std::string& path : {beside, libexec}) {
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return absl::NotFoundError(absl::StrCat("no ", kRunnerName, ": looked for ", beside, " and ", libexec));
}

absl::StatusOr<std::string> FindRunner() {
  const std::unique_ptr<char, void (*)(void*)> self(::realpath("/proc/self/exe", nullptr), ::free);
  if (self == nullptr) return absl::NotFoundError("no /proc/self/exe: where this program is cannot be known");
  const std::string path = self.get();
  return FindRunnerFrom(path.substr(0, path.rfind('/')));
}

absl::StatusOr<HostFacts> DescribeHost(const RunnerOptions& options) {
  Command command;
  command.argv = RunnerArguments(options, /*describe=*/true);
  command.environment = RunnerEnvironment("");
  RunOptions run;
  run.timeout = kDescribeTimeout;
  run.max_output_bytes = kMaxFrameBytes;
  PosixProcessSpawner spawner;
  BF_ASSIGN_OR_RETURN(const ProcessResult result, spawner.Run(command, run));
  const std::string name = absl::StrCat(options.runner_path, " describe");
  if (result.timed_out) {
    return absl::UnavailableError(absl::StrCat(name, ": no answer within ", absl::FormatDuration(kDescribeTimeout)));
  }
  if (result.end.exit_code != 0) return absl::UnavailableError(absl::StrCat(name, ": failed", LastWords(result.err)));
  absl::StatusOr<HostFacts> facts = ParseFacts(result);
  if (!facts.ok()) {
    return absl::UnavailableError(
        absl::StrCat(name, ": unreadable answer: ", facts.status().message(), LastWords(result.err)));
  }
  return facts;
}

RunnerOutcome Measure(const RunnerOptions& options, const JobSpec& spec, absl::Duration run_timeout,
                      const std::string& attempt_token, RunnerObserver& observer, const std::atomic<bool>& cancelled) {
  if (cancelled) return {AttemptEnd::kCancelled, "cancelled"};
  Command command;
  command.argv = RunnerArguments(options, /*describe=*/false);
  command.environment = RunnerEnvironment(attempt_token);
  absl::StatusOr<Child> child = Child::Spawn(command, /*capture_stderr=*/true);
  if (!child.ok()) return {AttemptEnd::kCrashed, std::string(child.status().message())};

  runner::v1::StartRun start;
  *start.mutable_spec() = ToProto(spec);
  *start.mutable_run_timeout() = ToProto(run_timeout);
  start.set_attempt_token(attempt_token);
  RunnerOutcome outcome;
  {
    RunnerSession session(*std::move(child), options.stop_grace, observer, cancelled);
    outcome = session.Follow(start, run_timeout);
  }
  KillProcessesOfAttempt(attempt_token);
  return outcome;
}

}  // namespace benchfleet
