#include "server/core/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/server/core/core_fixture.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

HeldLease Held(const GrantedLease& lease, Listing listing = Listing::kHeld) {
  return {lease.run_id, lease.epoch, listing, "reason"};
}

TEST(Coordinator, AJobGoesFromSubmissionToItsFigures) {
  Core core;
  const SessionId session = core.Open("alpha");
  const JobId job = core.Create();
  EXPECT_EQ(core.View(job).job.state, JobState::kQueued);

  const GrantedLease lease = core.TakeLease(session);
  EXPECT_EQ(lease.state, RunState::kRunning);
  EXPECT_EQ(core.View(job).job.state, JobState::kRunning);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(core.Put(session, lease, i).ok());
  const auto state = core.Complete(session, lease, AttemptEnd::kSucceeded, 4);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(*state, RunState::kSucceeded);

  const JobView view = core.View(job);
  EXPECT_EQ(view.job.state, JobState::kSucceeded);
  EXPECT_TRUE(view.job.end_time.has_value());
  ASSERT_THAT(view.runs, SizeIs(1));
  EXPECT_EQ(view.runs[0].run.rounds_done, 3);
  EXPECT_EQ(view.runs[0].run.rounds_planned, 3);
  ASSERT_THAT(view.runs[0].attempts, SizeIs(1));
  EXPECT_EQ(view.runs[0].attempts[0].end, AttemptEnd::kSucceeded);
  (void)core.store.Read("figures", [&](StoreReader& reader) {
    const auto figures = reader.FiguresOfRun(lease.run_id);
    EXPECT_TRUE(figures.ok() && figures->has_value());
    EXPECT_EQ((*figures)->rounds, 2);
    EXPECT_THAT((*figures)->summaries, SizeIs(2));
    return absl::OkStatus();
  });
  EXPECT_THAT(core.Messages(job),
              ElementsAre("queued; waits for a worker: 1 matching worker is busy", "started on alpha",
                          HasSubstr("plan is fixed: 2 rounds and 1 for warm-up of 2 arms"), "round 1 of 3",
                          "round 2 of 3", "round 3 of 3", "succeeded"));
}

TEST(Coordinator, TheSameRequestIdGivesTheSameJob) {
  Core core;
  const auto first = core.coordinator.CreateJob(SmallSpec(), "r1", "digest");
  const auto again = core.coordinator.CreateJob(SmallSpec(), "r1", "digest");
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(*first, *again);
  const auto other = core.coordinator.CreateJob(SmallSpec("a=b"), "r1", "another digest");
  EXPECT_EQ(other.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ErrorReason(other.status()), "REQUEST_ID_REUSED");
}

TEST(Coordinator, AJobWaitsForAWorkerThatMatchesAndSaysSo) {
  Core core;
  const SessionId plain = core.Open("plain");
  const JobId job = core.Create(SmallSpec("pool=lab"));
  EXPECT_THAT(core.Sync(plain)->leases, IsEmpty());
  EXPECT_EQ(core.View(job).state_reason, "waits for a worker: no worker online matches 'pool=lab,suite/wake'");
  const SessionId lab = core.Open("lab", "", {{"pool", "lab"}});
  EXPECT_THAT(core.Sync(lab)->leases, SizeIs(1)) << "a worker that joins later takes it";
}

TEST(Coordinator, OnlyAHostThatHasTheSuiteIsGivenTheJob) {
  Core core;
  const SessionId wake_only = core.Open("wake-only");
  JobSpec spec = SmallSpec();
  spec.suite = CompileSpec{{}, {"link"}, {}, {"serial", "threads"}, {}};
  core.Create(spec);
  EXPECT_THAT(core.Sync(wake_only)->leases, IsEmpty());
  const SessionId both = core.Open("both", "", {{SuiteLabel("compile"), ""}});
  EXPECT_THAT(core.Sync(both)->leases, SizeIs(1));

  spec.fan_out = FanOut::kAll;
  const JobId all = core.Create(spec);
  ASSERT_THAT(core.View(all).runs, SizeIs(1));
  EXPECT_EQ(core.View(all).runs[0].run.bound_host, HostName("both"));
}

TEST(Coordinator, ASelectorThatLeavesNoRoomForTheSuiteIsRefused) {
  Core core;
  std::string selector = "a0";
  for (int i = 1; i < kMaxSelectorRequirements; ++i) absl::StrAppend(&selector, ",a", i);
  const absl::Status refused = core.coordinator.CreateJob(SmallSpec(selector), "", "d").status();
  EXPECT_EQ(ErrorReason(refused), "INVALID_FIELD");
  EXPECT_THAT(std::string(refused.message()), HasSubstr("spec.host_selector: leaves no room for 'suite/wake'"));
}

