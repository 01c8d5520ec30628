#include "worker/agent/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/os/file.h"
#include "common/wire/chunk_wire.h"
#include "tests/fakes/fake_coordinator_link.h"
#include "tests/worker/agent/test_support.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Script = std::function<RunnerOutcome(RunnerObserver& observer, const std::atomic<bool>& cancelled)>;

RunnerOutcome Succeeded() { return {AttemptEnd::kSucceeded, ""}; }
RunnerOutcome Cancelled() { return {AttemptEnd::kCancelled, "asked to stop"}; }

// Plan and `rounds` rounds; whatever goes wrong cancels the run, as in the real runner.
Script MeasureRounds(int rounds) {
  return [rounds](RunnerObserver& observer, const std::atomic<bool>& cancelled) {
    if (!observer.Plan(TestPlan()).ok()) return Cancelled();
    for (int i = 0; i < rounds; ++i) {
      if (cancelled || !observer.RoundDone(TestRound(i)).ok()) return Cancelled();
    }
    return Succeeded();
  };
}

class AgentTest : public ::testing::Test {
 protected:
  AgentTest() {
    options_.identity.name = HostName("test");
    options_.backoff = {absl::Milliseconds(2), absl::Milliseconds(10), absl::Seconds(60)};
    options_.min_sync_period = absl::Milliseconds(1);
  }
  ~AgentTest() override {
    if (thread_.joinable()) Stop();
  }

  void Start() {
    auto spool = Spool::Open(SpoolFolder(), spool_bytes_);
    ASSERT_TRUE(spool.ok()) << spool.status();
    spool_ = *std::move(spool);
    AgentPorts ports{link_, *spool_,
                     [this](const JobSpec&, absl::Duration, const std::string& token, RunnerObserver& observer,
                            const std::atomic<bool>& cancelled) {
                       ++measured_;
                       token_ = token;
                       return script_(observer, cancelled);
                     },
                     [this](const std::string& token) {
                       killed_.push_back(token);
                       return 1;
                     },
                     [this]() -> absl::StatusOr<UniqueFd> {
                       if (before_sync_) before_sync_();
                       if (!host_is_free_) return absl::FailedPreconditionError("host lock is held by process 12");
                       return LockFile(HostLock());
                     }};
    agent_ = std::make_unique<Agent>(options_, std::move(ports));
    thread_ = std::thread([this] { end_ = agent_->Run(); });
  }
  // The agent ends by itself.
  void Join() {
    thread_.join();
    agent_.reset();
  }
  void Stop() {
    agent_->Shutdown("SIGTERM");
    Join();
  }

  std::string HostLock() const { return folder_.path() + "/host.lock"; }
  std::string SpoolFolder() const { return folder_.path() + "/spool"; }
  bool SpoolIsEmpty() const { return std::filesystem::is_empty(SpoolFolder()); }
  bool Logged(const std::string& what) const {
    const std::vector<std::string> log = link_.log();
    return std::find(log.begin(), log.end(), what) != log.end();
  }
  bool WaitForLog(const std::string& what) const {
    return link_.WaitUntil([&] { return Logged(what); });
  }
  bool WaitForEnd(const LeaseKey& lease) const {
    return link_.WaitUntil([&] { return link_.Find(lease).has_value() && link_.Find(lease)->completion.has_value(); });
  }
  // The worker wants work again, so everything about earlier leases is over.
  bool WaitForIdle(int64_t after_sequence) const {
    return link_.WaitUntil([&] {
      const WorkerStatement last = link_.last_statement();
      return last.sequence > after_sequence && last.wants_work && last.leases.empty();
    });
  }
  AttemptCompletion Completion(const LeaseKey& lease) const { return *link_.Find(lease)->completion; }

  TempFolder folder_;
  AgentOptions options_;
  int64_t spool_bytes_ = kMaxSpoolBytes;
  FakeCoordinatorLink link_;
  Script script_ = MeasureRounds(3);
  std::atomic<bool> host_is_free_{true};
  std::function<void()> before_sync_;  // on the agent's thread, after it took its events
  std::atomic<int> measured_{0};
  std::string token_;
  std::vector<std::string> killed_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<Agent> agent_;
  std::thread thread_;
  absl::StatusOr<AgentEnd> end_ = absl::UnknownError("has not ended");
};

