// What every JobStore must do. A test program includes this and instantiates the suite:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, JobStoreContract, ::testing::Values(&MakeMemoryStore));
#ifndef BENCHFLEET_TESTS_CONTRACT_JOB_STORE_CONTRACT_H_
#define BENCHFLEET_TESTS_CONTRACT_JOB_STORE_CONTRACT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/core/job_store.h"
#include "tests/contract/record_text.h"
#include "tests/contract/store_examples.h"

namespace benchfleet {

// An engine under test.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual JobStore& store() = 0;
  // The program ends and starts again.
  virtual void Reopen() = 0;
};

using StoreMaker = std::unique_ptr<StoreUnderTest> (*)();

class JobStoreContract : public ::testing::TestWithParam<StoreMaker> {
 protected:
  JobStoreContract() : engine_(GetParam()()) {}

  absl::Status TryWrite(const std::function<absl::Status(StoreWriter&)>& work) {
    return engine_->store().Write("test", work);
  }
  void Write(const std::function<absl::Status(StoreWriter&)>& work) {
    const absl::Status status = TryWrite(work);
    ASSERT_TRUE(status.ok()) << status;
  }
  // What `read` gives in a read of its own.
  template <typename Work>
  auto Read(Work read) {
    using Value = typename decltype(read(std::declval<StoreReader&>()))::value_type;
    Value value{};
    const absl::Status status = engine_->store().Read("test", [&](StoreReader& reader) -> absl::Status {
      BF_ASSIGN_OR_RETURN(value, read(reader));
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
    return value;
  }
  RunRecord Run(const RunId& id) {
    return Read([&](StoreReader& r) { return r.FindRun(id); }).value_or(RunRecord());
  }
  void InsertJob(const JobRecord& job, const std::vector<RunRecord>& runs) {
    Write([&](StoreWriter& w) { return w.InsertJob(job, runs); });
  }
  // Puts the run's lease to `next`.
  void Move(const RunId& id, const RunLease& next) {
    Write([&](StoreWriter& w) -> absl::Status {
      BF_ASSIGN_OR_RETURN(std::optional<RunRecord> run, w.FindRun(id));
      const RunLease before = run->lease;
      run->lease = next;
      return w.UpdateRun(before, *run);
    });
  }
  // A run that succeeded on `host` with figures.
  void Succeed(const RunId& id, LeaseEpoch epoch, const std::string& host, absl::Time end) {
    RunLease lease = Run(id).lease;
    lease.state = RunState::kSucceeded;
    lease.epoch = epoch;
    lease.owner = {HostName(host), "boot"};
    Move(id, lease);
    Write([&](StoreWriter& w) -> absl::Status {
      BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(id, epoch, host)));
      BF_RETURN_IF_ERROR(w.InsertChunk(id, epoch, PlanChunk(), 1));
      BF_RETURN_IF_ERROR(w.InsertFigures(id, epoch, TestFigures()));
      return w.EndAttempt(id, epoch, AttemptEnd::kSucceeded, "", end);
    });
  }
  std::vector<std::string> JobIds(const JobQuery& query) {
    std::vector<std::string> ids;
    for (const JobRecord& job : Read([&](StoreReader& r) { return r.ListJobs(query); })) ids.push_back(job.spec.commit);
    return ids;
  }
  std::vector<std::string> RunIds(const std::vector<RunRecord>& runs) {
    std::vector<std::string> ids;
    for (const RunRecord& run : runs) ids.push_back(run.id.value());
    return ids;
  }

  const std::unique_ptr<StoreUnderTest> engine_;
};

