#include "server/rpc/watch_call.h"

#include <gmock/gmock.h>

#include "tests/server/rpc/rpc_fixture.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

// A WatchJob under way.
class Watcher {
 public:
  Watcher(v1::BenchmarkService::Stub& stub, const JobId& job, int64_t from_event = 0) {
    SetWatchDog(context_);
    v1::WatchJobRequest request;
    request.set_id(job.value());
    request.set_from_event(from_event);
    reader_ = stub.WatchJob(&context_, request);
  }
  ~Watcher() {
    if (finished_) return;
    context_.TryCancel();
    (void)reader_->Finish();
  }
  bool Read(v1::WatchJobResponse& event) { return reader_->Read(&event); }
  std::vector<v1::WatchJobResponse> ReadToEnd() {
    std::vector<v1::WatchJobResponse> events;
    for (v1::WatchJobResponse event; reader_->Read(&event);) events.push_back(event);
    return events;
  }
  absl::Status Finish() {
    finished_ = true;
    return FromGrpc(reader_->Finish());
  }
  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchJobResponse>> reader_;
  bool finished_ = false;
};

std::vector<std::string> Messages(const std::vector<v1::WatchJobResponse>& events) {
  std::vector<std::string> messages;
  for (const v1::WatchJobResponse& event : events) messages.push_back(event.message());
  return messages;
}

using WatchCallTest = RpcTest;

TEST_F(WatchCallTest, AnEventThatComesWhileItReadsIsNotMissed) {
  const JobId job = Create();
  // The second look finds nothing new; the job is cancelled before it goes to wait.
  store.AfterNext("watch_job",
                  [&] { store.AfterNext("watch_job", [&] { EXPECT_TRUE(coordinator.CancelJob(job).ok()); }); });
  Watcher watcher(*users, job);
  EXPECT_THAT(watcher.ReadToEnd(), SizeIs(2));
  EXPECT_TRUE(watcher.Finish().ok());
}

TEST_F(WatchCallTest, TellsEventsAsTheyComeAndEndsWithTheJob) {
  const JobId job = Create();
  Watcher watcher(*users, job);
  v1::WatchJobResponse event;
  ASSERT_TRUE(watcher.Read(event));
  EXPECT_EQ(event.event(), 1);
  EXPECT_EQ(event.run_id(), job.value() + "/0");
  EXPECT_EQ(event.job_state(), v1::JOB_STATE_QUEUED);
  EXPECT_THAT(event.message(), StartsWith("queued"));

  ASSERT_TRUE(coordinator.CancelJob(job).ok());
  const auto rest = watcher.ReadToEnd();
  EXPECT_THAT(Messages(rest), ElementsAre("cancelled"));
  EXPECT_EQ(rest.at(0).event(), 2);
  EXPECT_EQ(rest.at(0).job_state(), v1::JOB_STATE_CANCELLED);
  EXPECT_TRUE(watcher.Finish().ok());
}

TEST_F(WatchCallTest, GoesOnFromAnEvent) {
  const JobId job = Create();
  ASSERT_TRUE(coordinator.CancelJob(job).ok());
  EXPECT_THAT(Watcher(*users, job, 1).ReadToEnd(), SizeIs(2));
  EXPECT_THAT(Messages(Watcher(*users, job, 2).ReadToEnd()), ElementsAre("cancelled"));
  Watcher past(*users, job, 3);
  EXPECT_THAT(past.ReadToEnd(), SizeIs(0));
  EXPECT_TRUE(past.Finish().ok());
}

TEST_F(WatchCallTest, AJobThatIsNotThereIsNotFound) {
  Watcher watcher(*users, JobId("gone"));
  EXPECT_THAT(watcher.ReadToEnd(), SizeIs(0));
  const absl::Status status = watcher.Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ErrorReason(status), "JOB_NOT_FOUND");
}

TEST_F(WatchCallTest, AReaderThatDoesNotReadHoldsNobodyUp) {
  const JobId job = Create();
  Watcher slow(*users, job);
  constexpr int kEvents = 500;
  for (int i = 0; i < kEvents; ++i) {
    ASSERT_TRUE(store
                    .Write("event",
                           [&](StoreWriter& writer) {
                             EventRecord event;
                             event.message = std::string(1000, 'x');
                             return writer.InsertEvent(job, event).status();
                           })
                    .ok());
    board.Deliver({.jobs = {job}});
  }
  ASSERT_TRUE(coordinator.CancelJob(job).ok());
  EXPECT_THAT(Watcher(*users, job).ReadToEnd(), SizeIs(kEvents + 2));

  int64_t last = 0;
  for (const v1::WatchJobResponse& event : slow.ReadToEnd()) EXPECT_EQ(event.event(), ++last);
  EXPECT_EQ(last, kEvents + 2);
  EXPECT_TRUE(slow.Finish().ok());
}

TEST_F(WatchCallTest, AWatcherMayHangUp) {
  const JobId job = Create();
  Watcher watcher(*users, job);
  v1::WatchJobResponse event;
  ASSERT_TRUE(watcher.Read(event));
  watcher.Cancel();
  EXPECT_EQ(watcher.Finish().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(Eventually([&] { return observer.Count("WatchJob", grpc::StatusCode::CANCELLED) == 1; }));
}

TEST_F(WatchCallTest, AStoppingServerEndsIt) {
  const JobId job = Create();
  Watcher watcher(*users, job);
  v1::WatchJobResponse event;
  ASSERT_TRUE(watcher.Read(event));
  server->Stop(absl::InfiniteDuration());
  EXPECT_FALSE(watcher.Read(event));
  const absl::Status status = watcher.Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ErrorReason(status), "SERVER_STOPS");
}

}  // namespace
}  // namespace benchfleet