TEST(Coordinator, FanOutAllIsASnapshotOfTheHostsKnown) {
  Core core;
  const auto nobody = core.coordinator.CreateJob(SmallSpec("", FanOut::kAll), "", "d");
  EXPECT_EQ(ErrorReason(nobody.status()), "NO_MATCHING_WORKER");
  const SessionId alpha = core.Open("alpha");
  const SessionId beta = core.Open("beta");
  core.Open("gone");
  core.clock.Advance(absl::Minutes(61));
  (void)core.Sync(alpha, {}, false);
  (void)core.Sync(beta, {}, false);
  const JobId job = core.Create(SmallSpec("", FanOut::kAll));
  const JobView view = core.View(job);
  ASSERT_THAT(view.runs, SizeIs(2));
  EXPECT_EQ(view.runs[0].run.bound_host, HostName("alpha"));
  EXPECT_EQ(view.runs[1].run.bound_host, HostName("beta"));
  const GrantedLease lease = core.TakeLease(beta);
  EXPECT_EQ(lease.run_id, view.runs[1].run.id) << "each takes its own";
  EXPECT_THAT(core.Sync(core.Open("gamma"))->leases, IsEmpty());
}

TEST(Coordinator, AnOfferIsRepeatedUntilItIsListed) {
  Core core;
  const SessionId session = core.Open("alpha");
  core.Create();
  const SyncAnswer first = *core.Sync(session);
  const SyncAnswer second = *core.Sync(session);  // the first answer was lost
  ASSERT_THAT(second.leases, SizeIs(1));
  EXPECT_EQ(second.leases[0].epoch, first.leases[0].epoch);
  EXPECT_TRUE(second.leases[0].spec.has_value());
  EXPECT_TRUE(second.news);
}

TEST(Coordinator, WithoutNewsASyncMayHang) {
  Core core;
  const SessionId session = core.Open("alpha");
  EXPECT_FALSE(core.Sync(session)->news);
  core.Create();
  const GrantedLease lease = core.TakeLease(session);
  core.clock.Advance(absl::Seconds(20));
  const SyncAnswer renewed = *core.Sync(session, {Held(lease)}, false);
  EXPECT_FALSE(renewed.news);
  EXPECT_EQ(renewed.leases.at(0).ttl, absl::Seconds(90));
}

TEST(Coordinator, ALeaseThatPassedOnIsNotAnsweredAndItsSamplesStayOut) {
  Core core;
  const SessionId alpha = core.Open("alpha");
  const SessionId beta = core.Open("beta");
  core.Create();
  const GrantedLease old_lease = core.TakeLease(alpha);
  ASSERT_TRUE(core.Put(alpha, old_lease, 0).ok());
  core.clock.Advance(absl::Seconds(90));
  ASSERT_TRUE(core.coordinator.Sweep().ok());
  const GrantedLease new_lease = core.TakeLease(beta);
  EXPECT_GT(new_lease.epoch, old_lease.epoch);

  const SyncAnswer answer = *core.Sync(alpha, {Held(old_lease)}, false);
  EXPECT_THAT(answer.leases, IsEmpty());
  EXPECT_TRUE(answer.news);
  EXPECT_EQ(ErrorReason(core.Put(alpha, old_lease, 1)), "STALE_LEASE");
  EXPECT_THAT(core.store.late_results(), ElementsAre("chunk 1"));
  EXPECT_EQ(ErrorReason(core.Complete(alpha, old_lease, AttemptEnd::kSucceeded, 1).status()), "STALE_LEASE");
  EXPECT_EQ(core.Run(new_lease.run_id).lease.state, RunState::kRunning);

  for (int i = 0; i < 4; ++i) ASSERT_TRUE(core.Put(beta, new_lease, i).ok());
  ASSERT_TRUE(core.Complete(beta, new_lease, AttemptEnd::kSucceeded, 4).ok());
  const JobView view = core.View(core.Run(new_lease.run_id).job_id);
  ASSERT_THAT(view.runs[0].attempts, SizeIs(2));
  EXPECT_EQ(view.runs[0].attempts[0].end, AttemptEnd::kHeartbeat);
  EXPECT_EQ(view.runs[0].attempts[0].chunks, 1);
  EXPECT_EQ(view.runs[0].attempts[1].chunks, 4);
}