TEST_P(JobStoreContract, NothingIsFoundInAnEmptyStore) {
  const RunId run("x/0");
  EXPECT_EQ(Read([](StoreReader& r) { return r.FindJob(JobId("x")); }).has_value(), false);
  EXPECT_THAT(Read([](StoreReader& r) { return r.ListJobs({}); }), ::testing::IsEmpty());
  EXPECT_THAT(Read([](StoreReader& r) { return r.RunsOfJob(JobId("x")); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([&](StoreReader& r) { return r.FindRun(run); }).has_value(), false);
  EXPECT_THAT(Read([&](StoreReader& r) { return r.AttemptsOfRun(run); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([&](StoreReader& r) { return r.FindAttempt(run, 1); }).has_value(), false);
  EXPECT_EQ(Read([&](StoreReader& r) { return r.ChunkCrc(run, 1, 0); }).has_value(), false);
  EXPECT_EQ(Read([&](StoreReader& r) { return r.PlanOfAttempt(run, 1); }).has_value(), false);
  EXPECT_THAT(Read([&](StoreReader& r) { return r.RoundsOfAttempt(run, 1); }), ::testing::IsEmpty());
  EXPECT_THAT(Read([&](StoreReader& r) { return r.ListSamples({.run_id = run, .epoch = 1}); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([&](StoreReader& r) { return r.FiguresOfRun(run); }).has_value(), false);
  EXPECT_THAT(Read([](StoreReader& r) { return r.EventsOfJob(JobId("x"), 1, 10); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([](StoreReader& r) { return r.FindSession(SessionId("x")); }).has_value(), false);
  EXPECT_THAT(Read([](StoreReader& r) { return r.ListHosts(HostName(), 10); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([](StoreReader& r) { return r.NewestSession(HostName("x")); }).has_value(), false);
  EXPECT_THAT(Read([](StoreReader& r) { return r.LeasesOfHost(HostName("x")); }), ::testing::IsEmpty());
  EXPECT_FALSE(Read([](StoreReader& r) { return r.KernelHasLease("x"); }));
  EXPECT_THAT(Read([](StoreReader& r) { return r.QueueGroups(); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([](StoreReader& r) { return r.OldestQueued(1); }).has_value(), false);
  EXPECT_THAT(Read([](StoreReader& r) { return r.OverdueRuns(absl::InfiniteFuture(), 10); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([](StoreReader& r) { return r.FindRequest("x"); }).has_value(), false);
  EXPECT_THAT(Read([](StoreReader& r) { return r.LatestResults(); }), ::testing::IsEmpty());
  EXPECT_EQ(Read([](StoreReader& r) { return r.OldestQueuedTime(); }).has_value(), false);
}

TEST_P(JobStoreContract, AJobReadsBackWithEveryField) {
  JobRecord job = TestJob(1);
  job.end_time = TestTime() + absl::Nanoseconds(1);
  job.state = JobState::kPartial;
  InsertJob(job, {});
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.FindJob(job.id); })), Text(job));
  EXPECT_THAT(Read([&](StoreReader& r) { return r.RunsOfJob(job.id); }), ::testing::IsEmpty());
}

TEST_P(JobStoreContract, AJobsStateIsReplacedWithItsEnd) {
  JobRecord job = TestJob(1);
  InsertJob(job, {});
  job.state = JobState::kSucceeded;
  job.end_time = TestTime();
  Write([&](StoreWriter& w) { return w.SetJobState(job.id, job.state, job.end_time); });
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.FindJob(job.id); })), Text(job));
}

TEST_P(JobStoreContract, JobsAreListedNewestFirstAndFiltered) {
  const JobState states[] = {JobState::kQueued, JobState::kRunning, JobState::kSucceeded};
  for (int i = 1; i <= 6; ++i) {
    JobRecord job = TestJob(i, i % 2 == 0 ? "even" : "odd");
    job.state = states[i % 3];
    InsertJob(job, {});
  }
  using ::testing::ElementsAre;
  EXPECT_THAT(JobIds({}), ElementsAre("c6", "c5", "c4", "c3", "c2", "c1"));
  EXPECT_THAT(JobIds({.limit = 2}), ElementsAre("c6", "c5"));
  EXPECT_THAT(JobIds({.limit = 0}), ElementsAre());
  EXPECT_THAT(JobIds({.project = "even"}), ElementsAre("c6", "c4", "c2"));
  EXPECT_THAT(JobIds({.project = "none"}), ElementsAre());
  EXPECT_THAT(JobIds({.states = {JobState::kRunning}}), ElementsAre("c4", "c1"));
  EXPECT_THAT(JobIds({.states = {JobState::kRunning, JobState::kQueued, JobState::kRunning}, .limit = 3}),
              ElementsAre("c6", "c4", "c3"));
  EXPECT_THAT(JobIds({.project = "odd", .states = {JobState::kRunning, JobState::kSucceeded}}),
              ElementsAre("c5", "c1"));
  EXPECT_THAT(JobIds({.project = "even", .before = TestJobId(4)}), ElementsAre("c2"));
  EXPECT_THAT(JobIds({.states = {JobState::kRunning}, .before = TestJobId(4)}), ElementsAre("c1"));
}

TEST_P(JobStoreContract, PagesOfJobsHoldWhileJobsAreAdded) {
  for (int i = 1; i <= 5; ++i) InsertJob(TestJob(i), {});
  std::vector<std::string> seen;
  JobQuery query{.limit = 2};
  for (int page = 0; page < 3; ++page) {
    const auto jobs = Read([&](StoreReader& r) { return r.ListJobs(query); });
    for (const JobRecord& job : jobs) seen.push_back(job.spec.commit);
    query.before = jobs.back().id;
    InsertJob(TestJob(10 + page), {});
  }
  EXPECT_THAT(seen, ::testing::ElementsAre("c5", "c4", "c3", "c2", "c1"));
}

TEST_P(JobStoreContract, RunsOfAJobComeByIndex) {
  const JobRecord job = TestJob(1);
  std::vector<RunRecord> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(TestRun(job, i, "arch=x86_64", i % 2 == 0 ? "a" : ""));
  InsertJob(job, {runs.rbegin(), runs.rend()});
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.RunsOfJob(job.id); })), Text(runs));
  EXPECT_EQ(Text(Run(runs[11].id)), Text(runs[11]));
}

TEST_P(JobStoreContract, UpdateRunReplacesTheMutablePart) {
  const JobRecord job = TestJob(1);
  RunRecord run = TestRun(job, 0, "arch=x86_64", "a");
  InsertJob(job, {run});
  for (RunState state : {RunState::kOffered, RunState::kRunning, RunState::kQueued, RunState::kRunning,
                         RunState::kFailed, RunState::kQuarantined}) {
    const RunLease before = run.lease;
    run.lease.state = state;
    run.lease.epoch += 3;
    run.lease.owner = {HostName("b"), absl::StrCat("boot-", run.lease.epoch)};
    run.lease.expires_at += absl::Nanoseconds(1);
    run.lease.deadline_at = TestTime() + absl::Seconds(run.lease.epoch);
    run.lease.queue_timeout = absl::Nanoseconds(run.lease.epoch);
    run.lease.attempts_spent += 1;
    run.lease.cancel_requested = !run.lease.cancel_requested;
    run.rounds_done += 1;
    run.rounds_planned += 2;
    run.end_reason += "x";
    RunRecord changed = run;
    changed.job_id = JobId("other");
    changed.index = 7;
    changed.selector = Selector();
    changed.bound_host = HostName("c");
    Write([&](StoreWriter& w) { return w.UpdateRun(before, changed); });
    EXPECT_EQ(Text(Run(run.id)), Text(run));
  }
}

TEST_P(JobStoreContract, InfiniteTimesComeBack) {
  const JobRecord job = TestJob(1);
  RunRecord run = TestRun(job, 0);
  run.lease.expires_at = absl::InfiniteFuture();
  run.lease.deadline_at = absl::InfinitePast();
  run.lease.queue_timeout = absl::InfiniteDuration();
  InsertJob(job, {run});
  EXPECT_EQ(Text(Run(run.id)), Text(run));
  const RunLease before = run.lease;
  run.lease.state = RunState::kRunning;
  run.lease.deadline_at = absl::InfiniteFuture();
  Write([&](StoreWriter& w) { return w.UpdateRun(before, run); });
  EXPECT_EQ(Text(Run(run.id)), Text(run));
}

TEST_P(JobStoreContract, UpdateRunIsAbortedWhenTheLeaseIsAnother) {
  const JobRecord job = TestJob(1);
  const RunRecord first = TestRun(job, 0);
  InsertJob(job, {first});
  Move(first.id, Leased(first.lease, RunState::kOffered, 5, "a", "boot", TestTime()));
  const RunRecord stored = Run(first.id);
  const auto stale = [&](const std::function<void(RunLease&)>& change) {
    RunLease before = stored.lease;
    change(before);
    RunRecord next = stored;
    next.lease.state = RunState::kRunning;
    return TryWrite([&](StoreWriter& w) { return w.UpdateRun(before, next); }).code();
  };
  EXPECT_EQ(stale([](RunLease& l) { l.state = RunState::kRunning; }), absl::StatusCode::kAborted);
  EXPECT_EQ(stale([](RunLease& l) { l.epoch = 4; }), absl::StatusCode::kAborted);
  EXPECT_EQ(stale([](RunLease& l) { l.owner.host = HostName("b"); }), absl::StatusCode::kAborted);
  EXPECT_EQ(stale([](RunLease& l) { l.owner.boot_id = "other"; }), absl::StatusCode::kAborted);
  EXPECT_EQ(Text(Run(first.id)), Text(stored));
  // Times are no part of the guard.
  EXPECT_EQ(stale([](RunLease& l) { l.expires_at = absl::InfinitePast(); }), absl::StatusCode::kOk);
  RunRecord unknown = stored;
  unknown.id = RunId("nowhere");
  EXPECT_EQ(TryWrite([&](StoreWriter& w) { return w.UpdateRun(stored.lease, unknown); }).code(),
            absl::StatusCode::kAborted);
}

TEST_P(JobStoreContract, AnErrorUndoesTheWholeUnit) {
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0);
  InsertJob(job, {run});
  const LeaseEpoch epoch = Read([](StoreReader&) -> absl::StatusOr<LeaseEpoch> { return 77; });
  const absl::Status status = TryWrite([&](StoreWriter& w) -> absl::Status {
    RunRecord next = run;
    next.lease = Leased(run.lease, RunState::kRunning, epoch, "a", "boot", TestTime());
    BF_RETURN_IF_ERROR(w.UpdateRun(run.lease, next));
    BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(run.id, epoch)));
    BF_RETURN_IF_ERROR(w.InsertChunk(run.id, epoch, PlanChunk(), 1));
    BF_RETURN_IF_ERROR(w.InsertEvent(job.id, TestEvent("x")).status());
    BF_RETURN_IF_ERROR(w.InsertSession(TestSession("s", "a")));
    BF_RETURN_IF_ERROR(w.SetJobState(job.id, JobState::kRunning, std::nullopt));
    BF_RETURN_IF_ERROR(w.InsertJob(TestJob(2), {TestRun(TestJob(2), 0, "new=group")}));
    BF_RETURN_IF_ERROR(w.InsertRequest("r", {"d", job.id}, TestTime()));
    BF_RETURN_IF_ERROR(w.ExtendLeases(absl::InfiniteFuture()));
    return absl::ResourceExhaustedError("the caller's own");
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "the caller's own");
  EXPECT_EQ(Text(Run(run.id)), Text(run));
  EXPECT_EQ(Text(Read([](StoreReader& r) { return r.ListJobs({}); })), Text(std::vector<JobRecord>{job}));
  EXPECT_FALSE(Read([&](StoreReader& r) { return r.FindAttempt(run.id, epoch); }).has_value());
  EXPECT_FALSE(Read([&](StoreReader& r) { return r.PlanOfAttempt(run.id, epoch); }).has_value());
  EXPECT_FALSE(Read([](StoreReader& r) { return r.KernelHasLease("boot"); }));
  EXPECT_THAT(Read([&](StoreReader& r) { return r.EventsOfJob(job.id, 1, 10); }), ::testing::IsEmpty());
  EXPECT_THAT(Read([](StoreReader& r) { return r.ListHosts(HostName(), 10); }), ::testing::IsEmpty());
  EXPECT_FALSE(Read([](StoreReader& r) { return r.FindRequest("r"); }).has_value());
  EXPECT_EQ(Read([](StoreReader& r) { return r.QueueGroups(); }).size(), 1u);
}

