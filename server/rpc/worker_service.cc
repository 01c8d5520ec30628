#include "server/rpc/worker_service.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/model/worker_name.h"
#include "common/os/digest.h"
#include "common/wire/chunk_wire.h"
#include "common/wire/host_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kService = "benchfleet.v1.WorkerService";
constexpr size_t kMaxVersionBytes = 64;
constexpr size_t kMaxReasonBytes = 1024;
constexpr absl::Duration kReconnectWindow = absl::Seconds(5);

// Cut before the repair, so that a cut character becomes '?'.
std::string CutText(absl::string_view text, size_t max_bytes) { return ToUtf8(text.substr(0, max_bytes)); }

// What selectors can ask for without anybody having set it.
void AddBuiltInLabels(WorkerHello& hello) {
  hello.labels["host"] = hello.host.value();
  hello.labels["os"] = "linux";
  // A name that is no label's key or value is left out rather than refused: the host is sound.
  const auto add = [&](const std::string& key, const std::string& value) {
    if (CheckLabelKey(key).ok() && CheckLabelValue(value).ok()) hello.labels[key] = value;
  };
  if (!hello.facts.arch.empty()) add("arch", hello.facts.arch);
  for (const std::string& suite : hello.facts.suites) add(SuiteLabel(suite), "");
  // The newest comes last.
  for (const Compiler& compiler : hello.facts.compilers) add(CompilerLabel(compiler.name), compiler.version);
}

absl::StatusOr<WorkerHello> ParseHello(const v1::OpenSessionRequest& request) {
  FieldErrors errors;
  WorkerHello hello;
  if (!IsWorkerName(request.worker_name())) {
    errors.Add("worker_name",
               absl::StrCat(Quoted(request.worker_name()),
                            " is not 1-63 characters of [a-z0-9.-], the first and the last of [a-z0-9]"));
  }
  if (!IsUuid(request.worker_id())) {
    errors.Add("worker_id", absl::StrCat(Quoted(request.worker_id()), " is not a UUID"));
  }
  if (request.protocol_version() != kProtocolVersion) {
    errors.Add("protocol_version",
               absl::StrCat("is ", request.protocol_version(), ", this server speaks ", kProtocolVersion));
  }
  if (absl::Status s = CheckText(request.version(), kMaxVersionBytes); !s.ok()) {
    errors.Add("version", std::string(s.message()));
  }
  hello.labels = ParseLabels(request.labels(), "labels", errors);
  for (const auto& [key, value] : hello.labels) {
    if (IsBuiltInLabel(key)) errors.Add(absl::StrCat("labels[", key, "]"), "is built in and cannot be set");
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
  AddBuiltInLabels(hello);
  return hello;
}

absl::StatusOr<SyncCall> ParseSync(const v1::SyncRequest& request) {
  if (request.leases_size() > kMaxListedLeases) {
    return FieldError(
        "leases", absl::StrCat("has ", request.leases_size(), " entries, at most ", kMaxListedLeases, " are allowed"));
  }
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
    HeldLease lease{RunId(held.run_id()), held.lease_epoch(), Listing::kHeld, CutText(held.reason(), kMaxReasonBytes)};
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
  auto content = DecodeChunk(request.payload());
  if (!content.ok()) return FieldError("payload", content.status().message());
  chunk.content = *std::move(content);
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
  if (!end.ok()) return FieldError("end", end.status().message());
  completion.end = *end;
  completion.detail = CutText(request.detail(), kMaxDetailBytes);
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

}  // namespace

grpc::ServerUnaryReactor* WorkerServiceImpl::OpenSession(grpc::CallbackServerContext* context,
                                                         const v1::OpenSessionRequest* request,
                                                         v1::OpenSessionResponse* response) {
  return ServeUnary(context_, kService, "OpenSession", context, request, response, &DoOpenSession);
}

grpc::ServerUnaryReactor* WorkerServiceImpl::Sync(grpc::CallbackServerContext* /*context*/,
                                                  const v1::SyncRequest* request, v1::SyncResponse* response) {
  static constexpr absl::string_view kMethod = "Sync";
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
  return ServeUnary(context_, kService, "PutAttemptChunk", context, request, response, &DoPutChunk);
}

grpc::ServerUnaryReactor* WorkerServiceImpl::CompleteAttempt(grpc::CallbackServerContext* context,
                                                             const v1::CompleteAttemptRequest* request,
                                                             v1::CompleteAttemptResponse* response) {
  return ServeUnary(context_, kService, "CompleteAttempt", context, request, response, &DoComplete);
}

grpc::ServerUnaryReactor* WorkerServiceImpl::CloseSession(grpc::CallbackServerContext* context,
                                                          const v1::CloseSessionRequest* request,
                                                          v1::CloseSessionResponse* response) {
  return ServeUnary(context_, kService, "CloseSession", context, request, response, &DoCloseSession);
}

}  // namespace benchfleet
