#include "worker/runner/runner.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/model/compile.h"
#include "common/model/wake.h"
#include "common/os/compilers.h"
#include "common/os/file.h"
#include "common/os/host_probe.h"
#include "common/os/interpreters.h"
#include "common/runner/framing.h"
#include "common/wire/host_wire.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/time_wire.h"
#include "worker/core/round_runner.h"
#include "worker/runner/control.h"
#include "worker/runner/pipe_sink.h"
#include "worker/runner/reaping_spawner.h"
#include "worker/suites/compile/compile_programs.h"
#include "worker/suites/compile/compile_subject.h"
#include "worker/suites/wake/wake_programs.h"
#include "worker/suites/wake/wake_subject.h"

namespace benchfleet {
namespace {

uint64_t RandomSeed() {
  uint64_t seed = 0;
  // Eight bytes come whole once the kernel's pool is ready; there is no way on without.
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) std::abort();
  return seed;
}

struct Order {
  JobSpec spec;
  std::string attempt_token;
};

// What is measured, and the version of its suite.
struct Opened {
  std::unique_ptr<Subject> subject;
  int suite_version = 0;
};

absl::StatusOr<Opened> OpenSubject(const Order& order, const HostFacts& host, ProcessSpawner& spawner,
                                   const Control& control, PipeSink& sink) {
  Opened opened;
  if (const WakeSpec* const wake_spec = std::get_if<WakeSpec>(&order.spec.suite)) {
    BF_ASSIGN_OR_RETURN(const WakePrograms programs, FindWakePrograms());
    BF_ASSIGN_OR_RETURN(opened.subject, OpenWakeSubject(*wake_spec, host, spawner, programs, order.attempt_token));
    opened.suite_version = wake::kSuiteVersion;
    return opened;
  }
  const auto progress = [&sink](const std::string& message) { sink.Progress(message); };
  BF_ASSIGN_OR_RETURN(const CompilePrograms programs, FindCompilePrograms());
  BF_ASSIGN_OR_RETURN(opened.subject, OpenCompileSubject(std::get<CompileSpec>(order.spec.suite), host, spawner,
                                                         programs, order.attempt_token, progress, control.cancelled()));
  opened.suite_version = compile::kSuiteVersion;
  return opened;
}

// What the job needs, then the method; a Status is why it cannot be measured here.
absl::StatusOr<RunEnd> MeasureJob(const Order& order, const RunnerArguments& arguments, const Control& control,
                                  PipeSink& sink) {
  ReapingSpawner spawner;
  sink.Progress("looking at this host");
  HostFacts host = ReadHostFacts();
  host.interpreters = FindInterpreters(spawner, arguments.interpreters);
  // Asking them takes a while, so only for whom they matter.
  if (std::holds_alternative<CompileSpec>(order.spec.suite)) {
    host.compilers = FindCompilers(spawner, arguments.compilers);
  }
  BF_ASSIGN_OR_RETURN(const Opened opened, OpenSubject(order, host, spawner, control, sink));
  RunRequest request;
  request.suite = std::string(SuiteName(order.spec));
  request.suite_version = opened.suite_version;
  request.method = order.spec.method;
  request.host_key = host.host_key;
  request.clock = MeasureClock();
  request.fallback_seed = RandomSeed();
  ProcHostProbe probe;
  const AnchoredClock clock;
  return RunRounds(request, *opened.subject, probe, clock, sink, control.cancelled());
}

RunEnd EndOf(const absl::StatusOr<RunEnd>& measured, const Control& control) {
  RunEnd end = measured.ok() ? *measured : RunEnd{AttemptEnd::kFailed, std::string(measured.status().message())};
  if (!control.cancelled() || end.end == AttemptEnd::kSucceeded) return end;
  // Nobody asked for the end of a run that took too long: it failed.
  return {control.timed_out() ? AttemptEnd::kFailed : AttemptEnd::kCancelled, control.cause()};
}

void BlockSigterm() {
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &term, nullptr);
}

}  // namespace

absl::Status ServeRun(int commands_fd, int events_fd, const RunnerArguments& arguments) {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return ErrnoStatus(errno, "become a subreaper");
  FrameDecoder decoder;
  runner::v1::RunnerCommand command;
  BF_ASSIGN_OR_RETURN(const bool commanded, ReadFrame(commands_fd, decoder, command));
  if (!commanded) return absl::CancelledError("no command came");
  if (!command.has_start()) return absl::InvalidArgumentError("the first command is not a start");
  BF_ASSIGN_OR_RETURN(const absl::Duration run_timeout, ParseDuration(command.start().run_timeout()));
  BlockSigterm();
  Control control(commands_fd, std::move(decoder), run_timeout);
  PipeSink sink(events_fd, control);
  const std::string& token = command.start().attempt_token();
  absl::StatusOr<JobSpec> spec = ParseJobSpec(command.start().spec());
  const RunEnd end = EndOf(spec.ok() ? MeasureJob({*std::move(spec), token}, arguments, control, sink)
                                     : absl::StatusOr<RunEnd>(spec.status()),
                           control);
  KillProcessesOfAttempt(token);
  EndOrphans();
  return sink.Finished(end);
}

absl::Status DescribeThisHost(int fd, const RunnerArguments& arguments) {
  PosixProcessSpawner spawner;
  HostFacts facts = ReadHostFacts();
  facts.interpreters = FindInterpreters(spawner, arguments.interpreters);
  facts.compilers = FindCompilers(spawner, arguments.compilers);
  // A suite without its programs, or without anything to measure, is none that this host can run.
  if (FindWakePrograms().ok()) facts.suites.push_back("wake");
  if (FindCompilePrograms().ok() && !facts.compilers.empty()) facts.suites.push_back("compile");
  return WriteFrame(fd, ToProto(facts));
}

}  // namespace benchfleet