TEST_P(JobStoreContract, AUnitSeesItsOwnChanges) {
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertJob(TestJob(1), {TestRun(TestJob(1), 0)}));
    BF_ASSIGN_OR_RETURN(const std::vector<QueueGroup> groups, w.QueueGroups());
    EXPECT_EQ(groups.size(), 1u);
    BF_ASSIGN_OR_RETURN(const std::optional<RunRecord> run, w.OldestQueued(groups.at(0).id));
    EXPECT_TRUE(run.has_value());
    return absl::OkStatus();
  });
}

TEST_P(JobStoreContract, AnOperationThatFailsFailsItsUnit) {
  const absl::Status status = TryWrite([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertJob(TestJob(1), {}));
    EXPECT_FALSE(w.InsertJob(TestJob(1), {}).ok());
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_FALSE(Read([](StoreReader& r) { return r.FindJob(TestJobId(1)); }).has_value());
}

TEST_P(JobStoreContract, ALostRaceFailsNoUnitThatGoesOn) {
  const JobRecord job = TestJob(1);
  RunRecord run = TestRun(job, 0);
  InsertJob(job, {run});
  Write([&](StoreWriter& w) -> absl::Status {
    RunLease other = run.lease;
    other.epoch = 9;
    EXPECT_TRUE(absl::IsAborted(w.UpdateRun(other, run)));
    return w.SetJobState(job.id, JobState::kRunning, std::nullopt);
  });
  EXPECT_EQ(Read([&](StoreReader& r) { return r.FindJob(job.id); })->state, JobState::kRunning);
}

TEST_P(JobStoreContract, WhatContradictsTheDataIsInternal) {
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0);
  InsertJob(job, {run});
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(run.id, 1)));
    BF_RETURN_IF_ERROR(w.InsertFigures(run.id, 1, TestFigures()));
    BF_RETURN_IF_ERROR(w.EndAttempt(run.id, 1, AttemptEnd::kFailed, "", TestTime()));
    BF_RETURN_IF_ERROR(w.InsertRequest("r", {"d", job.id}, TestTime()));
    return w.InsertSession(TestSession("s", "a"));
  });
  const RunId nowhere("nowhere/0");
  const std::vector<std::pair<std::string, std::function<absl::Status(StoreWriter&)>>> faults = {
      {"job twice", [&](StoreWriter& w) { return w.InsertJob(job, {}); }},
      {"run twice", [&](StoreWriter& w) { return w.InsertJob(TestJob(2), {run}); }},
      {"state of no job", [&](StoreWriter& w) { return w.SetJobState(TestJobId(2), JobState::kFailed, {}); }},
      {"request twice",
       [&](StoreWriter& w) {
         return w.InsertRequest("r", {"d", job.id}, TestTime());
       }},
      {"request for no job",
       [&](StoreWriter& w) {
         return w.InsertRequest("r2", {"d", TestJobId(2)}, TestTime());
       }},
      {"attempt of no run", [&](StoreWriter& w) { return w.InsertAttempt(TestAttempt(nowhere, 1)); }},
      {"attempt twice", [&](StoreWriter& w) { return w.InsertAttempt(TestAttempt(run.id, 1)); }},
      {"end of no attempt",
       [&](StoreWriter& w) { return w.EndAttempt(run.id, 2, AttemptEnd::kFailed, "", TestTime()); }},
      {"end twice", [&](StoreWriter& w) { return w.EndAttempt(run.id, 1, AttemptEnd::kFailed, "", TestTime()); }},
      {"chunk of no attempt", [&](StoreWriter& w) { return w.InsertChunk(run.id, 2, PlanChunk(), 0); }},
      {"chunk out of order", [&](StoreWriter& w) { return w.InsertChunk(run.id, 1, RoundsChunk(1, {}), 0); }},
      {"figures of no attempt", [&](StoreWriter& w) { return w.InsertFigures(run.id, 2, TestFigures()); }},
      {"figures twice", [&](StoreWriter& w) { return w.InsertFigures(run.id, 1, TestFigures()); }},
      {"event of no job", [&](StoreWriter& w) { return w.InsertEvent(TestJobId(2), TestEvent("")).status(); }},
      {"session twice", [&](StoreWriter& w) { return w.InsertSession(TestSession("s", "b")); }},
      {"update of no session", [&](StoreWriter& w) { return w.UpdateSession(TestSession("t", "a")); }},
  };
  for (const auto& [name, work] : faults) {
    EXPECT_EQ(TryWrite(work).code(), absl::StatusCode::kInternal) << name;
  }
}

