// The link against a real gRPC server in this process.
#include "worker/agent/grpc_coordinator_link.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "benchfleet/v1/worker_service.grpc.pb.h"
#include "common/base/error.h"
#include "common/os/digest.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/status_wire.h"
#include "common/wire/time_wire.h"
#include "google/rpc/status.pb.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kRun[] = "018f0000-0000-7000-8000-000000000001/0";

// Remembers what came and answers what the test says.
class RecordingService final : public v1::WorkerService::Service {
 public:
  grpc::Status OpenSession(grpc::ServerContext*, const v1::OpenSessionRequest* request,
                           v1::OpenSessionResponse* response) override {
    opened = *request;
    *response = terms;
    return status;
  }
  grpc::Status Sync(grpc::ServerContext* context, const v1::SyncRequest* request, v1::SyncResponse* response) override {
    synced = *request;
    if (hang) {
      hanging.Open();
      const absl::Duration deadline = MonotonicNow() + kWatchDog;
      while (!context->IsCancelled() && MonotonicNow() < deadline) std::this_thread::yield();
      return grpc::Status(grpc::StatusCode::CANCELLED, "");
    }
    *response = answer;
    return status;
  }
  grpc::Status PutAttemptChunk(grpc::ServerContext*, const v1::PutAttemptChunkRequest* request,
                               v1::PutAttemptChunkResponse*) override {
    chunk = *request;
    return status;
  }
  grpc::Status CompleteAttempt(grpc::ServerContext*, const v1::CompleteAttemptRequest* request,
                               v1::CompleteAttemptResponse*) override {
    completed = *request;
    return status;
  }
  grpc::Status CloseSession(grpc::ServerContext*, const v1::CloseSessionRequest* request,
                            v1::CloseSessionResponse*) override {
    closed = *request;
    return status;
  }

  v1::OpenSessionRequest opened;
  v1::SyncRequest synced;
  v1::PutAttemptChunkRequest chunk;
  v1::CompleteAttemptRequest completed;
  v1::CloseSessionRequest closed;
  v1::OpenSessionResponse terms;
  v1::SyncResponse answer;
  grpc::Status status;
  bool hang = false;
  Latch hanging;
};

class GrpcCoordinatorLinkTest : public ::testing::Test {
 protected:
  GrpcCoordinatorLinkTest() {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    link_ = std::make_unique<GrpcCoordinatorLink>(absl::StrCat("127.0.0.1:", port));
    service_.terms.set_session_id("s");
    *service_.terms.mutable_sync_hang() = ToProto(absl::Seconds(20));
    *service_.terms.mutable_lease_ttl() = ToProto(absl::Seconds(90));
    *service_.terms.mutable_reconnect_window() = ToProto(absl::Seconds(5));
    service_.terms.set_max_chunk_bytes(1 << 20);
  }
  ~GrpcCoordinatorLinkTest() override { server_->Shutdown(std::chrono::system_clock::now()); }

  absl::StatusOr<CoordinatorAnswer> Sync() {
    WorkerStatement statement;
    statement.sequence = 7;
    return link_->Sync(SessionId("s"), statement, kWatchDog);
  }
  v1::GrantedLease& AddGrant(v1::RunState state) {
    v1::GrantedLease& grant = *service_.answer.add_leases();
    grant.set_run_id(kRun);
    grant.set_lease_epoch(5);
    grant.set_state(state);
    *grant.mutable_ttl() = ToProto(absl::Seconds(10));
    return grant;
  }

  RecordingService service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<GrpcCoordinatorLink> link_;
};

TEST_F(GrpcCoordinatorLinkTest, OpensASession) {
  WorkerIdentity identity;
  identity.name = HostName("h");
  identity.worker_id = "id";
  identity.labels = {{"rack", "b4"}};
  identity.version = "1.2.3";
  identity.facts.boot_id = "boot";
  const auto terms = link_->OpenSession(identity, kWatchDog);
  ASSERT_TRUE(terms.ok()) << terms.status();
  EXPECT_EQ(terms->id, SessionId("s"));
  EXPECT_EQ(terms->sync_hang, absl::Seconds(20));
  EXPECT_EQ(terms->lease_ttl, absl::Seconds(90));
  EXPECT_EQ(terms->reconnect_window, absl::Seconds(5));
  EXPECT_EQ(terms->max_chunk_bytes, 1 << 20);
  EXPECT_EQ(service_.opened.worker_name(), "h");
  EXPECT_EQ(service_.opened.worker_id(), "id");
  EXPECT_EQ(service_.opened.labels().at("rack"), "b4");
  EXPECT_EQ(service_.opened.version(), "1.2.3");
  EXPECT_EQ(service_.opened.protocol_version(), 1);
  EXPECT_EQ(service_.opened.facts().boot_id(), "boot");
}

