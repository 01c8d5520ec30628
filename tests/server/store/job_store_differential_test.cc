// The same random operations on the in-memory store and on SQLite: equal answers to each
// and equal state in the end. A failure names the seed's step, so it can be run again.
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "common/base/status_macros.h"
#include "gtest/gtest.h"
#include "tests/contract/record_text.h"
#include "tests/contract/store_examples.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/server/store/sqlite_fixture.h"

namespace benchfleet {
namespace {

constexpr int kOperations = 20'000;
constexpr int kMaxOperationsInUnit = 12;
constexpr int kUnitsBetweenComparisons = 300;
constexpr uint64_t kSeed = 20231114;

const std::vector<std::string> kHosts = {"a", "b", "c"};
const std::vector<std::string> kBoots = {"boot-1", "boot-2"};
const std::vector<std::string> kSelectors = {"", "arch=x86_64", "pool in (lab,ci)"};
const std::vector<std::string> kProjects = {"default", "other"};
const std::vector<JobState> kJobStates = {JobState::kQueued, JobState::kRunning, JobState::kSucceeded,
                                          JobState::kPartial};
const std::vector<RunState> kRunStates = {RunState::kQueued,  RunState::kOffered,   RunState::kRunning,
                                          RunState::kQueued,  RunState::kSucceeded, RunState::kFailed,
                                          RunState::kRunning, RunState::kOffered};

// One unit's choices; what an operation answered goes into a transcript.
class RandomUnit {
 public:
  // `jobs`: how many there may be so far.
  RandomUnit(uint64_t seed, int jobs) : random_(seed), jobs_(jobs) {}

  absl::Status Run(StoreWriter& writer, int operations) {
    for (int i = 0; i < operations; ++i) {
      // Half of the operations read, so that answers are compared all along.
      BF_RETURN_IF_ERROR(Below(2) == 0 ? ReadOne(writer) : WriteOne(writer));
    }
    return Below(10) == 0 ? absl::CancelledError("undo it") : absl::OkStatus();
  }
  const std::string& transcript() const { return transcript_; }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<uint64_t>(limit)); }
  template <typename T>
  const T& OneOf(const std::vector<T>& values) {
    return values[Below(static_cast<int>(values.size()))];
  }
  int OldJob() { return Below(jobs_ + 1); }
  RunId AnyRun() { return TestRun(TestJob(OldJob()), Below(3)).id; }
  LeaseEpoch AnyEpoch() { return Below(3) + 1; }
  absl::Time AnyTime() { return TestTime() + absl::Seconds(Below(1000)); }

  template <typename T>
  void Note(const T& answer) {
    absl::StrAppend(&transcript_, Text(answer), "\n");
  }
  // A refusal by the data ends the unit, and both stores must say so.
  absl::Status Did(const absl::Status& status) {
    Note(status);
    return absl::IsAborted(status) ? absl::OkStatus() : status;
  }

  absl::Status WriteOne(StoreWriter& w) {
    switch (Below(16)) {
      case 0:
      case 1:
      case 2:
        return AddJob(w);
      case 3:
        return SetState(w);
      case 4:
      case 5:
      case 6:
      case 7:
        return ChangeRun(w);
      case 8:
      case 9:
        return AddAttempt(w);
      case 10:
        return EndSomeAttempt(w);
      case 11:
      case 12:
        return AddChunk(w);
      case 13:
        return AddEvent(w);
      case 14:
        return AddOrUpdateSession(w);
      default:
        return Below(20) == 0 ? Did(w.ExtendLeases(AnyTime())) : AddRequest(w);
    }
  }

  absl::Status AddJob(StoreWriter& w) {
    const JobRecord job = TestJob(Below(200) == 0 ? OldJob() : ++jobs_, OneOf(kProjects));
    std::vector<RunRecord> runs;
    for (int i = Below(3); i >= 0; --i) {
      runs.push_back(TestRun(job, i, OneOf(kSelectors), Below(3) == 0 ? OneOf(kHosts) : ""));
    }
    return Did(w.InsertJob(job, runs));
  }

  absl::Status SetState(StoreWriter& w) {
    const JobId id = TestJobId(OldJob());
    BF_ASSIGN_OR_RETURN(const std::optional<JobRecord> job, w.FindJob(id));
    if (!job.has_value()) return absl::OkStatus();
    return Did(w.SetJobState(id, OneOf(kJobStates), Below(2) == 0 ? std::optional(AnyTime()) : std::nullopt));
  }