TEST_P(JobStoreContract, EpochsGrowAcrossReopenAndUndoneUnits) {
  LeaseEpoch last = 0;
  const auto next = [&] {
    LeaseEpoch epoch = 0;
    Write([&](StoreWriter& w) -> absl::Status {
      BF_ASSIGN_OR_RETURN(epoch, w.NextEpoch());
      return absl::OkStatus();
    });
    EXPECT_GT(epoch, last);
    last = epoch;
  };
  next();
  next();
  EXPECT_FALSE(TryWrite([](StoreWriter& w) -> absl::Status {
                 BF_RETURN_IF_ERROR(w.NextEpoch().status());
                 return absl::CancelledError();
               }).ok());
  next();
  engine_->Reopen();
  next();
}

TEST_P(JobStoreContract, EventsAreNumberedPerJob) {
  InsertJob(TestJob(1), {});
  InsertJob(TestJob(2), {});
  EventRecord full = TestEvent("two");
  full.run_id = RunId("r");
  full.job_state = JobState::kRunning;
  full.run_state = RunState::kOffered;
  full.host = HostName("a");
  full.rounds_done = 3;
  full.rounds_planned = 10;
  full.plan_of = 12;
  std::vector<int64_t> numbers;
  Write([&](StoreWriter& w) -> absl::Status {
    numbers.clear();
    for (const auto& [job, event] : std::vector<std::pair<int, EventRecord>>{
             {1, TestEvent("one")}, {2, TestEvent("other")}, {1, full}, {1, TestEvent("three")}}) {
      BF_ASSIGN_OR_RETURN(const int64_t number, w.InsertEvent(TestJobId(job), event));
      numbers.push_back(number);
    }
    return absl::OkStatus();
  });
  EXPECT_THAT(numbers, ::testing::ElementsAre(1, 1, 2, 3));
  full.number = 2;
  const auto events = [&](int64_t from, int limit) {
    return Read([&](StoreReader& r) { return r.EventsOfJob(TestJobId(1), from, limit); });
  };
  EXPECT_EQ(events(1, 10).size(), 3u);
  EXPECT_EQ(Text(events(2, 1)), Text(std::vector<EventRecord>{full}));
  EXPECT_EQ(events(3, 10).at(0).message, "three");
  EXPECT_THAT(events(4, 10), ::testing::IsEmpty());
}

