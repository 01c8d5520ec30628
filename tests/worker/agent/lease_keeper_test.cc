#include "worker/agent/lease_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::Duration kTtl = absl::Seconds(90);
constexpr absl::Duration kTick = absl::Nanoseconds(1);

LeaseKey Key(int64_t epoch) { return {RunId("018f0000-0000-7000-8000-000000000001/0"), epoch}; }

LeaseGrant Grant(const LeaseKey& lease, GrantState state, bool cancel = false) {
  LeaseGrant grant;
  grant.lease = lease;
  grant.state = state;
  grant.ttl = kTtl;
  grant.cancel = cancel;
  if (state == GrantState::kOffered) grant.spec = JobSpec();
  grant.run_timeout = absl::Hours(1);
  return grant;
}

// "start", "cancel" or "abandon", for what a step commands.
std::vector<std::string> Names(const KeeperStep& step) {
  std::vector<std::string> names;
  for (const KeeperCommand& command : step.commands) {
    if (std::holds_alternative<StartRun>(command)) {
      names.push_back("start");
    } else {
      names.push_back(std::get<StopRun>(command).kind == StopKind::kCancel ? "cancel" : "abandon");
    }
  }
  return names;
}

// A keeper that is talked to at times of the test's choosing.
class LeaseKeeperTest : public ::testing::Test {
 protected:
  WorkerStatement State(absl::Duration at) { return keeper_.NextStatement(at); }

  KeeperStep Answer(absl::Duration at, std::vector<LeaseGrant> grants) {
    return keeper_.OnAnswer({keeper_.newest_sequence(), std::move(grants)}, at);
  }

  // Offer, acceptance and start at time zero.
  void Start(const LeaseKey& lease) {
    State(absl::ZeroDuration());
    Answer(absl::ZeroDuration(), {Grant(lease, GrantState::kOffered)});
    State(absl::ZeroDuration());
    ASSERT_THAT(Names(Answer(absl::ZeroDuration(), {Grant(lease, GrantState::kRunning)})), ElementsAre("start"));
  }

  LeaseKeeper keeper_;
};

TEST_F(LeaseKeeperTest, WantsWorkOnlyWhenItHoldsNothing) {
  EXPECT_TRUE(State(absl::ZeroDuration()).wants_work);
  Start(Key(5));
  WorkerStatement busy = State(absl::ZeroDuration());
  EXPECT_FALSE(busy.wants_work);
  EXPECT_THAT(busy.idle_reason, HasSubstr("holds run"));
  keeper_.OnMeasured(Key(5));
  EXPECT_FALSE(State(absl::ZeroDuration()).wants_work);
  keeper_.OnSettled(Key(5));
  EXPECT_TRUE(State(absl::ZeroDuration()).wants_work);
}

TEST_F(LeaseKeeperTest, MeasuresOnlyOnceTheAnswerSaysRunning) {
  State(absl::ZeroDuration());
  EXPECT_THAT(Names(Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)})), IsEmpty());
  EXPECT_THAT(State(absl::ZeroDuration()).leases, ElementsAre(StatedLease{Key(5), StatedAs::kHeld, ""}));
  EXPECT_THAT(Names(Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)})), IsEmpty());
  State(absl::ZeroDuration());
  const KeeperStep step = Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kRunning)});
  ASSERT_THAT(Names(step), ElementsAre("start"));
  const auto& start = std::get<StartRun>(step.commands[0]);
  EXPECT_EQ(start.lease, Key(5));
  EXPECT_TRUE(start.spec.ok());
  EXPECT_EQ(start.run_timeout, absl::Hours(1));
}

TEST_F(LeaseKeeperTest, AWithdrawnOfferIsForgotten) {
  State(absl::ZeroDuration());
  Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)});
  State(absl::ZeroDuration());
  EXPECT_THAT(Names(Answer(absl::ZeroDuration(), {})), IsEmpty());
  EXPECT_TRUE(keeper_.holds_nothing());
}

TEST_F(LeaseKeeperTest, AnAnswerToASupersededStatementChangesNothing) {
  Start(Key(5));
  const int64_t old = State(absl::Seconds(1)).sequence;
  State(absl::Seconds(2));
  const KeeperStep step = keeper_.OnAnswer({old, {}}, absl::Seconds(3));
  EXPECT_THAT(Names(step), IsEmpty());
  EXPECT_FALSE(step.changed);
  EXPECT_EQ(State(absl::Seconds(3)).leases.size(), 1u);
}

