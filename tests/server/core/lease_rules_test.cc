#include "server/core/lease_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace benchfleet {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);
const LeaseOwner kAlpha{HostName("alpha"), "boot-1"};
const LeaseOwner kBeta{HostName("beta"), "boot-2"};
constexpr LeasePolicy kPolicy;

RunLease Queued() {
  RunLease lease;
  lease.queue_timeout = absl::Hours(24);
  lease.expires_at = kNow + lease.queue_timeout;
  return lease;
}

RunLease Offered() { return OnOffer(Queued(), 7, kAlpha, kNow, kPolicy).next; }

RunLease Running() { return OnListed(Offered(), Listing::kHeld, 7, "", kNow, kPolicy).next; }

RunLease Cancelled(RunLease lease) {
  lease.cancel_requested = true;
  return lease;
}

RunLease Spent(RunLease lease, int attempts) {
  lease.attempts_spent = attempts;
  return lease;
}

// One row of docs/lease_rules.md.
struct ListedCase {
  std::string name;
  RunLease before;
  Listing listing;
  LeaseEpoch epoch;
  RunState state;
  bool granted;
  bool news;
  bool accepted;
  std::optional<AttemptEnd> ended;
  int attempts_spent;
};

class ListedTest : public ::testing::TestWithParam<ListedCase> {};

TEST_P(ListedTest, LeadsWhereTheTableSays) {
  const ListedCase& c = GetParam();
  const LeaseStep step = OnListed(c.before, c.listing, c.epoch, "why", kNow + absl::Seconds(1), kPolicy);
  EXPECT_EQ(step.next.state, c.state);
  EXPECT_EQ(step.granted, c.granted);
  EXPECT_EQ(step.news, c.news);
  EXPECT_EQ(step.accepted, c.accepted);
  EXPECT_EQ(step.ended, c.ended);
  EXPECT_EQ(step.next.attempts_spent, c.attempts_spent);
  EXPECT_EQ(step.next.epoch, c.before.epoch);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ListedTest,
    ::testing::ValuesIn(std::vector<ListedCase>{
        {"OfferHeld", Offered(), Listing::kHeld, 7, RunState::kRunning, true, true, true, {}, 0},
        {"OfferUnlisted", Offered(), Listing::kUnlisted, 7, RunState::kOffered, true, true, false, {}, 0},
        {"OfferReleased", Offered(), Listing::kReleased, 7, RunState::kQueued, false, true, false, {}, 0},
        {"OfferListedUnderOldEpoch", Offered(), Listing::kHeld, 6, RunState::kOffered, true, true, false, {}, 0},
        {"RunningHeld", Running(), Listing::kHeld, 7, RunState::kRunning, true, false, false, {}, 0},
        {"RunningUnlisted", Running(), Listing::kUnlisted, 7, RunState::kRunning, true, false, false, {}, 0},
        {"RunningListedUnderOldEpoch", Running(), Listing::kHeld, 6, RunState::kRunning, true, false, false, {}, 0},
        {"RunningReleased", Running(), Listing::kReleased, 7, RunState::kQueued, false, true, false,
         AttemptEnd::kReleased, 0},
        {"CancelledHeld", Cancelled(Running()), Listing::kHeld, 7, RunState::kRunning, true, true, false, {}, 0},
        {"CancelledCancelling",
         Cancelled(Running()),
         Listing::kCancelling,
         7,
         RunState::kRunning,
         true,
         false,
         false,
         {},
         0},
        {"CancelledReleased", Cancelled(Running()), Listing::kReleased, 7, RunState::kCancelled, false, true, false,
         AttemptEnd::kReleased, 0},
        {"ReleaseSpendsNothingAtTheLimit", Spent(Running(), 2), Listing::kReleased, 7, RunState::kQueued, false, true,
         false, AttemptEnd::kReleased, 2},
    }),
    [](const auto& test) { return test.param.name; });

TEST(LeaseRules, AnOfferGoesBackAtItsDeadlineAndSpendsNothing) {
  const RunLease lease = Offered();
  const absl::Time end = kNow + kPolicy.accept_deadline;
  EXPECT_EQ(OnTime(lease, end - absl::Nanoseconds(1), kPolicy).next, lease);
  const LeaseStep step = OnTime(lease, end, kPolicy);
  EXPECT_EQ(step.next.state, RunState::kQueued);
  EXPECT_EQ(step.next.attempts_spent, 0);
  EXPECT_FALSE(step.ended.has_value());
  // Too late is too late, even before the sweep.
  EXPECT_EQ(OnListed(lease, Listing::kHeld, 7, "", end, kPolicy).next.state, RunState::kQueued);
}