TEST(Coordinator, ChunksAreIdempotentByIndex) {
  Core core;
  const SessionId session = core.Open("alpha");
  core.Create();
  const GrantedLease lease = core.TakeLease(session);
  EXPECT_EQ(core.Put(session, lease, 1).code(), absl::StatusCode::kFailedPrecondition) << "a gap";
  ASSERT_TRUE(core.Put(session, lease, 0).ok());
  const auto again = core.coordinator.PutChunk(session, lease.run_id, lease.epoch, SmallChunk(0));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, 1);
  const auto conflict = core.coordinator.PutChunk(session, lease.run_id, lease.epoch, SmallChunk(0, "!"));
  EXPECT_EQ(ErrorReason(conflict.status()), "CHUNK_CONFLICT");
  Chunk second_plan = SmallChunk(0);
  second_plan.index = 1;
  EXPECT_EQ(core.coordinator.PutChunk(session, lease.run_id, lease.epoch, second_plan).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Coordinator, CompletingTwiceIsNoSurpriseUnlessItDiffers) {
  Core core;
  const SessionId session = core.Open("alpha");
  core.Create();
  const GrantedLease lease = core.TakeLease(session);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(core.Put(session, lease, i).ok());
  EXPECT_EQ(ErrorReason(core.Complete(session, lease, AttemptEnd::kSucceeded, 3).status()), "CHUNK_GAP");
  ASSERT_TRUE(core.Complete(session, lease, AttemptEnd::kSucceeded, 4).ok());
  const auto again = core.Complete(session, lease, AttemptEnd::kSucceeded, 4);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, RunState::kSucceeded);
  EXPECT_EQ(ErrorReason(core.Complete(session, lease, AttemptEnd::kFailed, 4).status()), "RESULT_CONFLICT");
}

TEST(Coordinator, ASuccessWithoutSamplesIsAFailure) {
  Core core;
  const SessionId session = core.Open("alpha");
  const JobId job = core.Create();
  const GrantedLease lease = core.TakeLease(session);
  ASSERT_TRUE(core.Put(session, lease, 0).ok());
  const auto state = core.Complete(session, lease, AttemptEnd::kSucceeded, 1);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(*state, RunState::kFailed);
  EXPECT_EQ(core.View(job).state_reason, "no round was measured");
  EXPECT_TRUE(core.Complete(session, lease, AttemptEnd::kSucceeded, 1).ok()) << "its repetition is no conflict";
}

TEST(Coordinator, OneBenchmarkAtATimePerKernel) {
  Core core;
  const SessionId one = core.Open("one", "same-boot");
  const SessionId two = core.Open("two", "same-boot");
  core.Create();
  core.Create();
  const GrantedLease lease = core.TakeLease(one);
  EXPECT_THAT(core.Sync(two)->leases, IsEmpty());
  ASSERT_TRUE(core.Complete(one, lease, AttemptEnd::kFailed, 0).ok());
  EXPECT_THAT(core.Sync(two)->leases, SizeIs(1));
}

TEST(Coordinator, CancelIsHeardByTheWorkerAndEndsTheRun) {
  Core core;
  const SessionId session = core.Open("alpha");
  const JobId queued = core.Create();
  ASSERT_TRUE(core.coordinator.CancelJob(queued).ok());
  EXPECT_EQ(core.View(queued).job.state, JobState::kCancelled);

  const JobId running = core.Create();
  const GrantedLease lease = core.TakeLease(session);
  ASSERT_TRUE(core.coordinator.CancelJob(running).ok());
  const SyncAnswer answer = *core.Sync(session, {Held(lease)}, false);
  EXPECT_TRUE(answer.news);
  EXPECT_TRUE(answer.leases.at(0).cancel);
  EXPECT_FALSE(core.Sync(session, {Held(lease, Listing::kCancelling)}, false)->news);
  ASSERT_TRUE(core.Complete(session, lease, AttemptEnd::kCancelled, 0).ok());
  EXPECT_EQ(core.View(running).job.state, JobState::kCancelled);
  EXPECT_EQ(ErrorReason(core.coordinator.CancelJob(JobId("nothing"))), "JOB_NOT_FOUND");
}

TEST(Coordinator, ANewSessionOfTheSameBootTakesOverWhatItLists) {
  Core core;
  const SessionId first = core.Open("alpha");
  core.Create();
  const GrantedLease lease = core.TakeLease(first);
  const SessionId second = core.Open("alpha");
  EXPECT_EQ(ErrorReason(core.Sync(first, {Held(lease)}).status()), "SESSION_NOT_FOUND");
  EXPECT_THAT(core.Sync(second, {Held(lease)}, false)->leases, SizeIs(1));
  EXPECT_TRUE(core.Put(second, lease, 0).ok());
}

TEST(Coordinator, ANewSessionOfTheSameBootThatDoesNotListItLosesItSoon) {
  Core core;
  core.Open("alpha");
  core.Create();
  const SessionId first = core.Open("alpha");
  const GrantedLease lease = core.TakeLease(first);
  const SessionId second = core.Open("alpha");
  (void)core.Sync(second, {}, false);
  core.clock.Advance(absl::Seconds(10));
  ASSERT_TRUE(core.coordinator.Sweep().ok());
  EXPECT_EQ(core.Run(lease.run_id).lease.state, RunState::kQueued);
  EXPECT_EQ(core.Run(lease.run_id).lease.attempts_spent, 1);
}