TEST_F(LeaseKeeperTest, AnAnswerToASupersededStatementRenewsNothing) {
  Start(Key(5));
  const absl::Duration fence = *keeper_.NextFence();
  const int64_t stale = State(absl::Seconds(50)).sequence;
  State(absl::Seconds(51));
  keeper_.OnAnswer({stale, {Grant(Key(5), GrantState::kRunning)}}, absl::Seconds(52));
  EXPECT_EQ(keeper_.NextFence(), fence);
}

TEST_F(LeaseKeeperTest, FencesItselfAtTheMarginBeforeTheEndCountedFromTheSending) {
  Start(Key(5));
  State(absl::Seconds(20));                                          // sent at 20 s ...
  Answer(absl::Seconds(45), {Grant(Key(5), GrantState::kRunning)});  // ... answered at 45 s
  const absl::Duration fence = absl::Seconds(20) + kTtl - FenceMargin(kTtl);
  EXPECT_EQ(keeper_.NextFence(), fence);
  EXPECT_THAT(Names(keeper_.OnTime(fence - kTick)), IsEmpty());
  EXPECT_THAT(Names(keeper_.OnTime(fence)), ElementsAre("abandon"));
  EXPECT_THAT(Names(keeper_.OnTime(fence + kTick)), IsEmpty());  // once
  EXPECT_EQ(keeper_.NextFence(), std::nullopt);
}

TEST_F(LeaseKeeperTest, AFencedRunIsGivenBackOnceItsRunnerIsGone) {
  Start(Key(5));
  keeper_.OnTime(kTtl);
  EXPECT_THAT(State(kTtl).leases, ElementsAre(StatedLease{Key(5), StatedAs::kHeld, ""}));
  EXPECT_TRUE(keeper_.has_runner());
  // A late renewal does not bring it back.
  EXPECT_THAT(Names(Answer(kTtl, {Grant(Key(5), GrantState::kRunning)})), IsEmpty());
  keeper_.OnSettled(Key(5));
  EXPECT_FALSE(keeper_.has_runner());
  const WorkerStatement released = State(kTtl);
  ASSERT_EQ(released.leases.size(), 1u);
  EXPECT_EQ(released.leases[0].as, StatedAs::kReleased);
  EXPECT_THAT(released.leases[0].reason, HasSubstr("no answer from the coordinator for 1m30s"));
  Answer(kTtl, {});
  EXPECT_TRUE(keeper_.holds_nothing());
}

TEST_F(LeaseKeeperTest, TheMarginIsTwentySecondsButNeverMoreThanAThirdOfTheLease) {
  EXPECT_EQ(FenceMargin(absl::Seconds(90)), absl::Seconds(20));
  EXPECT_EQ(FenceMargin(absl::Seconds(60)), absl::Seconds(20));
  EXPECT_EQ(FenceMargin(absl::Seconds(3)), absl::Seconds(1));
}

TEST_F(LeaseKeeperTest, AnAnswerThatCameTooLateStartsNothing) {
  const absl::Duration fence = kTtl - FenceMargin(kTtl);
  for (const bool too_late : {false, true}) {
    keeper_ = LeaseKeeper();
    State(absl::ZeroDuration());
    Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)});
    State(absl::ZeroDuration());
    const absl::Duration now = too_late ? fence : fence - kTick;
    EXPECT_EQ(Names(Answer(now, {Grant(Key(5), GrantState::kRunning)})).size(), too_late ? 0u : 1u);
  }
}

TEST_F(LeaseKeeperTest, ALeaseThatAnAnswerOmitsIsStoppedAndNotListedAgain) {
  Start(Key(5));
  State(absl::Seconds(1));
  EXPECT_THAT(Names(Answer(absl::Seconds(1), {})), ElementsAre("abandon"));
  const WorkerStatement statement = State(absl::Seconds(2));
  EXPECT_THAT(statement.leases, IsEmpty());
  EXPECT_FALSE(statement.wants_work);  // its runner is still alive
  keeper_.OnSettled(Key(5));
  EXPECT_TRUE(State(absl::Seconds(3)).wants_work);
}

TEST_F(LeaseKeeperTest, TheSameRunUnderAnotherEpochIsAnotherLease) {
  Start(Key(5));
  State(absl::Seconds(1));
  EXPECT_THAT(Names(Answer(absl::Seconds(1), {Grant(Key(6), GrantState::kOffered)})), ElementsAre("abandon"));
  const WorkerStatement statement = State(absl::Seconds(2));
  ASSERT_EQ(statement.leases.size(), 1u);
  EXPECT_EQ(statement.leases[0].lease, Key(6));
  EXPECT_EQ(statement.leases[0].as, StatedAs::kReleased);
  EXPECT_THAT(statement.leases[0].reason, HasSubstr("is stopping run"));
}

