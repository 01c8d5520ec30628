// benchfleet-worker: the agent of one host. Flags, wiring, signals and exit codes; it
// never measures itself.
#include <signal.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/os/process.h"
#include "common/os/state_dir.h"
#include "common/runner/host_lock.h"
#include "common/runner/runner_process.h"
#include "worker/agent/agent.h"
#include "worker/agent/grpc_coordinator_link.h"
#include "worker/agent/spool.h"
#include "worker/agent/state_dir.h"
#include "worker/agent/worker_flags.h"

namespace benchfleet {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitJobFailed = 4;
// gRPC, the spool, a runner's pipes and some to spare.
constexpr rlim_t kWantedDescriptors = 1024;
constexpr rlim_t kNeededDescriptors = 64;

std::string LocalHostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

absl::Status RaiseDescriptorLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return absl::OkStatus();
  if (limit.rlim_cur < kWantedDescriptors) {
    limit.rlim_cur = std::min(kWantedDescriptors, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= kNeededDescriptors) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("limit of open files: ", limit.rlim_cur, " is below the ", kNeededDescriptors, " a worker needs"));
}

void StartLog(const std::string& level) {
  auto logger = spdlog::stderr_logger_mt("benchfleet-worker");
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

sigset_t EndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Takes the signals of the whole process, which must have them blocked: the first ends
// the agent in order, the second at once.
class SignalThread {
 public:
  explicit SignalThread(Agent& agent) : thread_([this, &agent] { Run(agent); }) {}
  ~SignalThread() {
    ended_ = true;
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
  }
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;

 private:
  void Run(Agent& agent) {
    const sigset_t signals = EndingSignals();
    for (bool first = true;; first = false) {
      int signal = 0;
      if (sigwait(&signals, &signal) != 0 || ended_) return;
      if (first) {
        agent.Shutdown(absl::StrCat("worker got ", signal == SIGTERM ? "SIGTERM" : "SIGINT"));
        continue;
      }
      KillProcessesOfAttempt(agent.CurrentAttempt());
      _exit(128 + signal);
    }
  }

  std::atomic<bool> ended_{false};
  std::thread thread_;
};

absl::StatusOr<int> Serve(const WorkerFlags& flags) {
  BF_RETURN_IF_ERROR(RaiseDescriptorLimit());
  BF_ASSIGN_OR_RETURN(const std::string state_path, ChooseStateDir(flags.state_dir, "worker"));
  BF_ASSIGN_OR_RETURN(const StateDir state, OpenStateDir(state_path));
  BF_ASSIGN_OR_RETURN(const std::unique_ptr<Spool> spool, Spool::Open(state.spool()));
  RunnerOptions runner;
  BF_ASSIGN_OR_RETURN(runner.runner_path, FindRunner());
  runner.interpreters = flags.interpreters;
  runner.compilers = flags.compilers;

  AgentOptions options;
  BF_ASSIGN_OR_RETURN(options.identity.facts, DescribeHost(runner));
  options.identity.name = HostName(flags.name);
  options.identity.worker_id = state.worker_id;
  options.identity.labels = flags.labels;
  options.identity.version = BENCHFLEET_VERSION;
  options.once = flags.once;
  options.seed = std::random_device()();

  GrpcCoordinatorLink link(flags.server);
  Agent agent(std::move(options), {link, *spool,
                                   [&runner](const JobSpec& spec, absl::Duration run_timeout, const std::string& token,
                                             RunnerObserver& observer, const std::atomic<bool>& cancelled) {
                                     return Measure(runner, spec, run_timeout, token, observer, cancelled);
                                   },
                                   KillProcessesOfAttempt, [] { return LockHost(); }});
  spdlog::info("worker {} {} serves {}, state in {}", flags.name, BENCHFLEET_VERSION, flags.server, state.path);
  absl::StatusOr<AgentEnd> end = absl::UnknownError("");
  {
    const SignalThread signals(agent);
    end = agent.Run();
  }
  BF_RETURN_IF_ERROR(end.status());
  return *end == AgentEnd::kOnceFailed ? kExitJobFailed : 0;
}

int Main(int argc, char** argv) {
  // Before any thread, so that all of them inherit it; runners get their own mask.
  const sigset_t signals = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  const auto parsed = ParseWorkerFlags(argc, argv, LocalHostName(), BENCHFLEET_VERSION);
  if (!parsed.ok()) {
    fprintf(stderr, "benchfleet-worker: %s\n", std::string(parsed.status().message()).c_str());
    return kExitUsage;
  }
  if (const auto* print = std::get_if<PrintAndExit>(&*parsed)) {
    fputs(print->text.c_str(), stdout);
    return fflush(stdout) == 0 ? 0 : kExitUsage;
  }
  const WorkerFlags& flags = std::get<WorkerFlags>(*parsed);
  StartLog(flags.log_level);
  const absl::StatusOr<int> code = Serve(flags);
  if (code.ok()) return *code;
  fprintf(stderr, "benchfleet-worker: %s\n", std::string(code.status().message()).c_str());
  return kExitUsage;
}

}  // namespace
}  // namespace benchfleet

int main(int argc, char** argv) {
  try {
    return benchfleet::Main(argc, argv);
  } catch (const std::exception& error) {
    fprintf(stderr, "benchfleet-worker: %s\n", error.what());
    return 2;
  }
}