TEST_P(JobStoreContract, GroupsHoldTheQueuedRunsOfOneKind) {
  const JobRecord first = TestJob(1);
  const JobRecord second = TestJob(2);
  const std::vector<RunRecord> runs = {TestRun(first, 0, "arch=x86_64"), TestRun(first, 1, "arch==x86_64"),
                                       TestRun(first, 2, "arch=x86_64", "a"), TestRun(second, 0)};
  InsertJob(first, {runs[0], runs[1], runs[2]});
  InsertJob(second, {runs[3]});
  const auto groups = Read([](StoreReader& r) { return r.QueueGroups(); });
  ASSERT_EQ(groups.size(), 3u);
  const auto oldest = [&](const QueueGroup& group) {
    return Read([&](StoreReader& r) { return r.OldestQueued(group.id); }).value_or(RunRecord()).id;
  };
  EXPECT_EQ(groups[0].selector.canonical(), runs[0].selector.canonical());
  EXPECT_EQ(groups[1].bound_host, HostName("a"));
  EXPECT_EQ(oldest(groups[0]), runs[0].id);
  EXPECT_EQ(oldest(groups[1]), runs[2].id);
  EXPECT_EQ(oldest(groups[2]), runs[3].id);
  Move(runs[0].id, Leased(runs[0].lease, RunState::kOffered, 1, "a", "boot", TestTime()));
  EXPECT_EQ(oldest(groups[0]), runs[1].id);
  Move(runs[1].id, Leased(runs[1].lease, RunState::kRunning, 2, "b", "boot2", TestTime()));
  EXPECT_EQ(Read([](StoreReader& r) { return r.QueueGroups(); }).size(), 2u);
  EXPECT_EQ(oldest(groups[0]), RunId());
}

TEST_P(JobStoreContract, ARunKeepsItsAgeWhenItGoesBackToTheQueue) {
  InsertJob(TestJob(1), {TestRun(TestJob(1), 0)});
  InsertJob(TestJob(2), {TestRun(TestJob(2), 0)});
  const RunRecord run = TestRun(TestJob(1), 0);
  Move(run.id, Leased(run.lease, RunState::kOffered, 1, "a", "boot", TestTime()));
  const int64_t group = Read([](StoreReader& r) { return r.QueueGroups(); }).at(0).id;
  const auto oldest = [&] { return Read([&](StoreReader& r) { return r.OldestQueued(group); })->id; };
  const auto oldest_time = [&] { return *Read([](StoreReader& r) { return r.OldestQueuedTime(); }); };
  EXPECT_EQ(oldest(), TestRun(TestJob(2), 0).id);
  EXPECT_EQ(oldest_time(), TestJob(2).create_time);
  RunLease back = Run(run.id).lease;
  back.state = RunState::kQueued;
  back.expires_at = TestTime() + absl::Hours(48);
  Move(run.id, back);
  EXPECT_EQ(oldest(), run.id);
  EXPECT_EQ(oldest_time(), TestJob(1).create_time);
}