TEST_F(LeaseKeeperTest, ACancelStopsTheRunAndIsListed) {
  Start(Key(5));
  State(absl::Seconds(1));
  EXPECT_THAT(Names(Answer(absl::Seconds(1), {Grant(Key(5), GrantState::kRunning, true)})), ElementsAre("cancel"));
  EXPECT_THAT(State(absl::Seconds(2)).leases, ElementsAre(StatedLease{Key(5), StatedAs::kCancelling, ""}));
  EXPECT_THAT(Names(Answer(absl::Seconds(2), {Grant(Key(5), GrantState::kRunning, true)})), IsEmpty());
  keeper_.OnMeasured(Key(5));
  keeper_.OnSettled(Key(5));
  EXPECT_TRUE(keeper_.holds_nothing());
}

TEST_F(LeaseKeeperTest, ALeaseCancelledBeforeItBeganIsStartedCancelled) {
  for (const bool cancel : {false, true}) {
    keeper_ = LeaseKeeper();
    State(absl::ZeroDuration());
    Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)});
    State(absl::ZeroDuration());
    const KeeperStep step = Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kRunning, cancel)});
    ASSERT_THAT(Names(step), ElementsAre("start"));
    EXPECT_EQ(std::get<StartRun>(step.commands[0]).cancelled, cancel);
    EXPECT_EQ(State(absl::ZeroDuration()).leases[0].as, cancel ? StatedAs::kCancelling : StatedAs::kHeld);
  }
}

TEST_F(LeaseKeeperTest, AnOfferThatCannotBeTakenIsGivenBackWithTheReason) {
  keeper_.SetObstacle("host lock is held by process 12");
  const WorkerStatement statement = State(absl::ZeroDuration());
  EXPECT_FALSE(statement.wants_work);
  EXPECT_EQ(statement.idle_reason, "host lock is held by process 12");
  Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)});
  EXPECT_THAT(State(absl::ZeroDuration()).leases,
              ElementsAre(StatedLease{Key(5), StatedAs::kReleased, "host lock is held by process 12"}));
  Answer(absl::ZeroDuration(), {});
  EXPECT_TRUE(keeper_.holds_nothing());
  keeper_.SetObstacle("");
  EXPECT_TRUE(State(absl::ZeroDuration()).wants_work);
}

TEST_F(LeaseKeeperTest, TakesOneOfTwoOffers) {
  State(absl::ZeroDuration());
  Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered), Grant(Key(6), GrantState::kOffered)});
  const WorkerStatement statement = State(absl::ZeroDuration());
  ASSERT_EQ(statement.leases.size(), 2u);
  EXPECT_EQ(statement.leases[0].as, StatedAs::kHeld);
  EXPECT_EQ(statement.leases[1].as, StatedAs::kReleased);
}

TEST_F(LeaseKeeperTest, AResultOnItsWayOutlivesTheLossOfTheLease) {
  Start(Key(5));
  keeper_.OnMeasured(Key(5));
  EXPECT_EQ(keeper_.NextFence(), std::nullopt);  // nothing runs that would have to stop
  State(absl::Seconds(1));
  EXPECT_THAT(Names(Answer(absl::Seconds(1), {})), IsEmpty());
  const WorkerStatement statement = State(absl::Seconds(2));
  EXPECT_THAT(statement.leases, IsEmpty());
  EXPECT_FALSE(statement.wants_work);
  EXPECT_THAT(statement.idle_reason, HasSubstr("is sending the result"));
}

TEST_F(LeaseKeeperTest, ARunThatEndedWhileItWasBeingLostIsNotListed) {
  Start(Key(5));
  State(absl::Seconds(1));
  Answer(absl::Seconds(1), {});
  keeper_.OnMeasured(Key(5));
  EXPECT_THAT(State(absl::Seconds(2)).leases, IsEmpty());
  EXPECT_FALSE(keeper_.holds_nothing());
}

