#include "server/rpc/worker_service.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/os/digest.h"
#include "common/wire/chunk_wire.h"
#include "common/wire/host_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kService = "benchfleet.v1.WorkerService";
constexpr size_t kMaxWorkerNameBytes = 63;
constexpr size_t kMaxVersionBytes = 64;
constexpr size_t kMaxReasonBytes = 1024;
constexpr absl::Duration kReconnectWindow = absl::Seconds(5);
constexpr absl::string_view kBuiltInLabels[] = {"host", "arch", "os"};

bool IsWorkerName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxWorkerNameBytes &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '.' || c == '-'; }) &&
         absl::ascii_isalnum(name.front()) && absl::ascii_isalnum(name.back());
}

absl::StatusOr<WorkerHello> ParseHello(const v1::OpenSessionRequest& request) {
  FieldErrors errors;
  WorkerHello hello;
  if (!IsWorkerName(request.worker_name())) {
    errors.Add("worker_name", absl::StrCat(Quoted(request.worker_name()), " is not 1-63 characters of [a-z0-9.-]"));
  }
  if (!IsUuid(request.worker_id())) errors.Add("worker_id", "is not a UUID");
  if (request.protocol_version() != kProtocolVersion) {
    errors.Add("protocol_version",
               absl::StrCat("is ", request.protocol_version(), ", this server speaks ", kProtocolVersion));
  }
  if (absl::Status s = CheckText(request.version(), kMaxVersionBytes); !s.ok()) {
    errors.Add("version", std::string(s.message()));
  }
  hello.labels = ParseLabels(request.labels(), "labels", errors);
  for (absl::string_view built_in : kBuiltInLabels) {
    if (hello.labels.count(std::string(built_in)) > 0) {
      errors.Add(absl::StrCat("labels[", built_in, "]"), "is built in and cannot be set");
    }
  }
  absl::StatusOr<HostFacts> facts = ParseHostFacts(request.facts());
  if (!facts.ok()) {
    for (const FieldViolation& v : FieldViolationsOf(facts.status())) errors.Add(v.field, v.description);
    if (errors.empty()) return facts.status();
  }
  BF_RETURN_IF_ERROR(errors.ToStatus());

  hello.host = HostName(request.worker_name());
  hello.worker_id = absl::AsciiStrToLower(request.worker_id());
  hello.facts = *std::move(facts);
  hello.version = request.version();
  hello.labels["host"] = request.worker_name();
  hello.labels["os"] = "linux";
  if (!hello.facts.arch.empty() && CheckLabelValue(hello.facts.arch).ok()) hello.labels["arch"] = hello.facts.arch;
  return hello;
}

absl::StatusOr<SyncCall> ParseSync(const v1::SyncRequest& request) {
  FieldErrors errors;
  SyncCall call;
  call.session = SessionId(request.session_id());
  call.sequence = request.sequence();
  call.wants_work = request.wants_work();
  if (request.sequence() < 1) errors.Add("sequence", absl::StrCat("must be at least 1, is ", request.sequence()));
  if (absl::Status s = CheckText(request.idle_reason(), kMaxReasonBytes); !s.ok()) {
    errors.Add("idle_reason", std::string(s.message()));
  }
  call.idle_reason = request.idle_reason();
  for (int i = 0; i < request.leases_size(); ++i) {
    const v1::HeldLease& held = request.leases(i);
    HeldLease lease{RunId(held.run_id()), held.lease_epoch(), Listing::kHeld, ToUtf8(held.reason())};
    lease.reason.resize(std::min(lease.reason.size(), kMaxReasonBytes));
    switch (held.state()) {
      case v1::HELD_LEASE_STATE_HELD:
        break;
      case v1::HELD_LEASE_STATE_CANCELLING:
        lease.listing = Listing::kCancelling;
        break;
      case v1::HELD_LEASE_STATE_RELEASED:
        lease.listing = Listing::kReleased;
        break;
      default:
        errors.Add(absl::StrCat("leases[", i, "].state"), absl::StrCat("is not a state, is ", held.state()));
    }
    call.leases.push_back(std::move(lease));
  }
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return call;
}

absl::Status DoOpenSession(const RpcContext& rpc, const v1::OpenSessionRequest& request,
                           v1::OpenSessionResponse& response) {
  BF_ASSIGN_OR_RETURN(const WorkerHello hello, ParseHello(request));
  BF_ASSIGN_OR_RETURN(const SessionId id, rpc.coordinator.OpenSession(hello));
  response.set_session_id(id.value());
  *response.mutable_sync_hang() = ToProto(rpc.coordinator.options().sync_hang);
  *response.mutable_lease_ttl() = ToProto(rpc.coordinator.options().lease.ttl);
  response.set_max_chunk_bytes(kMaxChunkBytes);
  *response.mutable_reconnect_window() = ToProto(kReconnectWindow);
  return absl::OkStatus();
}