TEST(LeaseRules, ALeaseEndsToTheNanosecondAndSpendsAnAttempt) {
  const RunLease lease = Running();
  const absl::Time end = kNow + kPolicy.ttl;
  EXPECT_EQ(OnTime(lease, end - absl::Nanoseconds(1), kPolicy).next, lease);
  const LeaseStep step = OnTime(lease, end, kPolicy);
  EXPECT_EQ(step.next.state, RunState::kQueued);
  EXPECT_EQ(step.ended, AttemptEnd::kHeartbeat);
  EXPECT_EQ(step.next.attempts_spent, 1);
  EXPECT_EQ(step.next.expires_at, end + absl::Hours(24)) << "the queue timeout begins anew";
}

TEST(LeaseRules, RenewalsCannotPassTheDeadlineOfTheAttempt) {
  RunLease lease = Running();
  absl::Time now = kNow;
  while (now + absl::Seconds(20) < kNow + kPolicy.run_timeout) {
    now += absl::Seconds(20);
    lease = OnListed(lease, Listing::kHeld, 7, "", now, kPolicy).next;
    ASSERT_EQ(lease.state, RunState::kRunning);
  }
  const LeaseStep step = OnListed(lease, Listing::kHeld, 7, "", kNow + kPolicy.run_timeout, kPolicy);
  EXPECT_EQ(step.ended, AttemptEnd::kDeadline);
  EXPECT_EQ(step.next.attempts_spent, 1);
}

TEST(LeaseRules, TheThirdLossQuarantines) {
  const LeaseStep step = OnTime(Spent(Running(), 2), kNow + kPolicy.ttl, kPolicy);
  EXPECT_EQ(step.next.state, RunState::kQuarantined);
  EXPECT_EQ(step.next.attempts_spent, 3);
}

TEST(LeaseRules, AQueuedRunExpires) {
  const LeaseStep step = OnTime(Queued(), kNow + absl::Hours(24), kPolicy);
  EXPECT_EQ(step.next.state, RunState::kExpired);
  EXPECT_EQ(OnTime(Queued(), kNow + absl::Hours(24) - absl::Nanoseconds(1), kPolicy).next, Queued());
}

TEST(LeaseRules, AnUnlistedLeaseIsShortenedAndListingItRestoresIt) {
  const absl::Time now = kNow + absl::Seconds(1);
  const LeaseStep unlisted = OnListed(Running(), Listing::kUnlisted, 7, "", now, kPolicy);
  EXPECT_EQ(unlisted.next.expires_at, now + kPolicy.accept_deadline);
  // Silence goes on: the end does not move away.
  const LeaseStep again = OnListed(unlisted.next, Listing::kUnlisted, 7, "", now + absl::Seconds(5), kPolicy);
  EXPECT_EQ(again.next.expires_at, now + kPolicy.accept_deadline);
  const LeaseStep listed = OnListed(unlisted.next, Listing::kHeld, 7, "", now + absl::Seconds(5), kPolicy);
  EXPECT_EQ(listed.next.expires_at, now + absl::Seconds(5) + kPolicy.ttl);
  EXPECT_TRUE(listed.news) << "the first renewal after a change is answered at once";
}

// A ttl below the accept deadline must not make every renewal look like one after a change,
// or no Sync would ever hang.
TEST(LeaseRules, ARenewalInTimeIsNoNewsHoweverShortTheTtl) {
  LeasePolicy policy;
  policy.ttl = absl::Seconds(5);
  RunLease lease = Running();
  lease.expires_at = kNow + policy.ttl;
  EXPECT_FALSE(OnListed(lease, Listing::kHeld, 7, "", kNow + absl::Seconds(2), policy).news);
  const LeaseStep unlisted = OnListed(lease, Listing::kUnlisted, 7, "", kNow, policy);
  EXPECT_EQ(unlisted.next.expires_at, kNow + absl::Seconds(2.5));
  EXPECT_TRUE(OnListed(unlisted.next, Listing::kHeld, 7, "", kNow, policy).news);
}

TEST(LeaseRules, ARenewalThatAddsLittleIsNotWritten) {
  const RunLease lease = Running();
  EXPECT_EQ(OnListed(lease, Listing::kHeld, 7, "", kNow + absl::Seconds(1), kPolicy).next, lease);
  EXPECT_EQ(OnListed(lease, Listing::kHeld, 7, "", kNow + absl::Seconds(20), kPolicy).next.expires_at,
            kNow + absl::Seconds(20) + kPolicy.ttl);
}

