#include "server/rpc/sync_call.h"

#include "tests/server/rpc/rpc_fixture.h"

namespace benchfleet {
namespace {

v1::SyncRequest Request(const SessionId& session, int64_t sequence) {
  v1::SyncRequest request;
  request.set_session_id(session.value());
  request.set_sequence(sequence);
  request.set_wants_work(true);
  return request;
}

// A Sync under way on a thread of its own.
class Call {
 public:
  Call(v1::WorkerService::Stub& stub, v1::SyncRequest request)
      : thread_([this, &stub, request = std::move(request)] {
          SetWatchDog(context_);
          status_ = stub.Sync(&context_, request, &response_);
        }) {}
  ~Call() {
    if (thread_.joinable()) thread_.join();
  }
  void Cancel() { context_.TryCancel(); }
  absl::Status Await() {
    thread_.join();
    return FromGrpc(status_);
  }
  const v1::SyncResponse& response() const { return response_; }

 private:
  grpc::ClientContext context_;
  grpc::Status status_;
  v1::SyncResponse response_;
  std::thread thread_;  // last: it uses the rest
};

class SyncCallTest : public RpcTest {
 protected:
  using RpcTest::RpcTest;

  // Begins a Sync and returns when it has been looked at once.
  std::unique_ptr<Call> Hang(const SessionId& session, int64_t sequence) {
    const int64_t before = store.writes();
    auto call = std::make_unique<Call>(*workers, Request(session, sequence));
    EXPECT_TRUE(Eventually([&] { return store.writes() > before; }));
    return call;
  }
};

TEST_F(SyncCallTest, HangsUntilAJobComes) {
  const auto call = Hang(Open("alpha"), 1);
  const JobId job = Create();
  ASSERT_TRUE(call->Await().ok());
  ASSERT_EQ(call->response().leases_size(), 1);
  const v1::GrantedLease& lease = call->response().leases(0);
  EXPECT_EQ(lease.run_id(), job.value() + "/0");
  EXPECT_EQ(lease.state(), v1::RUN_STATE_OFFERED);
  EXPECT_TRUE(lease.has_spec());
  EXPECT_EQ(lease.run_timeout().seconds(), 3600);
  EXPECT_EQ(call->response().sequence(), 1);
}

TEST_F(SyncCallTest, AJobThatComesWhileItIsLookedAtIsNotMissed) {
  const SessionId session = Open("alpha");
  store.AfterNext("sync", [&] { Create(); });
  Call call(*workers, Request(session, 1));
  ASSERT_TRUE(call.Await().ok());
  EXPECT_EQ(call.response().leases_size(), 1);
}

TEST_F(SyncCallTest, ANewerOneEndsAnOlderOneWhichThenChangesNothing) {
  const SessionId session = Open("alpha");
  const auto older = Hang(session, 1);
  const auto newer = Hang(session, 2);
  const absl::Status status = older->Await();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(ErrorReason(status), "SYNC_SUPERSEDED");
  Create();
  ASSERT_TRUE(newer->Await().ok());
  EXPECT_EQ(newer->response().leases_size(), 1);
}

TEST_F(SyncCallTest, OnesOfOtherSessionsHangOn) {
  const auto alpha = Hang(Open("alpha"), 1);
  const auto beta = Hang(Open("beta"), 2);
  Create();
  Create();
  EXPECT_TRUE(alpha->Await().ok());
  EXPECT_TRUE(beta->Await().ok());
  EXPECT_EQ(alpha->response().leases_size() + beta->response().leases_size(), 2);
}

TEST_F(SyncCallTest, AStoppingServerEndsIt) {
  const auto call = Hang(Open("alpha"), 1);
  server->Stop(absl::InfiniteDuration());
  const absl::Status status = call->Await();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ErrorReason(status), "SERVER_STOPS");
}

TEST_F(SyncCallTest, EndsWithItsSession) {
  const SessionId first = Open("alpha");
  const auto replaced = Hang(first, 1);
  const SessionId second = Open("alpha");
  EXPECT_EQ(ErrorReason(replaced->Await()), "SESSION_NOT_FOUND");
  const auto closed = Hang(second, 1);
  ASSERT_TRUE(coordinator.CloseSession(second).ok());
  EXPECT_EQ(ErrorReason(closed->Await()), "SESSION_NOT_FOUND");
}

TEST_F(SyncCallTest, TheWorkerMayHangUp) {
  const auto call = Hang(Open("alpha"), 1);
  call->Cancel();
  EXPECT_EQ(call->Await().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(Eventually([&] { return observer.Count("Sync", grpc::StatusCode::CANCELLED) == 1; }));
}

TEST_F(SyncCallTest, WrongFieldsAreNamed) {
  v1::SyncRequest request = Request(Open("alpha"), 0);
  request.add_leases()->set_run_id("x/0");
  const absl::Status status = Call(*workers, request).Await();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ErrorReason(status), "INVALID_FIELD");
  const auto violations = FieldViolationsOf(status);
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_EQ(violations[0].field, "sequence");
  EXPECT_EQ(violations[1].field, "leases[0].state");
}

TEST_F(SyncCallTest, TheNumberOfLeasesIsLimited) {
  v1::SyncRequest request = Request(Open("alpha"), 1);
  for (int i = 0; i <= kMaxListedLeases; ++i) request.add_leases()->set_state(v1::HELD_LEASE_STATE_HELD);
  const auto violations = FieldViolationsOf(Call(*workers, request).Await());
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].field, "leases");
  request.mutable_leases()->RemoveLast();
  EXPECT_TRUE(Call(*workers, request).Await().ok());
}