  absl::Status ChangeRun(StoreWriter& w) {
    BF_ASSIGN_OR_RETURN(std::optional<RunRecord> run, w.FindRun(AnyRun()));
    Note(run);
    if (!run.has_value()) return absl::OkStatus();
    RunLease before = run->lease;
    run->lease.state = OneOf(kRunStates);
    if (Below(3) == 0) {
      BF_ASSIGN_OR_RETURN(run->lease.epoch, w.NextEpoch());
      Note(run->lease.epoch);
    }
    run->lease.owner = {HostName(OneOf(kHosts)), OneOf(kBoots)};
    run->lease.expires_at = Below(5) == 0 ? absl::InfiniteFuture() : AnyTime();
    run->lease.deadline_at = Below(2) == 0 ? absl::InfiniteFuture() : AnyTime();
    run->lease.attempts_spent += Below(2);
    run->lease.cancel_requested = Below(9) == 0;
    run->rounds_done = Below(100);
    run->end_reason = std::string(Below(5), 'x');
    if (Below(6) == 0) ++before.epoch;
    if (Below(9) == 0) before.owner.boot_id = OneOf(kBoots);
    return Did(w.UpdateRun(before, *run));
  }

  absl::Status AddAttempt(StoreWriter& w) {
    BF_ASSIGN_OR_RETURN(const std::optional<RunRecord> run, w.FindRun(AnyRun()));
    if (!run.has_value()) return absl::OkStatus();
    const LeaseEpoch epoch = Below(2) == 0 ? run->lease.epoch : AnyEpoch();
    BF_ASSIGN_OR_RETURN(const std::optional<AttemptRecord> there, w.FindAttempt(run->id, epoch));
    if (there.has_value()) return absl::OkStatus();
    BF_RETURN_IF_ERROR(Did(w.InsertAttempt(TestAttempt(run->id, epoch, OneOf(kHosts)))));
    if (Below(2) == 0) return absl::OkStatus();
    BF_RETURN_IF_ERROR(Did(w.InsertChunk(run->id, epoch, PlanChunk(), 1)));
    BF_RETURN_IF_ERROR(Did(w.InsertFigures(run->id, epoch, TestFigures())));
    return Did(w.EndAttempt(run->id, epoch, AttemptEnd::kSucceeded, "", AnyTime()));
  }

  absl::StatusOr<std::optional<AttemptRecord>> SomeAttempt(StoreWriter& w) {
    for (int tries = 0; tries < 5; ++tries) {
      BF_ASSIGN_OR_RETURN(const std::vector<AttemptRecord> attempts, w.AttemptsOfRun(AnyRun()));
      Note(attempts);
      if (!attempts.empty()) return OneOf(attempts);
    }
    return std::nullopt;
  }

  absl::Status EndSomeAttempt(StoreWriter& w) {
    BF_ASSIGN_OR_RETURN(const std::optional<AttemptRecord> attempt, SomeAttempt(w));
    if (!attempt.has_value() || attempt->end.has_value()) return absl::OkStatus();
    return Did(w.EndAttempt(attempt->run_id, attempt->epoch, AttemptEnd::kHeartbeat, "silent", AnyTime()));
  }

  absl::Status AddChunk(StoreWriter& w) {
    BF_ASSIGN_OR_RETURN(const std::optional<AttemptRecord> attempt, SomeAttempt(w));
    if (!attempt.has_value()) return absl::OkStatus();
    const int index = Below(50) == 0 ? attempt->chunks + 1 : attempt->chunks;
    if (index == 0) return Did(w.InsertChunk(attempt->run_id, attempt->epoch, PlanChunk(), 7));
    const std::vector<Round> rounds = {TestRound(index, Below(4)), TestRound(index + Below(2), Below(4))};
    return Did(w.InsertChunk(attempt->run_id, attempt->epoch, RoundsChunk(index, rounds), random_() & 0xFFFFFFFF));
  }

  absl::Status AddEvent(StoreWriter& w) {
    const JobId id = TestJobId(OldJob());
    BF_ASSIGN_OR_RETURN(const std::optional<JobRecord> job, w.FindJob(id));
    if (!job.has_value()) return absl::OkStatus();
    EventRecord event = TestEvent("event");
    event.host = HostName(OneOf(kHosts));
    if (Below(2) == 0) event.run_state = OneOf(kRunStates);
    const absl::StatusOr<int64_t> number = w.InsertEvent(id, event);
    Note(number);
    return number.status();
  }

  absl::Status AddOrUpdateSession(StoreWriter& w) {
    SessionRecord session = TestSession(absl::StrCat("s", Below(60)), OneOf(kHosts));
    BF_ASSIGN_OR_RETURN(const std::optional<SessionRecord> there, w.FindSession(session.id));
    Note(there);
    if (!there.has_value()) return Did(w.InsertSession(session));
    session.last_seen = AnyTime();
    session.last_sequence = Below(100);
    session.closed = Below(2) == 0;
    return Did(w.UpdateSession(session));
  }

  absl::Status AddRequest(StoreWriter& w) {
    const std::string id = absl::StrCat("r", Below(2000));
    BF_ASSIGN_OR_RETURN(const std::optional<StoreReader::RequestRecord> there, w.FindRequest(id));
    Note(there);
    if (there.has_value() && Below(10) != 0) return absl::OkStatus();
    return Did(w.InsertRequest(id, {"digest", TestJobId(OldJob())}, AnyTime()));
  }