absl::Status DoPutChunk(const RpcContext& rpc, const v1::PutAttemptChunkRequest& request,
                        v1::PutAttemptChunkResponse& response) {
  FieldErrors errors;
  if (request.payload().size() > kMaxChunkBytes) {
    errors.Add("payload",
               absl::StrCat("is ", request.payload().size(), " bytes, at most ", kMaxChunkBytes, " are allowed"));
  } else if (Crc32c(request.payload()) != request.crc32c()) {
    errors.Add("crc32c", "is not that of the payload");
  }
  if (request.index() < 0) errors.Add("index", absl::StrCat("must not be negative, is ", request.index()));
  BF_RETURN_IF_ERROR(errors.ToStatus());

  Chunk chunk;
  chunk.index = request.index();
  chunk.crc32c = request.crc32c();
  chunk.payload = request.payload();
  BF_ASSIGN_OR_RETURN(chunk.content, DecodeChunk(request.payload()));
  BF_ASSIGN_OR_RETURN(
      const int stored,
      rpc.coordinator.PutChunk(SessionId(request.session_id()), RunId(request.run_id()), request.lease_epoch(), chunk));
  response.set_chunks_stored(stored);
  return absl::OkStatus();
}

absl::Status DoComplete(const RpcContext& rpc, const v1::CompleteAttemptRequest& request,
                        v1::CompleteAttemptResponse& response) {
  Completion completion;
  completion.session = SessionId(request.session_id());
  completion.run_id = RunId(request.run_id());
  completion.epoch = request.lease_epoch();
  const absl::StatusOr<AttemptEnd> end = ParseAttemptEnd(request.end());
  if (!end.ok()) {
    FieldErrors errors;
    errors.Add("end", std::string(end.status().message()));
    return errors.ToStatus();
  }
  completion.end = *end;
  completion.detail = ToUtf8(request.detail());
  completion.detail.resize(std::min(completion.detail.size(), kMaxDetailBytes));
  completion.chunk_count = request.chunk_count();
  completion.chunks_crc32c = request.chunks_crc32c();
  BF_ASSIGN_OR_RETURN(const RunState state, rpc.coordinator.CompleteAttempt(completion));
  response.set_run_state(ToProto(state));
  return absl::OkStatus();
}

absl::Status DoCloseSession(const RpcContext& rpc, const v1::CloseSessionRequest& request,
                            v1::CloseSessionResponse& /*response*/) {
  return rpc.coordinator.CloseSession(SessionId(request.session_id()));
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* Serve(const RpcContext& rpc, absl::string_view method, grpc::CallbackServerContext* context,
                                const Request* request, Response* response,
                                absl::Status (*handler)(const RpcContext&, const Request&, Response&)) {
  return RunUnary(rpc.executor, rpc.observer, kService, method, context, request, response,
                  [&rpc, handler](const Request& req, Response& res) { return handler(rpc, req, res); });
}

}  // namespace

grpc::ServerUnaryReactor* WorkerServiceImpl::OpenSession(grpc::CallbackServerContext* context,
                                                         const v1::OpenSessionRequest* request,
                                                         v1::OpenSessionResponse* response) {
  return Serve(context_, "OpenSession", context, request, response, &DoOpenSession);
}

grpc::ServerUnaryReactor* WorkerServiceImpl::Sync(grpc::CallbackServerContext* /*context*/,
                                                  const v1::SyncRequest* request, v1::SyncResponse* response) {
  constexpr absl::string_view kMethod = "Sync";
  context_.observer.Started(kService, kMethod);
  const auto call = SyncCallReactor::Start(context_.coordinator, context_.board, context_.executor, ParseSync(*request),
                                           response, [&observer = context_.observer](grpc::StatusCode code) {
                                             observer.Handled(kService, kMethod, code, absl::ZeroDuration());
                                           });
  Supersede(request->session_id(), request->sequence(), call);
  context_.hanging_calls.Add(call);
  return call.get();
}

void WorkerServiceImpl::Supersede(const std::string& session_id, int64_t sequence,
                                  const std::shared_ptr<SyncCallReactor>& call) {
  std::shared_ptr<SyncCallReactor> older;
  {
    MutexLock lock(mutex_);
    absl::erase_if(latest_, [](const auto& entry) { return entry.second.call.expired(); });
    Latest& latest = latest_[session_id];
    if (latest.sequence >= sequence) return;  // the newer one was here first: the core refuses this one
    older = latest.call.lock();
    latest = {sequence, call};
  }
  if (older == nullptr) return;
  older->End(ErrorWithReason(absl::StatusCode::kAborted, "SYNC_SUPERSEDED",
                             absl::StrCat("sequence: a call with sequence ", sequence, " came")));
}

grpc::ServerUnaryReactor* WorkerServiceImpl::PutAttemptChunk(grpc::CallbackServerContext* context,
                                                             const v1::PutAttemptChunkRequest* request,
                                                             v1::PutAttemptChunkResponse* response) {
  return Serve(context_, "PutAttemptChunk", context, request, response, &DoPutChunk);
}

grpc::ServerUnaryReactor* WorkerServiceImpl::CompleteAttempt(grpc::CallbackServerContext* context,
                                                             const v1::CompleteAttemptRequest* request,
                                                             v1::CompleteAttemptResponse* response) {
  return Serve(context_, "CompleteAttempt", context, request, response, &DoComplete);
}

grpc::ServerUnaryReactor* WorkerServiceImpl::CloseSession(grpc::CallbackServerContext* context,
                                                          const v1::CloseSessionRequest* request,
                                                          v1::CloseSessionResponse* response) {
  return Serve(context_, "CloseSession", context, request, response, &DoCloseSession);
}

}  // namespace benchfleet