TEST_F(AgentTest, AJobGoesItsWholeWay) {
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  ASSERT_TRUE(WaitForIdle(0));
  EXPECT_TRUE(SpoolIsEmpty());
  EXPECT_EQ(token_, "018f0000-0000-7000-8000-000000000001/0:5");
  const auto lease = *link_.Find(TestLease(5));
  EXPECT_EQ(lease.completion->end, AttemptEnd::kSucceeded);
  ASSERT_THAT(lease.chunks, SizeIs(4));
  EXPECT_EQ(std::get<RunPlan>(*DecodeChunk(lease.chunks[0])), TestPlan());
  EXPECT_EQ(std::get<std::vector<Round>>(*DecodeChunk(lease.chunks[3])), std::vector<Round>{TestRound(2)});
  Stop();
  ASSERT_TRUE(end_.ok()) << end_.status();
  EXPECT_EQ(*end_, AgentEnd::kStopped);
  EXPECT_EQ(link_.log().back(), "close");
}

TEST_F(AgentTest, ThePlanIsAcknowledgedBeforeTheFirstRound) {
  std::vector<std::string> before_first_round;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    before_first_round = link_.log();
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_THAT(before_first_round, Contains(absl::StrCat("chunk 0 ", AttemptToken(TestLease(5)))));
}

TEST_F(AgentTest, WithoutACoordinatorThePlanWaits) {
  std::vector<std::string> before_first_round;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    link_.SetReachable(false);
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    before_first_round = link_.log();
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(link_.WaitUntil([&] { return link_.unreached_uploads() >= 2; }));  // tried, and tried again
  link_.SetReachable(true);
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kSucceeded);
  EXPECT_THAT(before_first_round, Contains(absl::StrCat("chunk 0 ", AttemptToken(TestLease(5)))));
}

TEST_F(AgentTest, ARoundIsAcknowledgedBeforeTheNextMayBegin) {
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(observer.RoundDone(TestRound(i)).ok());
      EXPECT_THAT(link_.Find(TestLease(5))->chunks, SizeIs(i + 2));
    }
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
}

TEST_F(AgentTest, ACoordinatorThatIsAwayDelaysARoundByNoMoreThanTheBound) {
  // No second try within the test's rounds.
  options_.backoff = {absl::Hours(1), absl::Hours(1), absl::Hours(1)};
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    link_.RefuseChunksFrom(1, absl::DeadlineExceededError("no answer"));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(observer.RoundDone(TestRound(i)).ok());
    const std::vector<absl::Duration> timeouts = link_.chunk_timeouts();
    EXPECT_THAT(timeouts, SizeIs(2));  // the plan's, and one of a round that was not acknowledged
    EXPECT_LE(timeouts.back(), kMaxRoundSend);
    link_.RefuseChunksFrom(0, absl::OkStatus());
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_THAT(link_.Find(TestLease(5))->chunks, SizeIs(4));
}

TEST_F(AgentTest, ACoordinatorThatIsAwayInMidRunLosesNothing) {
  Latch all_measured;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    EXPECT_TRUE(observer.RoundDone(TestRound(0)).ok());
    link_.SetReachable(false);
    for (int i = 1; i < 6; ++i) EXPECT_TRUE(observer.RoundDone(TestRound(i)).ok());
    all_measured.Open();
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(all_measured.Wait());
  EXPECT_THAT(link_.Find(TestLease(5))->chunks, SizeIs(2));
  link_.SetReachable(true);
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  const auto lease = *link_.Find(TestLease(5));
  EXPECT_EQ(lease.completion->end, AttemptEnd::kSucceeded);
  ASSERT_THAT(lease.chunks, SizeIs(7));
  std::vector<Round> rounds;
  for (size_t i = 1; i < lease.chunks.size(); ++i) {
    ASSERT_TRUE(AppendRounds(std::get<std::vector<Round>>(*DecodeChunk(lease.chunks[i])), rounds).ok());
  }
  for (int i = 0; i < 6; ++i) EXPECT_EQ(rounds[i], TestRound(i));
}

TEST_F(AgentTest, SendingGoesOnInMidRunOnceTheCoordinatorIsBack) {
  Latch back;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    link_.SetReachable(false);
    EXPECT_TRUE(observer.RoundDone(TestRound(0)).ok());
    link_.SetReachable(true);
    // Rounds go on until the back-off has passed and everything has arrived.
    int round = 1;
    const absl::Duration deadline = MonotonicNow() + kWatchDog;
    while (link_.Find(TestLease(5))->chunks.size() < 3 && MonotonicNow() < deadline) {
      EXPECT_TRUE(observer.RoundDone(TestRound(round++)).ok());
    }
    back.Open();
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(back.Wait());
  EXPECT_GE(link_.Find(TestLease(5))->chunks.size(), 3u);
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
}