TEST_F(LeaseKeeperTest, LeftoversAreListedUntilTheyAreSettled) {
  keeper_.AddLeftover(Key(3));
  const WorkerStatement statement = State(absl::ZeroDuration());
  EXPECT_THAT(statement.leases, ElementsAre(StatedLease{Key(3), StatedAs::kHeld, ""}));
  EXPECT_FALSE(statement.wants_work);
  EXPECT_FALSE(keeper_.has_runner());
  EXPECT_THAT(Names(Answer(absl::ZeroDuration(), {Grant(Key(3), GrantState::kRunning)})), IsEmpty());
  keeper_.OnSettled(Key(3));
  EXPECT_TRUE(State(absl::ZeroDuration()).wants_work);
}

TEST_F(LeaseKeeperTest, NoStatementIsLongerThanTheCoordinatorTakes) {
  for (size_t i = 0; i < kMaxStatedLeases; ++i) keeper_.AddLeftover(Key(static_cast<int64_t>(i) + 1));
  EXPECT_EQ(State(absl::ZeroDuration()).leases.size(), kMaxStatedLeases);
  keeper_.AddLeftover(Key(100));
  EXPECT_EQ(State(absl::ZeroDuration()).leases.size(), kMaxStatedLeases);
}

TEST_F(LeaseKeeperTest, ShutdownGivesEverythingBack) {
  const struct {
    const char* name;
    std::function<void()> prepare;
    std::vector<std::string> commands;
    StatedAs listed_after_stop;
  } kCases[] = {
      {"accepting",
       [this] {
         State(absl::ZeroDuration());
         Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)});
       },
       {},
       StatedAs::kReleased},
      {"running", [this] { Start(Key(5)); }, {"abandon"}, StatedAs::kReleased},
      {"completing",
       [this] {
         Start(Key(5));
         keeper_.OnMeasured(Key(5));
       },
       {},
       StatedAs::kHeld},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    keeper_ = LeaseKeeper();
    c.prepare();
    EXPECT_EQ(Names(keeper_.OnShutdown("SIGTERM")), c.commands);
    if (!c.commands.empty()) keeper_.OnSettled(Key(5));
    const WorkerStatement statement = State(absl::Seconds(1));
    EXPECT_FALSE(statement.wants_work);
    ASSERT_EQ(statement.leases.size(), 1u);
    EXPECT_EQ(statement.leases[0].as, c.listed_after_stop);
    EXPECT_EQ(statement.leases[0].reason, c.listed_after_stop == StatedAs::kReleased ? "SIGTERM" : "");
  }
}

TEST_F(LeaseKeeperTest, AfterShutdownNoOfferIsTaken) {
  keeper_.OnShutdown("SIGTERM");
  const WorkerStatement idle = State(absl::ZeroDuration());
  EXPECT_FALSE(idle.wants_work);
  EXPECT_EQ(idle.idle_reason, "SIGTERM");
  Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kOffered)});
  EXPECT_THAT(State(absl::ZeroDuration()).leases, ElementsAre(StatedLease{Key(5), StatedAs::kReleased, "SIGTERM"}));
}

TEST_F(LeaseKeeperTest, AStateOfALaterProtocolNeitherRenewsNorEndsALease) {
  Start(Key(5));
  const absl::Duration fence = *keeper_.NextFence();
  State(absl::Seconds(30));
  EXPECT_THAT(Names(Answer(absl::Seconds(30), {Grant(Key(5), GrantState::kUnknown)})), IsEmpty());
  EXPECT_EQ(keeper_.NextFence(), fence);
  EXPECT_EQ(State(absl::Seconds(31)).leases.size(), 1u);
}

TEST_F(LeaseKeeperTest, ARunningLeaseThatIsNotHeldHereIsLeftAlone) {
  State(absl::ZeroDuration());
  const KeeperStep step = Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kRunning)});
  EXPECT_THAT(Names(step), IsEmpty());
  EXPECT_FALSE(step.changed);
  EXPECT_TRUE(keeper_.holds_nothing());
}

TEST_F(LeaseKeeperTest, ASpecThatCannotBeReadStillBecomesAnAttempt) {
  State(absl::ZeroDuration());
  LeaseGrant offer = Grant(Key(5), GrantState::kOffered);
  offer.spec = absl::InvalidArgumentError("spec.suite: is unknown");
  Answer(absl::ZeroDuration(), {offer});
  State(absl::ZeroDuration());
  const KeeperStep step = Answer(absl::ZeroDuration(), {Grant(Key(5), GrantState::kRunning)});
  ASSERT_THAT(Names(step), ElementsAre("start"));
  EXPECT_EQ(std::get<StartRun>(step.commands[0]).spec.status().message(), "spec.suite: is unknown");
}

}  // namespace
}  // namespace benchfleet