TEST_F(SyncCallTest, ASessionThatIsNotThereIsNotFound) {
  EXPECT_EQ(ErrorReason(Call(*workers, Request(SessionId("gone"), 1)).Await()), "SESSION_NOT_FOUND");
}

class ShortSyncCallTest : public SyncCallTest {
 protected:
  ShortSyncCallTest() : SyncCallTest(absl::Milliseconds(1)) {}
};

TEST_F(ShortSyncCallTest, IsAnsweredWhenItHasHungForLong) {
  const SessionId session = Open("alpha");
  for (int64_t sequence = 1; sequence <= 50; ++sequence) {
    Call call(*workers, Request(session, sequence));
    ASSERT_TRUE(call.Await().ok());
    EXPECT_EQ(call.response().sequence(), sequence);
    EXPECT_EQ(call.response().leases_size(), 0);
  }
}

// Serves Sync alone and sees the call off.
class OneCallService final : public v1::WorkerService::CallbackService {
 public:
  OneCallService(Coordinator& coordinator, NoticeBoard& board) : coordinator_(coordinator), board_(board) {}

  grpc::ServerUnaryReactor* Sync(grpc::CallbackServerContext*, const v1::SyncRequest* request,
                                 v1::SyncResponse* response) override {
    const auto call = SyncCallReactor::Start(
        coordinator_, board_, executor_, SyncCall{SessionId(request->session_id()), request->sequence(), {}, true, ""},
        response, [](grpc::StatusCode) {});
    MutexLock lock(mutex_);
    call_ = call;
    return call.get();
  }
  bool IsGone() {
    MutexLock lock(mutex_);
    return call_.expired();
  }

 private:
  Coordinator& coordinator_;
  NoticeBoard& board_;
  Executor executor_;
  Mutex mutex_;
  std::weak_ptr<SyncCallReactor> call_ ABSL_GUARDED_BY(mutex_);
};

// The alarm and the board hold callbacks of a call: none may keep it alive.
TEST(SyncCall, AnAnsweredCallIsLetGo) {
  for (const absl::Duration hang : {absl::Milliseconds(1), absl::Duration(absl::Hours(1))}) {
    Core core;
    Coordinator coordinator(core.store, core.clock, core.board, core.observer, {.sync_hang = hang});
    const SessionId session = core.Open("alpha");
    if (hang > absl::Minutes(1)) core.Create();
    OneCallService service(coordinator, core.board);
    grpc::ServerBuilder builder;
    builder.RegisterService(&service);
    const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    const auto stub = v1::WorkerService::NewStub(server->InProcessChannel(grpc::ChannelArguments()));
    ASSERT_TRUE(Call(*stub, Request(session, 1)).Await().ok());
    EXPECT_TRUE(Eventually([&] { return service.IsGone(); })) << hang;
    server->Shutdown();
  }
}

}  // namespace
}  // namespace benchfleet