TEST_P(JobStoreContract, LeasesAreFoundByHostAndByKernel) {
  const JobRecord job = TestJob(1);
  std::vector<RunRecord> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(TestRun(job, i));
  InsertJob(job, runs);
  Move(runs[2].id, Leased(runs[2].lease, RunState::kOffered, 1, "a", "boot-a", TestTime()));
  Move(runs[1].id, Leased(runs[1].lease, RunState::kRunning, 2, "a", "boot-a", TestTime()));
  Move(runs[3].id, Leased(runs[3].lease, RunState::kRunning, 3, "b", "boot-b", TestTime()));
  const auto of_host = [&](const std::string& host) {
    return RunIds(Read([&](StoreReader& r) { return r.LeasesOfHost(HostName(host)); }));
  };
  const auto kernel = [&](const std::string& boot_id) {
    return Read([&](StoreReader& r) { return r.KernelHasLease(boot_id); });
  };
  EXPECT_THAT(of_host("a"), ::testing::UnorderedElementsAre(runs[1].id.value(), runs[2].id.value()));
  EXPECT_THAT(of_host("b"), ::testing::ElementsAre(runs[3].id.value()));
  EXPECT_TRUE(kernel("boot-b"));
  RunLease ended = Run(runs[3].id).lease;
  ended.state = RunState::kSucceeded;
  Move(runs[3].id, ended);
  EXPECT_THAT(of_host("b"), ::testing::IsEmpty());
  EXPECT_FALSE(kernel("boot-b"));
  EXPECT_TRUE(kernel("boot-a"));
}

TEST_P(JobStoreContract, OverdueRunsComeMostOverdueFirst) {
  const JobRecord job = TestJob(1);
  const absl::Time now = TestTime() + absl::Hours(1);
  std::vector<RunRecord> runs;
  for (int i = 0; i < 7; ++i) {
    runs.push_back(TestRun(job, i));
    runs[i].lease.expires_at = absl::InfiniteFuture();
  }
  runs[0].lease.expires_at = now;                         // exactly due
  runs[1].lease.expires_at = now + absl::Nanoseconds(1);  // not yet
  InsertJob(job, runs);
  Move(runs[2].id, Leased(runs[2].lease, RunState::kOffered, 1, "a", "b", now - absl::Seconds(3)));
  RunLease deadline = Leased(runs[3].lease, RunState::kRunning, 2, "a", "b", now + absl::Hours(1));
  deadline.deadline_at = now - absl::Seconds(2);
  Move(runs[3].id, deadline);
  Move(runs[4].id, Leased(runs[4].lease, RunState::kRunning, 3, "a", "b", now + absl::Seconds(1)));
  RunLease ended = Leased(runs[5].lease, RunState::kExpired, 4, "a", "b", now - absl::Hours(1));
  Move(runs[5].id, ended);
  const auto overdue = [&](int limit) {
    return RunIds(Read([&](StoreReader& r) { return r.OverdueRuns(now, limit); }));
  };
  EXPECT_THAT(overdue(10), ::testing::ElementsAre(runs[2].id.value(), runs[3].id.value(), runs[0].id.value()));
  EXPECT_THAT(overdue(2), ::testing::ElementsAre(runs[2].id.value(), runs[3].id.value()));
  EXPECT_THAT(overdue(0), ::testing::IsEmpty());
}

TEST_P(JobStoreContract, ExtendLeasesOnlyGivesTime) {
  const JobRecord job = TestJob(1);
  const absl::Time until = TestTime() + absl::Hours(1);
  std::vector<RunRecord> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(TestRun(job, i));
  runs[0].lease.expires_at = until - absl::Seconds(1);
  runs[1].lease.expires_at = until + absl::Seconds(1);
  InsertJob(job, runs);
  Move(runs[2].id, Leased(runs[2].lease, RunState::kOffered, 1, "a", "b", until - absl::Minutes(1)));
  RunLease running = Leased(runs[3].lease, RunState::kRunning, 2, "a", "b", until + absl::Minutes(1));
  running.deadline_at = until - absl::Minutes(2);
  Move(runs[3].id, running);
  Move(runs[4].id, Leased(runs[4].lease, RunState::kFailed, 3, "a", "b", TestTime()));
  Write([&](StoreWriter& w) { return w.ExtendLeases(until); });
  EXPECT_EQ(Run(runs[0].id).lease.expires_at, until);
  EXPECT_EQ(Run(runs[0].id).lease.deadline_at, absl::InfiniteFuture());
  EXPECT_EQ(Run(runs[1].id).lease.expires_at, until + absl::Seconds(1));
  EXPECT_EQ(Run(runs[2].id).lease.expires_at, until);
  EXPECT_EQ(Run(runs[3].id).lease.expires_at, until + absl::Minutes(1));
  EXPECT_EQ(Run(runs[3].id).lease.deadline_at, until);
  EXPECT_EQ(Run(runs[4].id).lease.expires_at, TestTime());
}

TEST_P(JobStoreContract, AttemptsComeOldestFirst) {
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0);
  InsertJob(job, {run, TestRun(job, 1)});
  AttemptRecord open = TestAttempt(run.id, 9, "b");
  AttemptRecord ended = TestAttempt(run.id, 4);
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertAttempt(open));
    BF_RETURN_IF_ERROR(w.InsertAttempt(ended));
    BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(TestRun(job, 1).id, 5)));
    return w.EndAttempt(run.id, 4, AttemptEnd::kHeartbeat, "fell silent", TestTime() + absl::Seconds(5));
  });
  ended.end = AttemptEnd::kHeartbeat;
  ended.detail = "fell silent";
  ended.end_time = TestTime() + absl::Seconds(5);
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.AttemptsOfRun(run.id); })),
            Text(std::vector<AttemptRecord>{ended, open}));
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.FindAttempt(run.id, 9); })), Text(open));
  EXPECT_FALSE(Read([&](StoreReader& r) { return r.FindAttempt(run.id, 5); }).has_value());
}