TEST_F(GrpcCoordinatorLinkTest, StatesWhatItIsTold) {
  WorkerStatement statement;
  statement.sequence = 9;
  statement.idle_reason = "busy";
  statement.leases = {{TestLease(1), StatedAs::kHeld, ""},
                      {TestLease(2), StatedAs::kCancelling, ""},
                      {TestLease(3), StatedAs::kReleased, "why"}};
  ASSERT_TRUE(link_->Sync(SessionId("s"), statement, kWatchDog).ok());
  EXPECT_EQ(service_.synced.session_id(), "s");
  EXPECT_EQ(service_.synced.sequence(), 9);
  EXPECT_FALSE(service_.synced.wants_work());
  EXPECT_EQ(service_.synced.idle_reason(), "busy");
  ASSERT_THAT(service_.synced.leases(), SizeIs(3));
  EXPECT_EQ(service_.synced.leases(0).state(), v1::HELD_LEASE_STATE_HELD);
  EXPECT_EQ(service_.synced.leases(1).state(), v1::HELD_LEASE_STATE_CANCELLING);
  EXPECT_EQ(service_.synced.leases(2).state(), v1::HELD_LEASE_STATE_RELEASED);
  EXPECT_EQ(service_.synced.leases(2).reason(), "why");
  EXPECT_EQ(service_.synced.leases(2).run_id(), kRun);
  EXPECT_EQ(service_.synced.leases(2).lease_epoch(), 3);
}

TEST_F(GrpcCoordinatorLinkTest, AReasonIsNeverLongerThanTheCoordinatorTakes) {
  for (const size_t bytes : {1024, 1025}) {
    WorkerStatement statement;
    statement.sequence = static_cast<int64_t>(bytes);
    statement.idle_reason = std::string(bytes, 'x');
    statement.leases = {{TestLease(1), StatedAs::kReleased, std::string(bytes, 'y')}};
    ASSERT_TRUE(link_->Sync(SessionId("s"), statement, kWatchDog).ok());
    EXPECT_EQ(service_.synced.idle_reason(), std::string(1024, 'x'));
    EXPECT_EQ(service_.synced.leases(0).reason(), std::string(1024, 'y'));
  }
}

TEST_F(GrpcCoordinatorLinkTest, UnderstandsWhatItIsGranted) {
  service_.answer.set_sequence(7);
  v1::GrantedLease& offer = AddGrant(v1::RUN_STATE_OFFERED);
  *offer.mutable_spec() = ToProto(JobSpec());
  *offer.mutable_run_timeout() = ToProto(absl::Hours(1));
  AddGrant(v1::RUN_STATE_RUNNING).set_cancel(true);
  AddGrant(static_cast<v1::RunState>(99));
  const auto answer = Sync();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->sequence, 7);
  ASSERT_THAT(answer->leases, SizeIs(3));
  EXPECT_EQ(answer->leases[0].lease, TestLease(5));
  EXPECT_EQ(answer->leases[0].state, GrantState::kOffered);
  EXPECT_EQ(answer->leases[0].ttl, absl::Seconds(10));
  EXPECT_EQ(answer->leases[0].run_timeout, absl::Hours(1));
  EXPECT_EQ(answer->leases[1].state, GrantState::kRunning);
  EXPECT_TRUE(answer->leases[1].cancel);
  EXPECT_EQ(answer->leases[2].state, GrantState::kUnknown);
}

TEST_F(GrpcCoordinatorLinkTest, AnOfferOfAJobItCannotReadIsStillAnOffer) {
  AddGrant(v1::RUN_STATE_OFFERED).mutable_spec()->set_project("no suite");
  const auto answer = Sync();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_TRUE(absl::IsInvalidArgument(answer->leases[0].spec.status()));
}