TEST_F(AgentTest, AStaleLeaseStopsTheRunAndDropsItsSpool) {
  absl::Status told;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    link_.LoseSilently(TestLease(5));
    told = observer.RoundDone(TestRound(0));
    return Cancelled();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForLog(absl::StrCat("chunk 0 ", AttemptToken(TestLease(5)))));
  ASSERT_TRUE(WaitForIdle(link_.last_statement().sequence));
  EXPECT_EQ(ErrorReason(told), "STALE_LEASE");
  EXPECT_TRUE(SpoolIsEmpty());
  EXPECT_FALSE(link_.Find(TestLease(5))->completion.has_value());
}

TEST_F(AgentTest, ALeaseThatIsNoLongerListedStopsTheRun) {
  Latch measuring, never;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>& cancelled) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    measuring.Open();
    EXPECT_FALSE(never.WaitUnless(cancelled));
    return Cancelled();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(measuring.Wait());
  link_.Lose(TestLease(5));
  ASSERT_TRUE(WaitForIdle(link_.last_statement().sequence));
  EXPECT_TRUE(SpoolIsEmpty());
  EXPECT_FALSE(link_.Find(TestLease(5))->completion.has_value());
}

TEST_F(AgentTest, ACancelledRunIsStoppedAndReportedAsCancelled) {
  Latch measuring, never;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>& cancelled) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    EXPECT_TRUE(observer.RoundDone(TestRound(0)).ok());
    measuring.Open();
    EXPECT_FALSE(never.WaitUnless(cancelled));
    return RunnerOutcome{AttemptEnd::kCrashed, "had to be killed"};
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(measuring.Wait());
  link_.Cancel(TestLease(5));
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kCancelled);
  EXPECT_EQ(Completion(TestLease(5)).chunk_count, 2);
  EXPECT_TRUE(Logged(absl::StrCat("sync cancelling ", AttemptToken(TestLease(5)))));
}

TEST_F(AgentTest, AResultThatIsThereBeforeTheCancelWins) {
  Latch finished;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>& cancelled) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    link_.Cancel(TestLease(5));
    EXPECT_FALSE(finished.WaitUnless(cancelled));
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kSucceeded);
}

TEST_F(AgentTest, ALeaseCancelledBeforeItBeganMeasuresNothing) {
  link_.Cancel(TestLease(5));  // offered and cancelled at once
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kCancelled);
  EXPECT_EQ(Completion(TestLease(5)).chunk_count, 0);
  EXPECT_EQ(measured_, 0);
}

TEST_F(AgentTest, ARunThatIsCancelledWhileItsPlanWaitsIsCancelledNotFailed) {
  link_.RefuseChunksFrom(0, absl::UnavailableError("not now"));
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    const absl::Status planned = observer.Plan(TestPlan());
    EXPECT_FALSE(planned.ok());
    link_.RefuseChunksFrom(0, absl::OkStatus());
    return RunnerOutcome{AttemptEnd::kFailed, std::string(planned.message())};
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForLog("refused"));
  link_.Cancel(TestLease(5));
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kCancelled);
}

TEST_F(AgentTest, ACrashIsReportedWithItsLastWords) {
  script_ = [](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    return RunnerOutcome{AttemptEnd::kCrashed, "killed by signal 11; it said: out of luck"};
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kCrashed);
  EXPECT_THAT(Completion(TestLease(5)).detail, HasSubstr("out of luck"));
  EXPECT_EQ(Completion(TestLease(5)).chunk_count, 1);
}

TEST_F(AgentTest, ARefusedChunkEndsTheAttemptAsCrashedWithTheReason) {
  for (const char* reason : {"CHUNK_CONFLICT", "CHUNK_GAP"}) {
    SCOPED_TRACE(reason);
    const LeaseKey lease = TestLease(reason[6] == 'C' ? 5 : 6);
    link_.RefuseChunksFrom(2, ErrorWithReason(absl::StatusCode::kFailedPrecondition, reason, reason));
    link_.Queue(lease);
    if (agent_ == nullptr) Start();
    ASSERT_TRUE(WaitForEnd(lease));
    EXPECT_EQ(Completion(lease).end, AttemptEnd::kCrashed);
    EXPECT_THAT(Completion(lease).detail, HasSubstr(reason));
    EXPECT_EQ(Completion(lease).chunk_count, 2);
  }
}

TEST_F(AgentTest, AFullSpoolEndsTheAttemptAsCrashedAndThatIsReported) {
  spool_bytes_ = static_cast<int64_t>(EncodeChunk(TestPlan()).size());
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kCrashed);
  EXPECT_THAT(Completion(TestLease(5)).detail, HasSubstr("full"));
  EXPECT_EQ(Completion(TestLease(5)).chunk_count, 1);
}