TEST_P(JobStoreContract, ChunksBecomePlanRoundsAndSamples) {
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0);
  InsertJob(job, {run});
  // Round 1 comes in two parts.
  const std::vector<Round> rounds = {TestRound(0, 4), TestRound(1, 3), TestRound(1, 2), TestRound(2, 0)};
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(run.id, 1)));
    BF_RETURN_IF_ERROR(w.InsertChunk(run.id, 1, PlanChunk(), 0xFFFFFFFF));
    return w.InsertChunk(run.id, 1, RoundsChunk(1, {rounds[0], rounds[1]}), 5);
  });
  Write([&](StoreWriter& w) { return w.InsertChunk(run.id, 1, RoundsChunk(2, {rounds[2], rounds[3]}), 6); });

  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.PlanOfAttempt(run.id, 1); })), Text(ExamplePlan()));
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.RoundsOfAttempt(run.id, 1); })), Text(rounds));
  const auto attempt = *Read([&](StoreReader& r) { return r.FindAttempt(run.id, 1); });
  EXPECT_EQ(attempt.chunks, 3);
  EXPECT_EQ(attempt.chunks_crc32c, 6u);
  const auto crc = [&](int index) { return Read([&](StoreReader& r) { return r.ChunkCrc(run.id, 1, index); }); };
  EXPECT_EQ(crc(0), 0xFFFFFFFF);
  EXPECT_EQ(crc(2), 2u);
  EXPECT_EQ(crc(3), std::nullopt);
  EXPECT_EQ(crc(-1), std::nullopt);
}

TEST_P(JobStoreContract, SamplesAreListedByPositionAndFiltered) {
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0);
  InsertJob(job, {run});
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(run.id, 1)));
    BF_RETURN_IF_ERROR(w.InsertChunk(run.id, 1, PlanChunk(), 0));
    return w.InsertChunk(run.id, 1, RoundsChunk(1, {TestRound(0, 6), TestRound(1, 6)}), 0);
  });
  const auto positions = [&](SampleQuery query) {
    query.run_id = run.id;
    query.epoch = 1;
    std::vector<int64_t> found;
    for (const auto& s : Read([&](StoreReader& r) { return r.ListSamples(query); })) found.push_back(s.position);
    return found;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(positions({}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(positions({.after_position = 3, .limit = 2}), ElementsAre(4, 5));
  EXPECT_THAT(positions({.case_path = "epoll/frame.ready"}), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(positions({.variant = "lookup"}), ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(positions({.case_path = "epoll/frame.ready", .variant = "lookup", .after_position = 0}), ElementsAre(6));
  EXPECT_THAT(positions({.variant = "none"}), ElementsAre());
  EXPECT_THAT(positions({.limit = 0}), ElementsAre());
  const auto first = Read([&](StoreReader& r) { return r.ListSamples({.run_id = run.id, .epoch = 1}); });
  const SampleRecord want{.position = 5, .epoch = 1, .round = 0, .warmup = true, .sample = TestRound(0, 6).samples[5]};
  EXPECT_EQ(Text(first.at(5)), Text(want));
  EXPECT_EQ(first.at(6).round, 1);
  EXPECT_FALSE(first.at(6).warmup);
}

TEST_P(JobStoreContract, FiguresComeBackBitByBitFromTheNewestAttempt) {
  const JobRecord job = TestJob(1);
  const RunRecord run = TestRun(job, 0);
  InsertJob(job, {run});
  RunFigures older = TestFigures();
  older.rounds = 1;
  Write([&](StoreWriter& w) -> absl::Status {
    for (LeaseEpoch epoch : {7, 3, 9}) BF_RETURN_IF_ERROR(w.InsertAttempt(TestAttempt(run.id, epoch)));
    BF_RETURN_IF_ERROR(w.InsertFigures(run.id, 7, TestFigures()));
    return w.InsertFigures(run.id, 3, older);
  });
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.FiguresOfRun(run.id); })), Text(TestFigures()));
}

TEST_P(JobStoreContract, SessionsReadBackAndAreUpdated) {
  SessionRecord session = TestSession("s1", "a");
  Write([&](StoreWriter& w) { return w.InsertSession(session); });
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.FindSession(session.id); })), Text(session));
  session.last_seen += absl::Seconds(1);
  session.last_sequence = 9;
  session.wants_work = false;
  session.idle_reason = "";
  session.closed = true;
  SessionRecord changed = session;
  changed.labels = {};
  changed.version = "9";
  Write([&](StoreWriter& w) { return w.UpdateSession(changed); });
  EXPECT_EQ(Text(Read([&](StoreReader& r) { return r.FindSession(session.id); })), Text(session));
}