  absl::Status ReadOne(StoreReader& r) {
    switch (Below(14)) {
      case 0: {
        JobQuery query;
        if (Below(2) == 0) query.project = OneOf(kProjects);
        for (int i = Below(3); i > 0; --i) query.states.push_back(OneOf(kJobStates));
        if (Below(2) == 0) query.before = TestJobId(OldJob());
        query.limit = Below(6);
        Note(r.ListJobs(query));
        break;
      }
      case 1:
        Note(r.RunsOfJob(TestJobId(OldJob())));
        break;
      case 2:
        Note(r.LeasesOfHost(HostName(OneOf(kHosts))));
        break;
      case 3:
        Note(r.KernelHasLease(OneOf(kBoots)));
        break;
      case 4:
        Note(r.QueueGroups());
        break;
      case 5:
        Note(r.OldestQueued(Below(12)));
        break;
      case 6:
        Note(r.OverdueRuns(AnyTime(), Below(5)));
        break;
      case 7:
        Note(r.EventsOfJob(TestJobId(OldJob()), Below(3), Below(4)));
        break;
      case 8:
        Note(r.ListHosts(HostName(Below(2) == 0 ? "" : OneOf(kHosts)), Below(4)));
        break;
      case 9:
        Note(r.CountRunsNotEnded());
        Note(r.CountJobsNotEnded());
        break;
      case 10:
        Note(r.OldestQueuedTime());
        break;
      case 11:
        Note(r.NewestSession(HostName(OneOf(kHosts))));
        break;
      case 12:
        Note(r.FiguresOfRun(AnyRun()));
        break;
      default:
        Note(r.ListSamples({.run_id = AnyRun(), .epoch = AnyEpoch(), .after_position = Below(3), .limit = Below(4)}));
    }
    return absl::OkStatus();
  }

  std::mt19937_64 random_;
  int jobs_;
  std::string transcript_;
};

std::string StateOf(JobStore& store, int jobs) {
  std::string text;
  const auto note = [&](const auto& answer) { absl::StrAppend(&text, Text(answer), "\n"); };
  const absl::Status status = store.Read("state", [&](StoreReader& r) -> absl::Status {
    text.clear();
    note(r.ListJobs({.limit = 1'000'000}));
    note(r.QueueGroups());
    note(r.OverdueRuns(absl::InfiniteFuture(), 1'000'000));
    note(r.ListHosts(HostName(), 100));
    note(r.LatestResults());
    for (int i = 0; i <= jobs; ++i) {
      BF_ASSIGN_OR_RETURN(const std::vector<RunRecord> runs, r.RunsOfJob(TestJobId(i)));
      note(runs);
      note(r.EventsOfJob(TestJobId(i), 0, 1000));
      for (const RunRecord& run : runs) {
        BF_ASSIGN_OR_RETURN(const std::vector<AttemptRecord> attempts, r.AttemptsOfRun(run.id));
        note(attempts);
        note(r.FiguresOfRun(run.id));
        for (const AttemptRecord& attempt : attempts) {
          note(r.PlanOfAttempt(run.id, attempt.epoch));
          note(r.RoundsOfAttempt(run.id, attempt.epoch));
          note(r.ListSamples({.run_id = run.id, .epoch = attempt.epoch, .limit = 1000}));
        }
      }
    }
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return text;
}

TEST(JobStoreDifferential, RandomOperationsGiveEqualAnswersAndEqualState) {
  TestFolder folder;
  MemoryJobStore memory;
  const std::unique_ptr<SqliteJobStore> sqlite = OpenStore({.path = folder.database(), .now = absl::UnixEpoch()});
  std::mt19937_64 random(kSeed);
  int jobs = 0;
  int committed = 0;
  for (int done = 0, unit = 0; done < kOperations; ++unit) {
    const uint64_t seed = random();
    const int operations = static_cast<int>(random() % kMaxOperationsInUnit) + 1;
    const auto run = [&](JobStore& store) {
      std::string transcript;
      const absl::Status status = store.Write("random", [&](StoreWriter& writer) {
        RandomUnit work(seed, jobs);
        const absl::Status ended = work.Run(writer, operations);
        transcript = work.transcript();
        return ended;
      });
      committed += status.ok() ? 1 : 0;
      return absl::StrCat(transcript, Text(status));
    };
    ASSERT_EQ(run(memory), run(*sqlite)) << "unit " << unit << " of seed " << kSeed;
    done += operations;
    jobs = std::min(done / 8, 2000);
    if (unit % kUnitsBetweenComparisons == 0) {
      ASSERT_EQ(StateOf(memory, jobs), StateOf(*sqlite, jobs)) << "after unit " << unit;
    }
  }
  const std::string state = StateOf(memory, 2 * jobs);
  EXPECT_EQ(state, StateOf(*sqlite, 2 * jobs));
  // The run was worth something.
  EXPECT_GT(committed, 2000);
  EXPECT_GT(state.size(), 1'000'000u);
}

}  // namespace
}  // namespace benchfleet
