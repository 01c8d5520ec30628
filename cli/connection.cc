#include "cli/connection.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "absl/random/random.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchfleet/v1/benchmark_service.grpc.pb.h"
#include "common/base/mutex.h"
#include "common/base/status_macros.h"
#include "common/wire/status_wire.h"
#include "google/rpc/status.pb.h"
#include "grpc/health/v1/health.grpc.pb.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kFirstRetryDelay = absl::Milliseconds(300);
constexpr int kMaxMessageBytes = 64 << 20;  // a report of many hosts, round by round

absl::Status FromGrpc(const grpc::Status& status, const std::string& address) {
  if (status.ok()) return absl::OkStatus();
  google::rpc::Status details;
  if (!status.error_details().empty() && details.ParseFromString(status.error_details()) && details.code() != 0) {
    return FromRpcStatus(details);
  }
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  return absl::Status(code, absl::StrCat(address, ": ", status.error_message()));
}

bool IsLoopback(const std::string& address) {
  return absl::StartsWith(address, "127.") || absl::StartsWith(address, "localhost:") ||
         absl::StartsWith(address, "[::1]:");
}

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 200);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  // A proxy that the environment names cannot reach this machine's loopback.
  if (IsLoopback(address)) arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

struct Connection::Rpc {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::BenchmarkService::Stub> stub;
  absl::BitGen random;

  Mutex mutex;
  bool interrupted ABSL_GUARDED_BY(mutex) = false;
  grpc::ClientContext* watch ABSL_GUARDED_BY(mutex) = nullptr;

  // Makes `call` with a fresh context, and again after a jittered delay while the server
  // is unavailable.
  template <typename Response, typename Call>
  absl::StatusOr<Response> Unary(const std::string& address, Call call) {
    absl::Duration delay = kFirstRetryDelay;
    for (int tries = 1;; ++tries) {
      grpc::ClientContext context;
      context.set_deadline(absl::ToChronoTime(absl::Now() + kCallDeadline));
      Response response;
      const grpc::Status status = call(context, response);
      if (status.ok()) return response;
      if (status.error_code() != grpc::StatusCode::UNAVAILABLE || tries == kMaxCallTries) {
        return FromGrpc(status, address);
      }
      absl::SleepFor(delay * absl::Uniform(random, 0.5, 1.5));
      delay *= 2;
    }
  }
};

Connection::Connection(std::string address) : address_(std::move(address)), rpc_(std::make_unique<Rpc>()) {
  rpc_->channel = MakeChannel(address_);
  rpc_->stub = v1::BenchmarkService::NewStub(rpc_->channel);
}

Connection::~Connection() = default;

absl::StatusOr<v1::Job> Connection::CreateJob(const v1::CreateJobRequest& request) {
  return rpc_->Unary<v1::Job>(address_, [&](auto& c, auto& r) { return rpc_->stub->CreateJob(&c, request, &r); });
}

absl::StatusOr<v1::Job> Connection::GetJob(const std::string& id) {
  v1::GetJobRequest request;
  request.set_id(id);
  return rpc_->Unary<v1::Job>(address_, [&](auto& c, auto& r) { return rpc_->stub->GetJob(&c, request, &r); });
}

absl::StatusOr<v1::ListJobsResponse> Connection::ListJobs(const v1::ListJobsRequest& request) {
  return rpc_->Unary<v1::ListJobsResponse>(address_,
                                           [&](auto& c, auto& r) { return rpc_->stub->ListJobs(&c, request, &r); });
}

absl::StatusOr<v1::Job> Connection::CancelJob(const std::string& id) {
  v1::CancelJobRequest request;
  request.set_id(id);
  return rpc_->Unary<v1::Job>(address_, [&](auto& c, auto& r) { return rpc_->stub->CancelJob(&c, request, &r); });
}

absl::StatusOr<v1::Report> Connection::GetReport(const std::string& job_id, bool round_values) {
  v1::GetReportRequest request;
  request.set_job_id(job_id);
  request.set_round_values(round_values);
  return rpc_->Unary<v1::Report>(address_, [&](auto& c, auto& r) { return rpc_->stub->GetReport(&c, request, &r); });
}

absl::StatusOr<v1::ListWorkersResponse> Connection::ListWorkers(const v1::ListWorkersRequest& request) {
  return rpc_->Unary<v1::ListWorkersResponse>(
      address_, [&](auto& c, auto& r) { return rpc_->stub->ListWorkers(&c, request, &r); });
}

absl::StatusOr<std::string> Connection::CheckHealth() {
  const auto stub = grpc::health::v1::Health::NewStub(rpc_->channel);
  BF_ASSIGN_OR_RETURN(const grpc::health::v1::HealthCheckResponse response,
                      rpc_->Unary<grpc::health::v1::HealthCheckResponse>(address_, [&](auto& c, auto& r) {
                        return stub->Check(&c, grpc::health::v1::HealthCheckRequest(), &r);
                      }));
  return grpc::health::v1::HealthCheckResponse::ServingStatus_Name(response.status());
}

absl::Status Connection::WatchJob(const v1::WatchJobRequest& request, absl::Duration deadline,
                                  const std::function<void(const v1::WatchJobResponse&)>& on_event) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + deadline));
  {
    MutexLock lock(rpc_->mutex);
    if (rpc_->interrupted) return absl::CancelledError("interrupted");
    rpc_->watch = &context;
  }
  const auto reader = rpc_->stub->WatchJob(&context, request);
  v1::WatchJobResponse event;
  while (reader->Read(&event)) on_event(event);
  const grpc::Status status = reader->Finish();
  MutexLock lock(rpc_->mutex);
  rpc_->watch = nullptr;
  return FromGrpc(status, address_);
}

void Connection::Interrupt() {
  MutexLock lock(rpc_->mutex);
  rpc_->interrupted = true;
  if (rpc_->watch != nullptr) rpc_->watch->TryCancel();
}

}  // namespace benchfleet