TEST(LeaseRules, CancelEndsWhatDoesNotRunAndAsksWhatRuns) {
  EXPECT_EQ(OnCancel(Queued()).next.state, RunState::kCancelled);
  EXPECT_EQ(OnCancel(Offered()).next.state, RunState::kCancelled);
  const LeaseStep step = OnCancel(Running());
  EXPECT_EQ(step.next.state, RunState::kRunning);
  EXPECT_TRUE(step.next.cancel_requested);
  EXPECT_TRUE(step.news);
  // P9: it never goes back to the queue.
  EXPECT_EQ(OnTime(step.next, kNow + kPolicy.ttl, kPolicy).next.state, RunState::kCancelled);
  EXPECT_EQ(OnOwnerGone(step.next, /*orderly=*/false, kNow, kPolicy).next.state, RunState::kCancelled);
}

TEST(LeaseRules, AResultBeforeTheCancelIsHeardWins) {
  const auto step = OnComplete(Cancelled(Running()), 7, kAlpha, AttemptEnd::kSucceeded, "", kNow, kPolicy);
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(step->next.state, RunState::kSucceeded);
}

TEST(LeaseRules, TheOwnerIsGone) {
  EXPECT_EQ(OnOwnerGone(Offered(), false, kNow, kPolicy).next.state, RunState::kQueued);
  const LeaseStep reboot = OnOwnerGone(Running(), false, kNow, kPolicy);
  EXPECT_EQ(reboot.ended, AttemptEnd::kSessionEnded);
  EXPECT_EQ(reboot.next.attempts_spent, 1);
  const LeaseStep goodbye = OnOwnerGone(Running(), true, kNow, kPolicy);
  EXPECT_EQ(goodbye.ended, AttemptEnd::kReleased);
  EXPECT_EQ(goodbye.next.attempts_spent, 0);
}

struct HolderCase {
  std::string name;
  RunLease lease;
  LeaseEpoch epoch;
  LeaseOwner by;
  bool ok;
};

class HolderTest : public ::testing::TestWithParam<HolderCase> {};

// P2: what is recorded was produced under the current lease, by its owner.
TEST_P(HolderTest, OnlyTheHolderOfTheCurrentLeaseIsHeard) {
  const HolderCase& c = GetParam();
  const absl::Status status = CheckHolder(c.lease, c.epoch, c.by);
  EXPECT_EQ(status.ok(), c.ok) << status;
  if (!c.ok) {
    EXPECT_EQ(ErrorReason(status), "STALE_LEASE");
  }
  EXPECT_EQ(OnComplete(c.lease, c.epoch, c.by, AttemptEnd::kSucceeded, "", kNow, kPolicy).ok(), c.ok);
}

INSTANTIATE_TEST_SUITE_P(Table, HolderTest,
                         ::testing::ValuesIn(std::vector<HolderCase>{
                             {"Holder", Running(), 7, kAlpha, true},
                             {"OldEpoch", Running(), 6, kAlpha, false},
                             {"FutureEpoch", Running(), 8, kAlpha, false},
                             {"OtherHost", Running(), 7, kBeta, false},
                             {"OtherBoot", Running(), 7, {HostName("alpha"), "boot-9"}, false},
                             {"NotAcceptedYet", Offered(), 7, kAlpha, false},
                             {"QueuedAgain", OnTime(Running(), kNow + absl::Seconds(90), kPolicy).next, 7, kAlpha,
                              false},
                         }),
                         [](const auto& test) { return test.param.name; });

TEST(LeaseRules, EndsAWorkerMayReport) {
  EXPECT_EQ(OnComplete(Running(), 7, kAlpha, AttemptEnd::kFailed, "x", kNow, kPolicy)->next.state, RunState::kFailed);
  EXPECT_EQ(OnComplete(Running(), 7, kAlpha, AttemptEnd::kCancelled, "", kNow, kPolicy)->next.state,
            RunState::kCancelled);
  const auto crashed = OnComplete(Running(), 7, kAlpha, AttemptEnd::kCrashed, "boom", kNow, kPolicy);
  EXPECT_EQ(crashed->next.state, RunState::kQueued);
  EXPECT_EQ(crashed->next.attempts_spent, 1);
  for (AttemptEnd end :
       {AttemptEnd::kReleased, AttemptEnd::kHeartbeat, AttemptEnd::kDeadline, AttemptEnd::kSessionEnded}) {
    EXPECT_EQ(OnComplete(Running(), 7, kAlpha, end, "", kNow, kPolicy).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace benchfleet