TEST_F(GrpcCoordinatorLinkTest, AMalformedAnswerIsAnErrorThatNamesTheField) {
  const struct {
    const char* field;
    std::function<void(v1::GrantedLease&)> spoil;
  } kCases[] = {
      {"run_id", [](v1::GrantedLease& g) { g.set_run_id("../../etc"); }},
      {"lease_epoch", [](v1::GrantedLease& g) { g.set_lease_epoch(0); }},
      {"ttl", [](v1::GrantedLease& g) { g.mutable_ttl()->set_nanos(2'000'000'000); }},
  };
  for (const auto& c : kCases) {
    service_.answer.Clear();
    c.spoil(AddGrant(v1::RUN_STATE_RUNNING));
    const auto answer = Sync();
    EXPECT_TRUE(absl::IsInternal(answer.status())) << c.field;
    EXPECT_THAT(std::string(answer.status().message()), HasSubstr(c.field));
  }
  service_.terms.clear_sync_hang();
  EXPECT_THAT(std::string(link_->OpenSession({}, kWatchDog).status().message()), HasSubstr("sync_hang"));
}

TEST_F(GrpcCoordinatorLinkTest, SendsChunksAndEndsWithTheirChecksums) {
  ASSERT_TRUE(link_->PutAttemptChunk(SessionId("s"), {TestLease(5), 3, "payload"}, kCallTimeout).ok());
  EXPECT_EQ(service_.chunk.session_id(), "s");
  EXPECT_EQ(service_.chunk.run_id(), kRun);
  EXPECT_EQ(service_.chunk.lease_epoch(), 5);
  EXPECT_EQ(service_.chunk.index(), 3);
  EXPECT_EQ(service_.chunk.payload(), "payload");
  EXPECT_EQ(service_.chunk.crc32c(), Crc32c("payload"));
  ASSERT_TRUE(
      link_->CompleteAttempt(SessionId("s"), {TestLease(5), AttemptEnd::kCrashed, "bad \xff byte", 4, 99}).ok());
  EXPECT_EQ(service_.completed.end(), v1::ATTEMPT_END_CRASHED);
  EXPECT_EQ(service_.completed.detail(), "bad ? byte");
  EXPECT_EQ(service_.completed.chunk_count(), 4);
  EXPECT_EQ(service_.completed.chunks_crc32c(), 99u);
  ASSERT_TRUE(link_->CloseSession(SessionId("s")).ok());
  EXPECT_EQ(service_.closed.session_id(), "s");
}

TEST_F(GrpcCoordinatorLinkTest, AReasonSurvivesTheWay) {
  const absl::Status stale = ErrorWithReason(absl::StatusCode::kFailedPrecondition, "STALE_LEASE", "epoch 5 is over");
  service_.status = grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, std::string(stale.message()),
                                 ToRpcStatus(stale).SerializeAsString());
  const absl::Status status = link_->PutAttemptChunk(SessionId("s"), {TestLease(5), 0, "x"}, kCallTimeout);
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_EQ(ErrorReason(status), "STALE_LEASE");
  EXPECT_EQ(status.message(), "epoch 5 is over");
  service_.status = grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too large");
  EXPECT_EQ(link_->CloseSession(SessionId("s")), absl::ResourceExhaustedError("too large"));
}

TEST_F(GrpcCoordinatorLinkTest, ASyncThatHangsEndsWhenItIsCancelled) {
  service_.hang = true;
  absl::Status status;
  std::thread caller([&] { status = Sync().status(); });
  EXPECT_TRUE(service_.hanging.Wait());
  link_->CancelSync(6);  // of an earlier one: changes nothing
  link_->CancelSync(7);
  caller.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

TEST_F(GrpcCoordinatorLinkTest, ASyncThatWasCancelledBeforeItBeganIsNotMade) {
  link_->CancelSync(7);
  EXPECT_TRUE(absl::IsCancelled(Sync().status()));
  EXPECT_EQ(service_.synced.session_id(), "");
  link_->CancelSync(5);  // a late one of an earlier Sync takes nothing back
  EXPECT_TRUE(absl::IsCancelled(Sync().status()));
}

TEST_F(GrpcCoordinatorLinkTest, EveryCallHasADeadline) {
  service_.hang = true;
  WorkerStatement statement;
  statement.sequence = 1;
  const absl::Status status = link_->Sync(SessionId("s"), statement, absl::Milliseconds(50)).status();
  // The deadline passes on both sides at once; either may say so first.
  EXPECT_TRUE(absl::IsDeadlineExceeded(status) || absl::IsCancelled(status)) << status;
}

TEST(GrpcCoordinatorLink, NobodyThereIsUnavailable) {
  GrpcCoordinatorLink link("127.0.0.1:1");
  EXPECT_TRUE(absl::IsUnavailable(link.CloseSession(SessionId("s"))));
}

}  // namespace
}  // namespace benchfleet