TEST(Coordinator, ARebootEndsWhatTheHostHeld) {
  Core core;
  const SessionId first = core.Open("alpha", "boot-1");
  core.Create();
  const GrantedLease lease = core.TakeLease(first);
  core.Open("alpha", "boot-2");
  EXPECT_EQ(core.Run(lease.run_id).lease.state, RunState::kQueued);
  EXPECT_EQ(core.Run(lease.run_id).lease.attempts_spent, 1);
}

TEST(Coordinator, ANameBelongsToItsWorkerWhileThatIsOnline) {
  Core core;
  const SessionId session = core.Open("alpha");
  WorkerHello thief = core.Hello("alpha", "boot-x");
  thief.worker_id = "another";
  EXPECT_EQ(ErrorReason(core.coordinator.OpenSession(thief).status()), "WORKER_NAME_TAKEN");
  core.clock.Advance(absl::Seconds(60));
  EXPECT_TRUE(core.coordinator.OpenSession(thief).ok());
}

TEST(Coordinator, ClosingASessionGivesBackWhatItHolds) {
  Core core;
  const SessionId session = core.Open("alpha");
  core.Create();
  const GrantedLease lease = core.TakeLease(session);
  ASSERT_TRUE(core.coordinator.CloseSession(session).ok());
  EXPECT_EQ(core.Run(lease.run_id).lease.state, RunState::kQueued);
  EXPECT_EQ(core.Run(lease.run_id).lease.attempts_spent, 0);
  EXPECT_EQ(ErrorReason(core.Sync(session).status()), "SESSION_NOT_FOUND");
}

TEST(Coordinator, AChunkThatAnotherHostRepeatsIsStale) {
  Core core;
  const SessionId alpha = core.Open("alpha");
  const SessionId beta = core.Open("beta");
  core.Create();
  const GrantedLease lease = core.TakeLease(alpha);
  ASSERT_TRUE(core.Put(alpha, lease, 0).ok());
  EXPECT_EQ(ErrorReason(core.Put(beta, lease, 0)), "STALE_LEASE");
  EXPECT_TRUE(core.Put(alpha, lease, 0).ok());
  EXPECT_TRUE(core.store.late_results().empty());
}

TEST(Coordinator, ASupersededSyncChangesNothing) {
  Core core;
  const SessionId session = core.Open("alpha");
  core.Create();
  const GrantedLease lease = core.TakeLease(session);
  const auto late = core.coordinator.Sync({session, core.sequence - 1, {Held(lease, Listing::kReleased)}, false, ""});
  EXPECT_EQ(late.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(ErrorReason(late.status()), "SYNC_SUPERSEDED");
  EXPECT_EQ(core.Run(lease.run_id).lease.state, RunState::kRunning);
}

TEST(Coordinator, ListedLeasesHaveALimit) {
  Core core;
  const SessionId session = core.Open("alpha");
  std::vector<HeldLease> leases(kMaxListedLeases, HeldLease{RunId("x/0"), 1, Listing::kHeld, ""});
  EXPECT_TRUE(core.Sync(session, leases).ok());
  leases.push_back(leases.front());
  EXPECT_EQ(core.Sync(session, leases).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Coordinator, ARestartGivesLeasesTheTimeItWasAway) {
  Core core;
  const SessionId session = core.Open("alpha");
  core.Create();
  const GrantedLease lease = core.TakeLease(session);
  core.clock.Advance(absl::Seconds(300));
  Coordinator restarted(core.store, core.clock, core.board, core.observer, {});
  ASSERT_TRUE(restarted.Recover().ok());
  ASSERT_TRUE(restarted.Sweep().ok());
  EXPECT_EQ(core.Run(lease.run_id).lease.state, RunState::kRunning);
}

TEST(Coordinator, WhatTheStoreCannotKeepIsNotAcknowledged) {
  Core core;
  core.store.FailNextWrites(1);
  EXPECT_EQ(core.coordinator.CreateJob(SmallSpec(), "r", "d").status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(core.coordinator.CreateJob(SmallSpec(), "r", "d").ok());
}

TEST(Coordinator, CommittedChangesAreTold) {
  Core core;
  const JobId job = core.Create(SmallSpec("pool=lab"));
  int job_notices = 0;
  int worker_notices = 0;
  const auto watch_job = core.board.WatchJob(job, [&] { ++job_notices; });
  const auto watch_worker = core.board.WatchWorker(
      {HostName("w"), "boot", {{SuiteLabel("wake"), ""}}, /*wants_work=*/true}, [&] { ++worker_notices; });
  core.Create();
  EXPECT_EQ(worker_notices, 1);
  ASSERT_TRUE(core.coordinator.CancelJob(job).ok());
  EXPECT_EQ(job_notices, 1);
}

}  // namespace
}  // namespace benchfleet
