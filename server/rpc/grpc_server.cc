#include "server/rpc/grpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/resource_quota.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/base/error.h"
#include "google/protobuf/descriptor.h"
#include "server/rpc/benchmark_service.h"
#include "server/rpc/hanging_calls.h"
#include "server/rpc/health_service.h"
#include "server/rpc/worker_service.h"

namespace benchfleet {
namespace {

constexpr char kBenchmarkService[] = "benchfleet.v1.BenchmarkService";
constexpr char kWorkerService[] = "benchfleet.v1.WorkerService";
constexpr size_t kMemoryQuotaBytes = 512u << 20;  // of all messages under way, so that many slow peers cannot take all

// Clients ping every 30 s while calls hang; a proxy in between may do so without one.
void SetKeepalive(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 2);
}

}  // namespace

struct GrpcServer::Parts {
  Parts(const GrpcServerOptions& options, Coordinator& coordinator, JobStore& store, const Clock& clock,
        NoticeBoard& board, RpcObserver& observer)
      : executor(options.executor_threads),
        context{coordinator, store, clock, board, executor, hanging_calls, observer},
        benchmark_service(context),
        worker_service(context),
        health({kBenchmarkService, kWorkerService}) {}

  Executor executor;  // outlives every call
  HangingCalls hanging_calls;
  RpcContext context;
  BenchmarkServiceImpl benchmark_service;
  WorkerServiceImpl worker_service;
  HealthService health;
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

GrpcServer::GrpcServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

GrpcServer::~GrpcServer() { Stop(absl::ZeroDuration()); }

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::Start(const GrpcServerOptions& options,
                                                              Coordinator& coordinator, JobStore& store,
                                                              const Clock& clock, NoticeBoard& board,
                                                              RpcObserver& observer) {
  auto parts = std::make_unique<Parts>(options, coordinator, store, clock, board, observer);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();

  grpc::ServerBuilder builder;
  // Without this a second server shares the port in silence.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreamsPerConnection);
  builder.SetMaxReceiveMessageSize(kMaxRequestBytes);
  builder.SetResourceQuota(grpc::ResourceQuota("server").Resize(kMemoryQuotaBytes));
  SetKeepalive(builder);
  builder.AddListeningPort(options.listen, grpc::InsecureServerCredentials(), &parts->port);
  builder.RegisterService(&parts->benchmark_service);
  builder.RegisterService(&parts->worker_service);
  builder.RegisterService(&parts->health);
  parts->server = builder.BuildAndStart();
  if (parts->server == nullptr || parts->port == 0) {
    return ErrorWithReason(absl::StatusCode::kFailedPrecondition, "CANNOT_LISTEN",
                           absl::StrCat("listen: cannot listen on '", options.listen,
                                        "'; the port is in use or the address is not of this host"));
  }
  return std::unique_ptr<GrpcServer>(new GrpcServer(std::move(parts)));
}

int GrpcServer::port() const { return parts_->port; }

void GrpcServer::SetServing(bool serving) { parts_->health.SetServing(serving); }

std::shared_ptr<grpc::Channel> GrpcServer::InProcessChannel() {
  return parts_->server->InProcessChannel(grpc::ChannelArguments());
}

void GrpcServer::Stop(absl::Duration grace) {
  if (parts_->server == nullptr) return;
  parts_->health.Stop();
  parts_->hanging_calls.EndAll(
      ErrorWithReason(absl::StatusCode::kUnavailable, "SERVER_STOPS", "the server stops; try again"));
  parts_->server->Shutdown(absl::ToChronoTime(absl::Now() + grace));
  parts_->server->Wait();
  parts_->server.reset();
}

std::vector<ServedMethod> ServedMethods() {
  std::vector<ServedMethod> methods;
  for (const char* name : {kBenchmarkService, kWorkerService}) {
    const google::protobuf::ServiceDescriptor* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    for (int i = 0; service != nullptr && i < service->method_count(); ++i) {
      const google::protobuf::MethodDescriptor* method = service->method(i);
      methods.push_back({name, method->name(), !method->server_streaming() && !method->client_streaming()});
    }
  }
  return methods;
}

}  // namespace benchfleet
