// benchfleet-server: flags, wiring, signals, order of shutdown. No logic.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"
#include "common/os/state_dir.h"
#include "prometheus/registry.h"
#include "server/core/coordinator.h"
#include "server/core/notice_board.h"
#include "server/flags.h"
#include "server/http/http_listener.h"
#include "server/http/pages.h"
#include "server/log.h"
#include "server/metrics/process_metrics.h"
#include "server/metrics/result_collector.h"
#include "server/metrics/scrape.h"
#include "server/metrics/service_metrics.h"
#include "server/metrics/store_results.h"
#include "server/observers.h"
#include "server/rpc/grpc_server.h"
#include "server/store/sqlite_job_store.h"
#include "server/store_reports.h"
#include "server/sweeper.h"
#include "spdlog/spdlog.h"

namespace benchfleet {
namespace {

constexpr int kCannotStart = 2;
constexpr rlim_t kMinDescriptors = 512;
constexpr absl::Duration kSweepPeriod = absl::Seconds(1);
constexpr absl::Duration kStopGrace = absl::Seconds(5);

const BuildInfo& Build() {
  static const BuildInfo* const build =
      new BuildInfo{BENCHFLEET_VERSION, BENCHFLEET_REVISION, BENCHFLEET_COMPILER, grpc::Version()};
  return *build;
}

// gRPC 1.51 goes deaf for good when accept() runs out of descriptors, so there must be many.
absl::Status RaiseDescriptorLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return ErrnoStatus(errno, "descriptor limit");
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < kMinDescriptors) {
    return absl::FailedPreconditionError(absl::StrCat("the limit of open files is ", limit.rlim_cur, ", at least ",
                                                      kMinDescriptors, " are needed (ulimit -n)"));
  }
  return absl::OkStatus();
}

std::vector<GrpcMethod> MethodsForMetrics() {
  std::vector<GrpcMethod> methods;
  for (const ServedMethod& method : ServedMethods()) {
    // A call that hangs by design says nothing by its length.
    const bool timed = method.unary && method.method != "Sync";
    methods.push_back({method.service, method.method, timed ? "unary" : "server_stream"});
  }
  return methods;
}

// What gRPC says while it starts is said again, in our words, by the status it leads to.
void LogGrpcForDebugging(gpr_log_func_args* args) { spdlog::debug("grpc: {}", args->message); }
void LogGrpc(gpr_log_func_args* args) { spdlog::warn("grpc: {}", args->message); }

std::string WithPort(const std::string& address, int port) {
  return absl::StrCat(address.substr(0, address.rfind(':')), ":", port);
}

absl::Status Serve(const ServerFlags& flags, const sigset_t& stop_signals) {
  BF_RETURN_IF_ERROR(RaiseDescriptorLimit());
  BF_ASSIGN_OR_RETURN(const std::string state_dir, ChooseStateDir(flags.state_dir, "server"));
  BF_RETURN_IF_ERROR(MakeFolders(state_dir));

  prometheus::Registry registry;
  ServiceMetrics metrics(registry, {"wake", "compile"}, MethodsForMetrics());
  const LogCounting log_counting(metrics.log_messages);
  StoreMetrics store_metrics(metrics);
  CoordinatorMetrics coordinator_metrics(metrics);
  RpcMetrics rpc_metrics(metrics);

  SqliteJobStoreOptions store_options;
  store_options.path = absl::StrCat(state_dir, "/benchfleet.db");
  store_options.observer = &store_metrics;
  BF_ASSIGN_OR_RETURN(const std::unique_ptr<SqliteJobStore> store, SqliteJobStore::Open(store_options));

  const AnchoredClock clock;
  NoticeBoard board;
  CoordinatorOptions options;
  options.sync_hang = flags.sync_hang;
  options.lease.ttl = flags.lease_ttl;
  // A worker that hangs in Sync is silent, not offline.
  options.offline_after = std::max(options.offline_after, 3 * options.sync_hang);
  Coordinator coordinator(*store, clock, board, coordinator_metrics, options);
  BF_RETURN_IF_ERROR(coordinator.Recover());

  gpr_set_log_function(LogGrpcForDebugging);
  GrpcServerOptions grpc_options;
  grpc_options.listen = flags.listen;
  BF_ASSIGN_OR_RETURN(const std::unique_ptr<GrpcServer> grpc,
                      GrpcServer::Start(grpc_options, coordinator, *store, clock, board, rpc_metrics));
  gpr_set_log_function(LogGrpc);

  StoreResults results(*store, clock, options);
  const ResultCollector result_collector(results, clock);
  const ProcessCollector process_collector(Build());
  const Scraper scraper({&registry, &result_collector, &process_collector});
  StoreReports reports(*store, clock, options);
  PageOptions pages;
  pages.reports = &reports;
  pages.build = Build();
  pages.scraper = &scraper;
  pages.ready = [&store] {
    return store->Read("ready", [](StoreReader& reader) { return reader.FindJob(JobId("ready")).status(); });
  };
  HttpOptions http_options;
  http_options.address = flags.http;
  BF_ASSIGN_OR_RETURN(std::unique_ptr<HttpListener> http, HttpListener::Start(http_options, StandardPages(pages)));

  auto sweeper = std::make_unique<Sweeper>(coordinator, kSweepPeriod);
  grpc->SetServing(true);
  const std::string grpc_address = WithPort(flags.listen, grpc->port());
  const std::string http_address = WithPort(flags.http, http->port());
  if (!flags.port_file.empty()) {
    BF_RETURN_IF_ERROR(
        WriteFileDurably(flags.port_file, absl::StrCat("grpc=", grpc_address, "\nhttp=", http_address, "\n")));
  }
  spdlog::info("serving gRPC on {}, HTTP on {}, state in {}", grpc_address, http_address, state_dir);

  int signal = 0;
  sigwait(&stop_signals, &signal);
  spdlog::info("{}: stopping", strsignal(signal));
  // A second signal waits for nothing more: what was acknowledged is on disk.
  std::thread([stop_signals] {
    int again = 0;
    sigwait(&stop_signals, &again);
    _exit(128 + again);
  }).detach();
  // Expiry first: leases must not end because their coordinator does.
  sweeper.reset();
  http.reset();
  grpc->Stop(kStopGrace);
  spdlog::info("stopped");
  return absl::OkStatus();
}

}  // namespace
}  // namespace benchfleet

int main(int argc, char** argv) {
  using namespace benchfleet;
  const ParsedFlags parsed = ParseServerFlags(argc, argv, absl::StrCat("benchfleet-server ", BENCHFLEET_VERSION));
  if (parsed.exit_code >= 0) return parsed.exit_code;

  StartLog(parsed.flags.log_level);
  signal(SIGPIPE, SIG_IGN);
  // Blocked before any thread is made, so that only sigwait() takes them.
  sigset_t stop_signals;
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGTERM);
  sigaddset(&stop_signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop_signals, nullptr);

  if (const absl::Status status = Serve(parsed.flags, stop_signals); !status.ok()) {
    std::cerr << "benchfleet-server: " << status.message() << "\n";
    return kCannotStart;
  }
  return 0;
}