TEST_F(AgentTest, AJobThisWorkerCannotReadIsReportedNotMeasured) {
  link_.Queue(TestLease(5), absl::InvalidArgumentError("spec.suite: is missing"));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kCrashed);
  EXPECT_THAT(Completion(TestLease(5)).detail, HasSubstr("spec.suite: is missing"));
  EXPECT_EQ(measured_, 0);
}

TEST_F(AgentTest, AnUnrenewedLeaseFencesItselfAndIsGivenBackLater) {
  SessionTerms terms{SessionId(), absl::Seconds(20), absl::Milliseconds(300), 1 << 20, absl::Milliseconds(2)};
  link_.set_terms(terms);
  Latch stopped, never;
  // It says nothing to the coordinator: on a slow machine the fence may come before it could.
  script_ = [&](RunnerObserver&, const std::atomic<bool>& cancelled) {
    link_.SetReachable(false);
    EXPECT_FALSE(never.WaitUnless(cancelled));
    stopped.Open();
    return Cancelled();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(stopped.Wait());
  link_.SetReachable(true);
  ASSERT_TRUE(link_.WaitUntil([&] { return !link_.Find(TestLease(5))->release_reason.empty(); }));
  EXPECT_THAT(link_.Find(TestLease(5))->release_reason, HasSubstr("no answer from the coordinator"));
  ASSERT_TRUE(WaitForIdle(0));
  EXPECT_TRUE(SpoolIsEmpty());
}

TEST_F(AgentTest, ASessionThatIsGoneIsOpenedAnewAndTheRunGoesOn) {
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    link_.EndSession();
    EXPECT_TRUE(link_.WaitUntil([&] {
      const auto log = link_.log();
      return std::count(log.begin(), log.end(), "open") == 2;
    }));
    EXPECT_TRUE(observer.RoundDone(TestRound(0)).ok());
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kSucceeded);
  EXPECT_EQ(Completion(TestLease(5)).chunk_count, 2);
}

TEST_F(AgentTest, ATakenNameIsTriedAgain) {
  link_.RefuseSessions(ErrorWithReason(absl::StatusCode::kAlreadyExists, "WORKER_NAME_TAKEN", "taken"));
  Start();
  link_.RefuseSessions(absl::OkStatus());
  EXPECT_TRUE(WaitForIdle(0));
}

TEST_F(AgentTest, AWorkerThatIsRefusedForWhatItIsEnds) {
  link_.RefuseSessions(absl::InvalidArgumentError("worker_name: 'x' is bad"));
  Start();
  Join();
  EXPECT_TRUE(absl::IsInvalidArgument(end_.status()));
}

TEST_F(AgentTest, HoldsTheHostLockWhileItMeasuresAndOnlyThen) {
  absl::Status while_measuring;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    while_measuring = LockFile(HostLock()).status();
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  ASSERT_TRUE(WaitForIdle(0));
  EXPECT_TRUE(absl::IsFailedPrecondition(while_measuring)) << while_measuring;
  // Idle: what is stated last is stated after the lock was freed.
  EXPECT_TRUE(LockFile(HostLock()).ok());
}

TEST_F(AgentTest, TakesNoWorkWhileAnotherProcessMeasures) {
  host_is_free_ = false;
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(link_.WaitUntil([&] { return link_.last_statement().sequence >= 3; }));  // looks again by itself
  EXPECT_FALSE(link_.last_statement().wants_work);
  EXPECT_EQ(link_.last_statement().idle_reason, "host lock is held by process 12");
  EXPECT_EQ(measured_, 0);
  host_is_free_ = true;
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
}

TEST_F(AgentTest, AnOfferThatMeetsAHeldHostLockIsGivenBack) {
  host_is_free_ = false;
  link_.Cancel(TestLease(5));  // offered without being asked
  Start();
  ASSERT_TRUE(link_.WaitUntil([&] { return !link_.Find(TestLease(5))->release_reason.empty(); }));
  EXPECT_EQ(link_.Find(TestLease(5))->release_reason, "host lock is held by process 12");
  EXPECT_EQ(measured_, 0);
}

