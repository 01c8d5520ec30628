#include "worker/agent/grpc_coordinator_link.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchfleet/v1/worker_service.grpc.pb.h"
#include "common/base/mutex.h"
#include "common/base/status_macros.h"
#include "common/os/digest.h"
#include "common/wire/host_wire.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/status_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"
#include "google/rpc/status.pb.h"
#include "worker/agent/spool.h"

namespace benchfleet {
namespace {

constexpr int kProtocolVersion = 1;
constexpr size_t kMaxReasonBytes = 1024;  // the coordinator's bound

grpc::ChannelArguments ChannelArguments() {
  grpc::ChannelArguments arguments;
  // The coordinator allows a ping each 10 s; between calls there are none.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 250);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 500);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 30'000);
  return arguments;
}

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details()) || details.code() != static_cast<int>(status.error_code())) {
    details.Clear();
    details.set_code(static_cast<int>(status.error_code()));
  }
  details.set_message(ToUtf8(status.error_message()));
  return FromRpcStatus(details);
}

void SetDeadline(grpc::ClientContext& context, absl::Duration timeout) {
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::duration_cast<std::chrono::system_clock::duration>(
                           absl::ToChronoNanoseconds(std::min(timeout, absl::Hours(1)))));
}

absl::Status Malformed(absl::string_view field, absl::string_view what) {
  return absl::InternalError(absl::StrCat("the coordinator's answer is malformed: ", field, ": ", what));
}

absl::StatusOr<absl::Duration> PositiveDuration(absl::string_view field, const google::protobuf::Duration& proto) {
  const absl::StatusOr<absl::Duration> duration = ParseDuration(proto);
  if (!duration.ok()) return Malformed(field, duration.status().message());
  if (*duration <= absl::ZeroDuration()) return Malformed(field, "must be positive");
  return *duration;
}

absl::StatusOr<SessionTerms> ParseTerms(const v1::OpenSessionResponse& response) {
  SessionTerms terms;
  if (response.session_id().empty()) return Malformed("session_id", "is empty");
  terms.id = SessionId(response.session_id());
  BF_ASSIGN_OR_RETURN(terms.sync_hang, PositiveDuration("sync_hang", response.sync_hang()));
  BF_ASSIGN_OR_RETURN(terms.lease_ttl, PositiveDuration("lease_ttl", response.lease_ttl()));
  BF_ASSIGN_OR_RETURN(terms.reconnect_window, PositiveDuration("reconnect_window", response.reconnect_window()));
  terms.max_chunk_bytes = response.max_chunk_bytes();
  if (terms.max_chunk_bytes <= 0) return Malformed("max_chunk_bytes", absl::StrCat("is ", terms.max_chunk_bytes));
  return terms;
}

absl::StatusOr<LeaseGrant> ParseGrant(const v1::GrantedLease& proto) {
  LeaseGrant grant;
  // It becomes a path.
  if (!IsRunId(proto.run_id())) return Malformed("run_id", absl::StrCat(Quoted(proto.run_id()), " is not a run id"));
  if (proto.lease_epoch() <= 0) return Malformed("lease_epoch", absl::StrCat("is ", proto.lease_epoch()));
  grant.lease = {RunId(proto.run_id()), proto.lease_epoch()};
  grant.cancel = proto.cancel();
  if (proto.state() == v1::RUN_STATE_OFFERED) {
    grant.state = GrantState::kOffered;
    if (proto.has_spec()) grant.spec = ParseJobSpec(proto.spec());
    if (proto.has_run_timeout()) {
      BF_ASSIGN_OR_RETURN(grant.run_timeout, PositiveDuration("run_timeout", proto.run_timeout()));
    }
  } else if (proto.state() == v1::RUN_STATE_RUNNING) {
    grant.state = GrantState::kRunning;
  }
  const absl::StatusOr<absl::Duration> ttl = ParseDuration(proto.ttl());
  if (!ttl.ok()) return Malformed("ttl", ttl.status().message());
  grant.ttl = *ttl;
  return grant;
}

absl::StatusOr<CoordinatorAnswer> ParseAnswer(const v1::SyncResponse& response) {
  CoordinatorAnswer answer;
  answer.sequence = response.sequence();
  for (const v1::GrantedLease& proto : response.leases()) {
    BF_ASSIGN_OR_RETURN(LeaseGrant grant, ParseGrant(proto));
    answer.leases.push_back(std::move(grant));
  }
  return answer;
}

v1::HeldLeaseState ToProto(StatedAs as) {
  switch (as) {
    case StatedAs::kHeld:
      return v1::HELD_LEASE_STATE_HELD;
    case StatedAs::kCancelling:
      return v1::HELD_LEASE_STATE_CANCELLING;
    case StatedAs::kReleased:
      return v1::HELD_LEASE_STATE_RELEASED;
  }
  return v1::HELD_LEASE_STATE_UNSPECIFIED;
}

