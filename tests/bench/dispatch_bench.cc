// How long it takes from a job's acknowledgement until a worker is told, against what no
// design can go below: one gRPC round trip and one synced SQLite commit on this machine.
//
//   dispatch_bench [--jobs N]      prints medians and the ratio; exits 1 above kLimit
//
// The three are measured in turn in every round, so that load meets them alike.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "SQLiteCpp/SQLiteCpp.h"
#include "benchfleet/v1/benchmark_service.grpc.pb.h"
#include "benchfleet/v1/worker_service.grpc.pb.h"
#include "common/base/clock.h"
#include "common/base/mutex.h"
#include "common/base/uuid.h"
#include "common/stats/order_statistics.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "server/core/coordinator.h"
#include "server/core/notice_board.h"
#include "server/rpc/grpc_server.h"
#include "server/store/sqlite_job_store.h"

namespace benchfleet {
namespace {

constexpr double kLimit = 3.0;
constexpr int kWarmup = 10;

class NoRpcObserver final : public RpcObserver {
 public:
  void Started(absl::string_view, absl::string_view) override {}
  void Handled(absl::string_view, absl::string_view, grpc::StatusCode, absl::Duration) override {}
};

// The least a callback server can do.
class Echo final : public grpc::health::v1::Health::CallbackService {
 public:
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context, const grpc::health::v1::HealthCheckRequest*,
                                  grpc::health::v1::HealthCheckResponse* response) override {
    response->set_status(grpc::health::v1::HealthCheckResponse::SERVING);
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

void Require(bool ok, const std::string& what) {
  if (ok) return;
  std::fprintf(stderr, "dispatch_bench: %s\n", what.c_str());
  std::exit(2);
}

void Require(const grpc::Status& status, const std::string& what) {
  Require(status.ok(), what + ": " + status.error_message());
}

// A worker that takes every offer and reports it failed at once; it notes when it was told.
class ToldWorker {
 public:
  explicit ToldWorker(const std::shared_ptr<grpc::Channel>& channel) : stub_(v1::WorkerService::NewStub(channel)) {
    v1::OpenSessionRequest request;
    request.set_worker_name("bench");
    request.set_worker_id(UuidV4());
    request.set_protocol_version(1);
    request.mutable_facts()->set_boot_id("bench-boot");
    request.mutable_facts()->mutable_host_key()->set_digest("hk1:" + std::string(64, '0'));
    request.mutable_facts()->set_cpus(1);
    request.mutable_facts()->add_suites("wake");
    v1::OpenSessionResponse response;
    grpc::ClientContext context;
    Require(stub_->OpenSession(&context, request, &response), "OpenSession");
    session_ = response.session_id();
    thread_ = std::thread([this] { Loop(); });
  }

  // Waits until the worker was told of the next job and is idle again; when it was told.
  absl::Duration AwaitTold() {
    MutexLock lock(mutex_);
    while (told_.empty()) changed_.Wait(mutex_);
    const absl::Duration at = told_.front();
    told_.erase(told_.begin());
    return at;
  }

  // The server is about to stop: an error of Sync ends the loop from now on.
  void ExpectTheEnd() {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  void Join() { thread_.join(); }

 private:
  void Loop() {
    v1::SyncRequest request;
    request.set_session_id(session_);
    while (true) {
      request.set_sequence(request.sequence() + 1);
      v1::SyncResponse response;
      grpc::ClientContext context;
      request.set_wants_work(request.leases().empty());
      const grpc::Status status = stub_->Sync(&context, request, &response);
      if (!status.ok()) {
        MutexLock lock(mutex_);
        Require(stopping_, "Sync: " + status.error_message());
        return;
      }
      request.clear_leases();
      for (const v1::GrantedLease& lease : response.leases()) {
        if (lease.state() == v1::RUN_STATE_OFFERED) {
          told_at_ = MonotonicNow();
          v1::HeldLease* held = request.add_leases();
          held->set_run_id(lease.run_id());
          held->set_lease_epoch(lease.lease_epoch());
          held->set_state(v1::HELD_LEASE_STATE_HELD);
        } else {
          Complete(lease);
        }
      }
    }
  }

  void Complete(const v1::GrantedLease& lease) {
    v1::CompleteAttemptRequest request;
    request.set_session_id(session_);
    request.set_run_id(lease.run_id());
    request.set_lease_epoch(lease.lease_epoch());
    request.set_end(v1::ATTEMPT_END_FAILED);
    v1::CompleteAttemptResponse response;
    grpc::ClientContext context;
    Require(stub_->CompleteAttempt(&context, request, &response), "CompleteAttempt");
    MutexLock lock(mutex_);
    told_.push_back(told_at_);
    changed_.SignalAll();
  }

  const std::unique_ptr<v1::WorkerService::Stub> stub_;
  std::string session_;
  absl::Duration told_at_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<absl::Duration> told_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

double MedianMicroseconds(std::vector<double> values) { return MedianReordering(absl::MakeSpan(values)) / 1e3; }

int Run(int jobs) {
  char folder_template[] = "/tmp/benchfleet-dispatch-XXXXXX";
  Require(mkdtemp(folder_template) != nullptr, "mkdtemp");
  const std::string folder = folder_template;

  SqliteJobStoreOptions store_options;
  store_options.path = folder + "/benchfleet.db";
  auto store = SqliteJobStore::Open(store_options);
  Require(store.ok(), std::string(store.status().message()));
  const AnchoredClock clock;
  NoticeBoard board;
  CoordinatorObserver observer;
  Coordinator coordinator(**store, clock, board, observer, {});
  NoRpcObserver rpc_observer;
  GrpcServerOptions server_options;
  server_options.listen = "127.0.0.1:0";
  auto server = GrpcServer::Start(server_options, coordinator, **store, clock, board, rpc_observer);
  Require(server.ok(), std::string(server.status().message()));

  Echo echo;
  grpc::ServerBuilder echo_builder;
  int echo_port = 0;
  echo_builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &echo_port);
  echo_builder.RegisterService(&echo);
  const std::unique_ptr<grpc::Server> echo_server = echo_builder.BuildAndStart();
  const auto echo_stub = grpc::health::v1::Health::NewStub(
      grpc::CreateChannel("127.0.0.1:" + std::to_string(echo_port), grpc::InsecureChannelCredentials()));

  SQLite::Database bare(folder + "/bare.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  bare.exec("PRAGMA journal_mode=WAL");
  bare.exec("PRAGMA synchronous=FULL");
  bare.exec("CREATE TABLE t(id INTEGER PRIMARY KEY, text TEXT)");

  const std::string address = "127.0.0.1:" + std::to_string((*server)->port());
  ToldWorker worker(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ChannelArguments own_connection;
  own_connection.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto stub = v1::BenchmarkService::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own_connection));

  std::vector<double> echo_ns, commit_ns, dispatch_ns, submit_ns;
  for (int i = 0; i < jobs + kWarmup; ++i) {
    const absl::Duration t0 = MonotonicNow();
    {
      grpc::ClientContext context;
      grpc::health::v1::HealthCheckResponse response;
      Require(echo_stub->Check(&context, {}, &response), "echo");
    }
    const absl::Duration t1 = MonotonicNow();
    {
      SQLite::Transaction transaction(bare);
      SQLite::Statement insert(bare, "INSERT INTO t(text) VALUES ('one row')");
      insert.exec();
      insert.reset();
      transaction.commit();
    }
    const absl::Duration t2 = MonotonicNow();
    v1::CreateJobRequest request;
    request.mutable_spec()->mutable_wake();
    v1::Job job;
    {
      grpc::ClientContext context;
      Require(stub->CreateJob(&context, request, &job), "CreateJob");
    }
    const absl::Duration acknowledged = MonotonicNow();
    const absl::Duration told = worker.AwaitTold();
    if (i < kWarmup) continue;
    echo_ns.push_back(absl::ToDoubleNanoseconds(t1 - t0));
    commit_ns.push_back(absl::ToDoubleNanoseconds(t2 - t1));
    submit_ns.push_back(absl::ToDoubleNanoseconds(acknowledged - t2));
    // The worker may be told before the submitter hears; then dispatch took no time.
    dispatch_ns.push_back(std::max(1.0, absl::ToDoubleNanoseconds(told - acknowledged)));
  }
  worker.ExpectTheEnd();
  (*server)->Stop(absl::ZeroDuration());
  worker.Join();
  std::filesystem::remove_all(folder);

  const double echo_us = MedianMicroseconds(echo_ns);
  const double commit_us = MedianMicroseconds(commit_ns);
  const double dispatch_us = MedianMicroseconds(dispatch_ns);
  const double ratio = dispatch_us / (echo_us + commit_us);
  std::printf("medians over %d jobs, in turn:\n", jobs);
  std::printf("  bare gRPC echo              %10.0f us\n", echo_us);
  std::printf("  bare SQLite FULL commit     %10.0f us\n", commit_us);
  std::printf("  submit to acknowledgement   %10.0f us\n", MedianMicroseconds(submit_ns));
  std::printf("  acknowledged to worker told %10.0f us\n", dispatch_us);
  std::printf("dispatch / (echo + commit) = %.2f (limit %.1f)\n", ratio, kLimit);
  return ratio <= kLimit ? 0 : 1;
}

}  // namespace
}  // namespace benchfleet

int main(int argc, char** argv) {
  int jobs = 300;
  if (argc == 3 && std::strcmp(argv[1], "--jobs") == 0) jobs = std::atoi(argv[2]);
  if (argc == 2 || argc > 3 || jobs < 1) {
    std::fprintf(stderr, "usage: dispatch_bench [--jobs N]\n");
    return 2;
  }
  return benchfleet::Run(jobs);
}