TEST_F(AgentTest, SigtermStopsTheRunGivesTheLeaseBackAndSaysGoodbye) {
  Latch measuring, never;
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>& cancelled) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    measuring.Open();
    EXPECT_FALSE(never.WaitUnless(cancelled));
    return Cancelled();
  };
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(measuring.Wait());
  EXPECT_EQ(agent_->CurrentAttempt(), AttemptToken(TestLease(5)));
  Stop();
  EXPECT_EQ(*end_, AgentEnd::kStopped);
  EXPECT_EQ(link_.Find(TestLease(5))->release_reason, "SIGTERM");
  EXPECT_EQ(link_.log().back(), "close");
  EXPECT_TRUE(SpoolIsEmpty());
}

TEST_F(AgentTest, AnEventJustBeforeASyncDoesNotWaitForItsEnd) {
  bool told = false;
  before_sync_ = [&] {
    if (Logged("open") && !std::exchange(told, true)) agent_->Shutdown("SIGTERM");
  };
  Start();
  EXPECT_TRUE(WaitForLog("close"));  // sooner than the Sync's hang
}

TEST_F(AgentTest, SigtermWithoutACoordinatorEndsToo) {
  link_.SetReachable(false);
  Start();
  Stop();
  EXPECT_EQ(*end_, AgentEnd::kStopped);
}

TEST_F(AgentTest, OnceEndsWithTheOneJob) {
  const struct {
    RunnerOutcome outcome;
    AgentEnd want;
  } kCases[] = {{Succeeded(), AgentEnd::kOnceSucceeded}, {{AttemptEnd::kFailed, "no"}, AgentEnd::kOnceFailed}};
  options_.once = true;
  int64_t epoch = 1;
  for (const auto& c : kCases) {
    script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
      EXPECT_TRUE(observer.Plan(TestPlan()).ok());
      return c.outcome;
    };
    link_.Queue(TestLease(epoch));
    link_.Queue(TestLease(epoch + 100));
    Start();
    Join();
    ASSERT_TRUE(end_.ok()) << end_.status();
    EXPECT_EQ(*end_, c.want);
    EXPECT_EQ(Completion(TestLease(epoch)).end, c.outcome.end);
    EXPECT_EQ(link_.log().back(), "close");
    epoch += 100;  // the second job was never taken and is the next one's first
  }
  EXPECT_EQ(measured_, 2);
}

TEST_F(AgentTest, AResultThatCouldNotBeSentIsSentByTheNextProcess) {
  script_ = [&](RunnerObserver& observer, const std::atomic<bool>&) {
    EXPECT_TRUE(observer.Plan(TestPlan()).ok());
    link_.SetReachable(false);
    EXPECT_TRUE(observer.RoundDone(TestRound(0)).ok());
    return Succeeded();
  };
  link_.Queue(TestLease(5));
  Start();
  // The round tried once, what comes after it is the delivery of the result.
  ASSERT_TRUE(link_.WaitUntil([&] { return link_.unreached_uploads() >= 2; }));
  Stop();
  EXPECT_FALSE(link_.Find(TestLease(5))->completion.has_value());
  link_.SetReachable(true);
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(5)).end, AttemptEnd::kSucceeded);
  EXPECT_EQ(Completion(TestLease(5)).chunk_count, 2);
}

TEST_F(AgentTest, AnAttemptThatWasCutOffIsKilledAndEndedAsCrashedWithItsChunks) {
  {
    auto spool = Spool::Open(SpoolFolder());
    auto entry = (*spool)->Begin(TestLease(3));
    ASSERT_TRUE((*entry)->AddChunk(EncodeChunk(TestPlan())).ok());
  }
  link_.AddRunning(TestLease(3));
  link_.Queue(TestLease(5));
  Start();
  ASSERT_TRUE(WaitForEnd(TestLease(5)));
  EXPECT_EQ(Completion(TestLease(3)).end, AttemptEnd::kCrashed);
  EXPECT_EQ(Completion(TestLease(3)).detail, "worker restarted");
  EXPECT_EQ(Completion(TestLease(3)).chunk_count, 1);
  Stop();
  EXPECT_THAT(killed_, ElementsAre(AttemptToken(TestLease(3))));
  EXPECT_TRUE(SpoolIsEmpty());
}

TEST_F(AgentTest, ALeftoverWhoseLeaseHasPassedOnIsDropped) {
  {
    auto spool = Spool::Open(SpoolFolder());
    auto entry = (*spool)->Begin(TestLease(3));
    ASSERT_TRUE((*entry)->AddChunk(EncodeChunk(TestPlan())).ok());
  }
  Start();  // the coordinator knows nothing of it
  ASSERT_TRUE(WaitForIdle(0));
  EXPECT_TRUE(SpoolIsEmpty());
}

}  // namespace
}  // namespace benchfleet