v1::SyncRequest MakeSyncRequest(const SessionId& session, const WorkerStatement& statement) {
  v1::SyncRequest request;
  request.set_session_id(session.value());
  request.set_sequence(statement.sequence);
  request.set_wants_work(statement.wants_work);
  request.set_idle_reason(ToUtf8(statement.idle_reason.substr(0, kMaxReasonBytes)));
  for (const StatedLease& stated : statement.leases) {
    v1::HeldLease& lease = *request.add_leases();
    lease.set_run_id(stated.lease.run_id.value());
    lease.set_lease_epoch(stated.lease.epoch);
    lease.set_state(ToProto(stated.as));
    lease.set_reason(ToUtf8(stated.reason.substr(0, kMaxReasonBytes)));
  }
  return request;
}

}  // namespace

struct GrpcCoordinatorLink::Impl {
  explicit Impl(const std::string& address)
      : stub(v1::WorkerService::NewStub(
            grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), ChannelArguments()))) {}

  const std::unique_ptr<v1::WorkerService::Stub> stub;
  Mutex mutex;
  grpc::ClientContext* hanging ABSL_GUARDED_BY(mutex) = nullptr;
  int64_t hanging_sequence ABSL_GUARDED_BY(mutex) = 0;
  int64_t cancelled_sequence ABSL_GUARDED_BY(mutex) = 0;
};

GrpcCoordinatorLink::GrpcCoordinatorLink(const std::string& address) : impl_(std::make_unique<Impl>(address)) {}
GrpcCoordinatorLink::~GrpcCoordinatorLink() = default;

absl::StatusOr<SessionTerms> GrpcCoordinatorLink::OpenSession(const WorkerIdentity& worker, absl::Duration timeout) {
  v1::OpenSessionRequest request;
  request.set_worker_name(worker.name.value());
  request.set_worker_id(worker.worker_id);
  *request.mutable_facts() = benchfleet::ToProto(worker.facts);
  for (const auto& [key, value] : worker.labels) (*request.mutable_labels())[key] = value;
  request.set_version(worker.version);
  request.set_protocol_version(kProtocolVersion);
  v1::OpenSessionResponse response;
  grpc::ClientContext context;
  SetDeadline(context, timeout);
  BF_RETURN_IF_ERROR(FromGrpc(impl_->stub->OpenSession(&context, request, &response)));
  return ParseTerms(response);
}

absl::StatusOr<CoordinatorAnswer> GrpcCoordinatorLink::Sync(const SessionId& session, const WorkerStatement& statement,
                                                            absl::Duration timeout) {
  const v1::SyncRequest request = MakeSyncRequest(session, statement);
  v1::SyncResponse response;
  grpc::ClientContext context;
  SetDeadline(context, timeout);
  {
    MutexLock lock(impl_->mutex);
    if (impl_->cancelled_sequence >= statement.sequence) return absl::CancelledError("not needed any more");
    impl_->hanging = &context;
    impl_->hanging_sequence = statement.sequence;
  }
  const grpc::Status status = impl_->stub->Sync(&context, request, &response);
  {
    MutexLock lock(impl_->mutex);
    impl_->hanging = nullptr;
  }
  BF_RETURN_IF_ERROR(FromGrpc(status));
  return ParseAnswer(response);
}

void GrpcCoordinatorLink::CancelSync(int64_t sequence) {
  MutexLock lock(impl_->mutex);
  impl_->cancelled_sequence = std::max(impl_->cancelled_sequence, sequence);
  // Under the lock, so that the context lives.
  if (impl_->hanging != nullptr && impl_->hanging_sequence <= sequence) impl_->hanging->TryCancel();
}

absl::Status GrpcCoordinatorLink::PutAttemptChunk(const SessionId& session, const AttemptChunk& chunk,
                                                  absl::Duration timeout) {
  v1::PutAttemptChunkRequest request;
  request.set_session_id(session.value());
  request.set_run_id(chunk.lease.run_id.value());
  request.set_lease_epoch(chunk.lease.epoch);
  request.set_index(chunk.index);
  request.set_payload(chunk.payload);
  request.set_crc32c(Crc32c(chunk.payload));
  v1::PutAttemptChunkResponse response;
  grpc::ClientContext context;
  SetDeadline(context, timeout);
  return FromGrpc(impl_->stub->PutAttemptChunk(&context, request, &response));
}

absl::Status GrpcCoordinatorLink::CompleteAttempt(const SessionId& session, const AttemptCompletion& completion) {
  v1::CompleteAttemptRequest request;
  request.set_session_id(session.value());
  request.set_run_id(completion.lease.run_id.value());
  request.set_lease_epoch(completion.lease.epoch);
  request.set_end(benchfleet::ToProto(completion.end));
  request.set_detail(ToUtf8(completion.detail));
  request.set_chunk_count(completion.chunk_count);
  request.set_chunks_crc32c(completion.chunks_crc32c);
  v1::CompleteAttemptResponse response;
  grpc::ClientContext context;
  SetDeadline(context, kCallTimeout);
  return FromGrpc(impl_->stub->CompleteAttempt(&context, request, &response));
}

absl::Status GrpcCoordinatorLink::CloseSession(const SessionId& session) {
  v1::CloseSessionRequest request;
  request.set_session_id(session.value());
  v1::CloseSessionResponse response;
  grpc::ClientContext context;
  SetDeadline(context, kCallTimeout);
  return FromGrpc(impl_->stub->CloseSession(&context, request, &response));
}

}  // namespace benchfleet
