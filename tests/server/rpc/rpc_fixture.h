// The whole gRPC server over a store in memory, and what tests ask it with.
#ifndef BENCHFLEET_TESTS_SERVER_RPC_RPC_FIXTURE_H_
#define BENCHFLEET_TESTS_SERVER_RPC_RPC_FIXTURE_H_

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "benchfleet/v1/benchmark_service.grpc.pb.h"
#include "benchfleet/v1/worker_service.grpc.pb.h"
#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/base/mutex.h"
#include "common/wire/status_wire.h"
#include "server/rpc/grpc_server.h"
#include "tests/server/core/core_fixture.h"

namespace benchfleet {

// A wait that takes this long has failed.
inline constexpr absl::Duration kWatchDog = absl::Seconds(20);

// Whether `condition` came true before the watch-dog barked.
template <typename Condition>
bool Eventually(Condition condition) {
  const absl::Duration deadline = MonotonicNow() + kWatchDog;
  while (!condition()) {
    if (MonotonicNow() >= deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

inline void SetWatchDog(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + absl::ToChronoSeconds(kWatchDog));
}

// The status a server sent, with its details.
inline absl::Status FromGrpc(const grpc::Status& status) {
  google::rpc::Status details;
  if (status.error_details().empty() || !details.ParseFromString(status.error_details())) {
    return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  }
  return FromRpcStatus(details);
}

// Thread-safety: safe.
class RecordingRpcObserver final : public RpcObserver {
 public:
  void Started(absl::string_view, absl::string_view) override {}
  void Handled(absl::string_view, absl::string_view method, grpc::StatusCode code, absl::Duration) override {
    MutexLock lock(mutex_);
    handled_.emplace_back(method, code);
  }
  int Count(const std::string& method, grpc::StatusCode code) {
    MutexLock lock(mutex_);
    return static_cast<int>(std::count(handled_.begin(), handled_.end(), std::pair(method, code)));
  }

 private:
  Mutex mutex_;
  std::vector<std::pair<std::string, grpc::StatusCode>> handled_ ABSL_GUARDED_BY(mutex_);
};

class RpcTest : public ::testing::Test {
 protected:
  // No hanging call ends by itself.
  RpcTest() : RpcTest(absl::Hours(1)) {}
  explicit RpcTest(absl::Duration sync_hang)
      : coordinator(store, clock, board, coordinator_observer, {.sync_hang = sync_hang}) {
    server = *GrpcServer::Start({.listen = "127.0.0.1:0"}, coordinator, store, clock, board, observer);
    // A socket, not the in-process transport, which ends streams as soon as a server stops.
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    channel = grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", server->port()), grpc::InsecureChannelCredentials(),
                                        arguments);
    users = v1::BenchmarkService::NewStub(channel);
    workers = v1::WorkerService::NewStub(channel);
  }

  JobId Create() { return *coordinator.CreateJob(SmallSpec(), "", "digest"); }
  SessionId Open(const std::string& host) {
    WorkerHello hello;
    hello.host = HostName(host);
    hello.worker_id = "id-of-" + host;
    hello.facts.boot_id = "boot-" + host;
    hello.labels[SuiteLabel("wake")] = "";
    return *coordinator.OpenSession(hello);
  }

  FakeClock clock;
  MemoryJobStore store;
  NoticeBoard board;
  CoordinatorObserver coordinator_observer;
  Coordinator coordinator;
  RecordingRpcObserver observer;
  std::unique_ptr<GrpcServer> server;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::BenchmarkService::Stub> users;
  std::unique_ptr<v1::WorkerService::Stub> workers;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_SERVER_RPC_RPC_FIXTURE_H_
