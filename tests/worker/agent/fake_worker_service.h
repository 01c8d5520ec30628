// The fake coordinator as a gRPC service, for workers that are programs.
#ifndef BENCHFLEET_TESTS_WORKER_AGENT_FAKE_WORKER_SERVICE_H_
#define BENCHFLEET_TESTS_WORKER_AGENT_FAKE_WORKER_SERVICE_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchfleet/v1/worker_service.grpc.pb.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/status_wire.h"
#include "common/wire/time_wire.h"
#include "tests/fakes/fake_coordinator_link.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {

class FakeWorkerService final : public v1::WorkerService::Service {
 public:
  explicit FakeWorkerService(FakeCoordinatorLink& link) : link_(link) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~FakeWorkerService() override { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

  grpc::Status OpenSession(grpc::ServerContext*, const v1::OpenSessionRequest*,
                           v1::OpenSessionResponse* response) override {
    const absl::StatusOr<SessionTerms> terms = link_.OpenSession({}, kWatchDog);
    if (!terms.ok()) return ToGrpc(terms.status());
    response->set_session_id(terms->id.value());
    *response->mutable_sync_hang() = ToProto(terms->sync_hang);
    *response->mutable_lease_ttl() = ToProto(terms->lease_ttl);
    *response->mutable_reconnect_window() = ToProto(terms->reconnect_window);
    response->set_max_chunk_bytes(terms->max_chunk_bytes);
    return grpc::Status::OK;
  }

  grpc::Status Sync(grpc::ServerContext* context, const v1::SyncRequest* request, v1::SyncResponse* response) override {
    WorkerStatement statement;
    statement.sequence = request->sequence();
    statement.wants_work = request->wants_work();
    statement.idle_reason = request->idle_reason();
    for (const v1::HeldLease& lease : request->leases()) {
      statement.leases.push_back(
          {{RunId(lease.run_id()), lease.lease_epoch()}, FromProto(lease.state()), lease.reason()});
    }
    absl::StatusOr<CoordinatorAnswer> answer = absl::DeadlineExceededError("");
    // In slices, so that a caller who has gone is noticed.
    while (absl::IsDeadlineExceeded(answer.status()) && !context->IsCancelled()) {
      answer = link_.Sync(SessionId(request->session_id()), statement, absl::Milliseconds(10));
    }
    if (!answer.ok()) return ToGrpc(answer.status());
    response->set_sequence(answer->sequence);
    for (const LeaseGrant& grant : answer->leases) {
      v1::GrantedLease& lease = *response->add_leases();
      lease.set_run_id(grant.lease.run_id.value());
      lease.set_lease_epoch(grant.lease.epoch);
      lease.set_state(grant.state == GrantState::kOffered ? v1::RUN_STATE_OFFERED : v1::RUN_STATE_RUNNING);
      *lease.mutable_ttl() = ToProto(grant.ttl);
      lease.set_cancel(grant.cancel);
      if (grant.state != GrantState::kOffered) continue;
      *lease.mutable_spec() = ToProto(*grant.spec);
      *lease.mutable_run_timeout() = ToProto(grant.run_timeout);
    }
    return grpc::Status::OK;
  }

  grpc::Status PutAttemptChunk(grpc::ServerContext*, const v1::PutAttemptChunkRequest* request,
                               v1::PutAttemptChunkResponse*) override {
    const LeaseKey lease{RunId(request->run_id()), request->lease_epoch()};
    return ToGrpc(link_.PutAttemptChunk(SessionId(request->session_id()), {lease, request->index(), request->payload()},
                                        kCallTimeout));
  }

  grpc::Status CompleteAttempt(grpc::ServerContext*, const v1::CompleteAttemptRequest* request,
                               v1::CompleteAttemptResponse*) override {
    const LeaseKey lease{RunId(request->run_id()), request->lease_epoch()};
    return ToGrpc(link_.CompleteAttempt(SessionId(request->session_id()),
                                        {lease, *ParseAttemptEnd(request->end()), request->detail(),
                                         request->chunk_count(), request->chunks_crc32c()}));
  }

  grpc::Status CloseSession(grpc::ServerContext*, const v1::CloseSessionRequest* request,
                            v1::CloseSessionResponse*) override {
    return ToGrpc(link_.CloseSession(SessionId(request->session_id())));
  }

 private:
  static grpc::Status ToGrpc(const absl::Status& status) {
    return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()),
                        ToRpcStatus(status).SerializeAsString());
  }
  static StatedAs FromProto(v1::HeldLeaseState state) {
    if (state == v1::HELD_LEASE_STATE_RELEASED) return StatedAs::kReleased;
    return state == v1::HELD_LEASE_STATE_CANCELLING ? StatedAs::kCancelling : StatedAs::kHeld;
  }

  FakeCoordinatorLink& link_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_WORKER_AGENT_FAKE_WORKER_SERVICE_H_
