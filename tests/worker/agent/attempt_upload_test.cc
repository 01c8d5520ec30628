#include "worker/agent/attempt_upload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tests/fakes/fake_coordinator_link.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

// Time passes only in calls, and a call takes as long as it says or as it may.
class AttemptUploadTest : public ::testing::Test {
 protected:
  // The fake coordinator behind a slow network.
  class SlowLink final : public CoordinatorLink {
   public:
    absl::Status PutAttemptChunk(const SessionId& session, const AttemptChunk& chunk, absl::Duration timeout) override {
      now += std::min(timeout, call_takes);
      if (timeout < call_takes) return absl::DeadlineExceededError("no answer in time");
      return fake.PutAttemptChunk(session, chunk, timeout);
    }
    absl::Status CompleteAttempt(const SessionId& session, const AttemptCompletion& completion) override {
      return fake.CompleteAttempt(session, completion);
    }
    absl::StatusOr<SessionTerms> OpenSession(const WorkerIdentity& worker, absl::Duration timeout) override {
      return fake.OpenSession(worker, timeout);
    }
    absl::StatusOr<CoordinatorAnswer> Sync(const SessionId& session, const WorkerStatement& statement,
                                           absl::Duration timeout) override {
      return fake.Sync(session, statement, timeout);
    }
    void CancelSync(int64_t sequence) override { fake.CancelSync(sequence); }
    absl::Status CloseSession(const SessionId& session) override { return fake.CloseSession(session); }

    FakeCoordinatorLink fake;
    absl::Duration call_takes;
    absl::Duration now;
  };

  void SetUp() override {
    sessions_.Set(*link_.OpenSession({}, kCallTimeout));
    link_.fake.AddRunning(TestLease(5));
    auto spool = Spool::Open(folder_.path() + "/spool");
    ASSERT_TRUE(spool.ok()) << spool.status();
    spool_ = *std::move(spool);
    entry_ = *spool_->Begin(TestLease(5));
    for (int i = 0; i < kChunks; ++i) ASSERT_TRUE(entry_->AddChunk(absl::StrCat("chunk ", i)).ok());
    upload_ = std::make_unique<AttemptUpload>(link_, sessions_, *entry_, [this] { return link_.now; });
  }

  static constexpr int kChunks = 10;
  TempFolder folder_;
  SlowLink link_;
  SessionBox sessions_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<SpoolEntry> entry_;
  std::unique_ptr<AttemptUpload> upload_;
};

TEST_F(AttemptUploadTest, AllChunksTogetherTakeNoLongerThanTheTimeout) {
  link_.call_takes = absl::Milliseconds(700);
  EXPECT_TRUE(absl::IsDeadlineExceeded(upload_->SendChunks(absl::Seconds(2))));
  EXPECT_EQ(link_.now, absl::Seconds(2));
  EXPECT_EQ(upload_->sent(), 2);
  // The next call goes on where this one ended.
  EXPECT_TRUE(upload_->SendChunks(absl::Hours(1)).ok());
  EXPECT_EQ(link_.now, absl::Seconds(2) + 8 * link_.call_takes);
  EXPECT_EQ(upload_->sent(), kChunks);
}

TEST_F(AttemptUploadTest, TheTimeMayBeOverBetweenTwoChunks) {
  link_.call_takes = absl::Seconds(1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(upload_->SendChunks(absl::Seconds(2))));
  EXPECT_EQ(link_.now, absl::Seconds(2));
  EXPECT_EQ(upload_->sent(), 2);
}

TEST_F(AttemptUploadTest, NoCallIsLongerThanItsOwnBound) {
  link_.call_takes = absl::Hours(1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(upload_->SendChunks(absl::Hours(1))));
  EXPECT_EQ(link_.now, kCallTimeout);
}

TEST_F(AttemptUploadTest, ADeliveryThatGetsOnDoesNotBackOffButMayBeGivenUp) {
  link_.call_takes = absl::Seconds(3);
  ASSERT_TRUE(entry_->Complete(AttemptEnd::kSucceeded, "").ok());
  Backoff backoff({}, 1);
  std::vector<absl::Duration> waits;
  const auto deliver = [&] {
    return Deliver(link_, sessions_, upload_.get(), *entry_->completion(), backoff,
                   [&](absl::Duration wait) {
                     waits.push_back(wait);
                     return waits.size() != 1;
                   })
        .end;
  };
  EXPECT_EQ(deliver(), DeliveryEnd::kLeft);
  EXPECT_EQ(link_.now, kCallTimeout);
  EXPECT_EQ(upload_->sent(), 3);
  EXPECT_EQ(deliver(), DeliveryEnd::kAcknowledged);
  for (const absl::Duration wait : waits) EXPECT_EQ(wait, absl::ZeroDuration());
}

TEST_F(AttemptUploadTest, ADeliveryThatDoesNotGetOnBacksOff) {
  link_.call_takes = absl::Hours(1);
  ASSERT_TRUE(entry_->Complete(AttemptEnd::kSucceeded, "").ok());
  Backoff backoff({}, 1);
  absl::Duration waited;
  const Delivery delivery =
      Deliver(link_, sessions_, upload_.get(), *entry_->completion(), backoff, [&](absl::Duration wait) {
        waited = wait;
        return false;
      });
  EXPECT_EQ(delivery.end, DeliveryEnd::kLeft);
  EXPECT_GT(waited, absl::ZeroDuration());
}

}  // namespace
}  // namespace benchfleet