TEST_P(JobStoreContract, HostsAreTheirNewestSessions) {
  SessionRecord older = TestSession("z", "b");
  older.open_time = TestTime() + absl::Hours(9);  // by a clock that was wrong
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertSession(older));
    BF_RETURN_IF_ERROR(w.InsertSession(TestSession("x", "c")));
    BF_RETURN_IF_ERROR(w.InsertSession(TestSession("y", "b")));
    return w.InsertSession(TestSession("w", "a"));
  });
  const auto hosts = [&](const std::string& after, int limit) {
    std::string ids;
    for (const auto& session : Read([&](StoreReader& r) { return r.ListHosts(HostName(after), limit); })) {
      ids += session.id.value();
    }
    return ids;
  };
  EXPECT_EQ(hosts("", 10), "wyx");
  EXPECT_EQ(hosts("a", 1), "y");
  EXPECT_EQ(hosts("c", 10), "");
  EXPECT_EQ(hosts("", 0), "");
  EXPECT_EQ(Read([](StoreReader& r) { return r.NewestSession(HostName("b")); })->id, SessionId("y"));
}

TEST_P(JobStoreContract, LatestResultsAreTheNewestPerProjectHostAndSuite) {
  for (int i = 1; i <= 5; ++i) {
    const JobRecord job = TestJob(i, i == 5 ? "other" : "default");
    InsertJob(job, {TestRun(job, 0)});
  }
  const auto run = [](int job) { return TestRun(TestJob(job), 0).id; };
  Succeed(run(2), 20, "a", TestTime() + absl::Seconds(2));
  Succeed(run(1), 10, "a", TestTime() + absl::Seconds(1));  // older lease, later here
  Succeed(run(3), 30, "b", TestTime() + absl::Seconds(3));
  Succeed(run(5), 50, "a", TestTime() + absl::Seconds(5));
  RunLease failed = Run(run(4)).lease;
  failed.state = RunState::kFailed;
  failed.epoch = 40;
  failed.owner = {HostName("a"), "boot"};
  Move(run(4), failed);
  const auto results = Read([](StoreReader& r) { return r.LatestResults(); });
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].run.id, run(2));
  EXPECT_EQ(results[1].run.id, run(3));
  EXPECT_EQ(results[2].run.id, run(5));
  ResultRecord want;
  want.job = TestJob(2);
  want.run = Run(run(2));
  want.host = HostName("a");
  want.end_time = TestTime() + absl::Seconds(2);
  want.first_end_time = TestTime() + absl::Seconds(1);
  want.plan = ExamplePlan();
  want.figures = TestFigures();
  EXPECT_EQ(Text(results[0]), Text(want));
  EXPECT_EQ(results[1].first_end_time, results[1].end_time);
}

TEST_P(JobStoreContract, RequestsAreRemembered) {
  InsertJob(TestJob(1), {});
  Write([&](StoreWriter& w) { return w.InsertRequest("r", {"digest", TestJobId(1)}, TestTime()); });
  const auto request = Read([](StoreReader& r) { return r.FindRequest("r"); });
  EXPECT_EQ(Text(request), Text(StoreReader::RequestRecord{"digest", TestJobId(1)}));
  EXPECT_FALSE(Read([](StoreReader& r) { return r.FindRequest("R"); }).has_value());
}

TEST_P(JobStoreContract, WhatHasNotEndedIsCounted) {
  const JobRecord job = TestJob(1);
  std::vector<RunRecord> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(TestRun(job, i));
  JobRecord running = TestJob(2);
  running.state = JobState::kRunning;
  JobRecord ended = TestJob(3);
  ended.state = JobState::kFailed;
  InsertJob(job, runs);
  InsertJob(running, {});
  InsertJob(ended, {});
  Move(runs[0].id, Leased(runs[0].lease, RunState::kOffered, 1, "a", "b", TestTime()));
  Move(runs[1].id, Leased(runs[1].lease, RunState::kSucceeded, 2, "a", "b", TestTime()));
  using ::testing::ElementsAre;
  using ::testing::Pair;
  EXPECT_THAT(Read([](StoreReader& r) { return r.CountRunsNotEnded(); }),
              ElementsAre(Pair(RunState::kQueued, 3), Pair(RunState::kOffered, 1), Pair(RunState::kRunning, 0)));
  EXPECT_THAT(Read([](StoreReader& r) { return r.CountJobsNotEnded(); }),
              ElementsAre(Pair(JobState::kQueued, 1), Pair(JobState::kRunning, 1)));
}

TEST_P(JobStoreContract, LateResultsChangeNothingElse) {
  Write([&](StoreWriter& w) -> absl::Status {
    BF_RETURN_IF_ERROR(w.InsertLateResult(RunId("nowhere"), 3, HostName("a"), std::string("\0x", 2), TestTime()));
    return w.InsertLateResult(RunId("nowhere"), 3, HostName("a"), "", TestTime());
  });
  EXPECT_THAT(Read([](StoreReader& r) { return r.AttemptsOfRun(RunId("nowhere")); }), ::testing::IsEmpty());
}

TEST_P(JobStoreContract, AReadsErrorIsReturned) {
  const absl::Status status =
      engine_->store().Read("test", [](StoreReader&) { return absl::NotFoundError("the caller's own"); });
  EXPECT_EQ(status, absl::NotFoundError("the caller's own"));
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_CONTRACT_JOB_STORE_CONTRACT_H_
