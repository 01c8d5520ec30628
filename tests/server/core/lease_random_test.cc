// Random operations on the coordinator, each predicted by an oracle that keeps the rules
// in the plainest form there is: a struct per run and one `if` per sentence of the table.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "tests/server/core/core_fixture.h"

namespace benchfleet {
namespace {

struct OracleRun {
  std::string state = "queued";
  LeaseEpoch epoch = 0;
  std::string host, boot;
  absl::Time until, deadline;
  int spent = 0;
  bool cancel = false;
  int chunks = 0;  // of the newest attempt
};

struct OracleSession {
  std::string host, boot;
  bool open = true;
};

class Oracle {
 public:
  std::map<RunId, OracleRun> runs;
  std::map<SessionId, OracleSession> sessions;
  LeaseEpoch last_epoch = 0;

  void Create(const RunId& id, absl::Time now) { runs[id].until = now + absl::Hours(24); }

  void Cancel(const RunId& id) {
    OracleRun& run = runs[id];
    if (Ended(run)) return;
    run.cancel = true;
    if (run.state != "running") run.state = "cancelled";
  }

  void Open(const SessionId& id, const std::string& host, const std::string& boot, absl::Time now) {
    for (auto& [other, session] : sessions) {
      if (session.host == host) session.open = false;
    }
    sessions[id] = {host, boot, true};
    for (auto& [run_id, run] : runs) {
      if (Leased(run) && run.host == host && run.boot != boot) Lose(run, now, run.state == "running");
    }
  }

  void Close(const SessionId& id, absl::Time now) {
    sessions[id].open = false;
    for (auto& [run_id, run] : runs) {
      if (Leased(run) && run.host == sessions[id].host) Lose(run, now, /*spends=*/false);
    }
  }

  void Time(absl::Time now) {
    for (auto& [id, run] : runs) Time(run, now);
  }

  // The leases the answer must hold.
  std::vector<std::pair<RunId, LeaseEpoch>> Sync(const SessionId& id, const std::vector<HeldLease>& listed,
                                                 bool wants_work, absl::Time now) {
    std::vector<std::pair<RunId, LeaseEpoch>> answer;
    const OracleSession& session = sessions[id];
    for (auto& [run_id, run] : runs) {
      if (!Leased(run) || run.host != session.host) continue;
      Time(run, now);
      if (!Leased(run)) continue;
      const HeldLease* entry = nullptr;
      for (const HeldLease& held : listed) {
        if (held.run_id == run_id && held.epoch == run.epoch) entry = &held;
      }
      if (entry == nullptr) {
        if (run.state == "running") run.until = std::min(run.until, now + absl::Seconds(10));
      } else if (entry->listing == Listing::kReleased) {
        Lose(run, now, /*spends=*/false);
        continue;
      } else if (run.state == "offered") {
        run.state = "running";
        run.until = now + absl::Seconds(90);
        run.deadline = now + absl::Hours(1);
        run.chunks = 0;
      } else if (now + absl::Seconds(90) - run.until >= absl::Seconds(90) / 8) {
        run.until = now + absl::Seconds(90);
      }
      answer.emplace_back(run_id, run.epoch);
    }
    if (wants_work && answer.empty() && !KernelBusy(session.boot)) {
      for (auto& [run_id, run] : runs) {  // ordered by id, so by age
        if (run.state != "queued") continue;
        run.state = "offered";
        run.epoch = ++last_epoch;
        run.host = session.host;
        run.boot = session.boot;
        run.until = now + absl::Seconds(10);
        answer.emplace_back(run_id, run.epoch);
        break;
      }
    }
    return answer;
  }

  bool Holds(const SessionId& id, const RunId& run_id, LeaseEpoch epoch) {
    const OracleRun& run = runs[run_id];
    return run.state == "running" && run.epoch == epoch && run.host == sessions[id].host &&
           run.boot == sessions[id].boot;
  }

  void Complete(const RunId& id, AttemptEnd end, absl::Time now) {
    OracleRun& run = runs[id];
    if (end == AttemptEnd::kCrashed) return Lose(run, now, /*spends=*/true);
    if (end == AttemptEnd::kSucceeded && run.chunks < 3) end = AttemptEnd::kFailed;  // no round but warm-up
    run.state = std::string(Word(end));
  }

  static bool Ended(const OracleRun& run) {
    return run.state != "queued" && run.state != "offered" && run.state != "running";
  }
  static bool Leased(const OracleRun& run) { return run.state == "offered" || run.state == "running"; }

 private:
  bool KernelBusy(const std::string& boot) const {
    for (const auto& [id, run] : runs) {
      if (Leased(run) && run.boot == boot) return true;
    }
    return false;
  }

  static void Lose(OracleRun& run, absl::Time now, bool spends) {
    if (spends) ++run.spent;
    run.state = run.cancel ? "cancelled" : run.spent >= 3 ? "quarantined" : "queued";
    run.until = now + absl::Hours(24);
  }

  static void Time(OracleRun& run, absl::Time now) {
    if (run.state == "queued" && now >= run.until) run.state = "expired";
    if (run.state == "offered" && now >= run.until) Lose(run, now, false);
    if (run.state == "running" && (now >= run.until || now >= run.deadline)) Lose(run, now, true);
  }
};

class RandomWorld {
 public:
  explicit RandomWorld(uint32_t seed) : random_(seed) {}

  void Step() {
    switch (Pick(14)) {
      case 0:
        return Create();
      case 1:
        return Cancel();
      case 2:
        return OpenSession();
      case 3:
        return Pick(4) == 0 ? CloseSession() : PutChunk();
      case 4:
        return Advance();
      case 5:
        return Complete();
      case 7:
      case 8:
      case 9:
        return PutChunk();
      default:
        return Sync();
    }
  }

  void Check() {
    for (const auto& [id, expected] : oracle_.runs) {
      const RunRecord run = core_.Run(id);
      ASSERT_EQ(Word(run.lease.state), expected.state) << id;
      ASSERT_EQ(run.lease.epoch, expected.epoch) << id;
      ASSERT_EQ(run.lease.attempts_spent, expected.spent) << id;
      ASSERT_LE(run.lease.attempts_spent, 3) << "P5";
      ASSERT_GE(run.lease.epoch, epochs_[id]) << "P4: the epoch never falls";
      epochs_[id] = run.lease.epoch;
      if (ended_.count(id) > 0) {
        ASSERT_EQ(ended_[id], run.lease.state) << "P1: an end never changes";
      }
      if (IsTerminal(run.lease.state)) ended_[id] = run.lease.state;
      if (expected.cancel) {
        ASSERT_NE(run.lease.state, RunState::kQueued) << "P9: a cancelled run is not queued again";
      }
    }
  }

  // How often each state was reached: a run that explores nothing proves nothing.
  std::map<std::string, int> Reached() const {
    std::map<std::string, int> reached;
    for (const auto& [id, run] : oracle_.runs) ++reached[run.state];
    return reached;
  }
  int stale() const { return stale_; }

 private:
  int Pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  template <typename Map>
  typename Map::key_type AnyKey(const Map& map) {
    return std::next(map.begin(), Pick(static_cast<int>(map.size())))->first;
  }

  void Create() {
    core_.clock.Advance(absl::Milliseconds(1));  // run ids then sort by age
    const JobId job = core_.Create();
    oracle_.Create(RunId(job.value() + "/0"), core_.clock.Now());
  }

  void Cancel() {
    if (oracle_.runs.empty() || Pick(3) != 0) return;
    const RunId id = AnyKey(oracle_.runs);
    ASSERT_TRUE(core_.coordinator.CancelJob(core_.Run(id).job_id).ok());
    oracle_.Cancel(id);
  }

  void OpenSession() {
    const std::string host = std::string(1, static_cast<char>('a' + Pick(3)));
    if (Pick(3) == 0) ++boots_[host];
    // Hosts b and c are containers on one kernel.
    const std::string kernel = host == "a" ? "a" : "bc";
    const std::string boot = kernel + std::to_string(kernel == "a" ? boots_["a"] : boots_["b"] + boots_["c"]);
    const SessionId id = core_.Open(host, boot);
    oracle_.Open(id, host, boot, core_.clock.Now());
    current_[host] = id;
  }

  void CloseSession() {
    if (current_.empty()) return;
    const std::string host = AnyKey(current_);
    const SessionId id = current_[host];
    ASSERT_TRUE(core_.coordinator.CloseSession(id).ok());
    oracle_.Close(id, core_.clock.Now());
    current_.erase(host);
  }

  void Advance() {
    static constexpr absl::Duration kSteps[] = {absl::Milliseconds(1), absl::Seconds(1),  absl::Seconds(9),
                                                absl::Seconds(10),     absl::Seconds(89), absl::Seconds(90),
                                                absl::Minutes(50)};
    core_.clock.Advance(Pick(60) == 0 ? absl::Hours(24) : kSteps[Pick(7)]);
    if (Pick(2) == 0) return;  // the sweep may be late
    ASSERT_TRUE(core_.coordinator.Sweep().ok());
    oracle_.Time(core_.clock.Now());
  }

  void Sync() {
    if (current_.empty()) return;
    const std::string host = AnyKey(current_);
    const SessionId id = current_[host];
    std::vector<HeldLease> listed;
    for (const auto& [run_id, run] : oracle_.runs) {
      if (run.host != host || Pick(8) == 0) continue;
      const Listing listing = Pick(10) == 0 ? Listing::kReleased : Pick(4) == 0 ? Listing::kCancelling : Listing::kHeld;
      // Sometimes an older epoch, as a worker that fell behind would.
      listed.push_back({run_id, run.epoch - (Pick(12) == 0 ? 1 : 0), listing, ""});
      if (listed.size() == 8) break;
    }
    const bool wants_work = Pick(4) != 0;
    const auto expected = oracle_.Sync(id, listed, wants_work, core_.clock.Now());
    const auto answer = core_.Sync(id, listed, wants_work);
    ASSERT_TRUE(answer.ok()) << answer.status();
    std::vector<std::pair<RunId, LeaseEpoch>> got;
    for (const GrantedLease& lease : answer->leases) got.emplace_back(lease.run_id, lease.epoch);
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got, expected);
  }

  // The current epoch, or sometimes one that has passed on.
  LeaseEpoch AnyEpoch(const OracleRun& run) {
    return Pick(4) == 0 ? std::max<LeaseEpoch>(run.epoch - 1, 1) : run.epoch;
  }

  // A session and a run, half the time one that the session's host runs.
  std::pair<SessionId, RunId> AnyPair() {
    const std::string host = AnyKey(current_);
    if (Pick(2) == 0) {
      for (const auto& [run_id, run] : oracle_.runs) {
        if (run.state == "running" && run.host == host) return {current_[host], run_id};
      }
    }
    return {current_[host], AnyKey(oracle_.runs)};
  }

  void PutChunk() {
    if (current_.empty() || oracle_.runs.empty()) return;
    const auto [id, run_id] = AnyPair();
    OracleRun& run = oracle_.runs[run_id];
    const LeaseEpoch epoch = AnyEpoch(run);
    // A chunk that no attempt of this run has yet: repeated ones have their own test.
    const int index = epoch == run.epoch ? run.chunks : 1000;
    const bool holds = oracle_.Holds(id, run_id, epoch);
    const auto stored = core_.coordinator.PutChunk(id, run_id, epoch, SmallChunk(index));
    ASSERT_EQ(stored.ok(), holds) << stored.status();
    if (holds) ++run.chunks;
    if (!holds) {
      ASSERT_EQ(ErrorReason(stored.status()), "STALE_LEASE");
      ++stale_;
    }
  }

  void Complete() {
    if (current_.empty() || oracle_.runs.empty()) return;
    const auto [id, run_id] = AnyPair();
    const OracleRun& run = oracle_.runs[run_id];
    static constexpr AttemptEnd kEnds[] = {AttemptEnd::kSucceeded, AttemptEnd::kFailed, AttemptEnd::kCrashed,
                                           AttemptEnd::kCancelled};
    const AttemptEnd end = kEnds[Pick(4)];
    const LeaseEpoch epoch = AnyEpoch(run);
    const bool holds = oracle_.Holds(id, run_id, epoch);
    if (!holds && reported_.count({run_id, epoch}) > 0) return;  // a repetition, which has its own test
    GrantedLease lease;
    lease.run_id = run_id;
    lease.epoch = epoch;
    const auto state = core_.Complete(id, lease, end, run.chunks);
    ASSERT_EQ(state.ok(), holds) << state.status();
    if (!holds) {
      ASSERT_EQ(ErrorReason(state.status()), "STALE_LEASE");
      ++stale_;
      return;
    }
    reported_.insert({run_id, epoch});
    oracle_.Complete(run_id, end, core_.clock.Now());
  }

  std::mt19937 random_;
  Core core_;
  Oracle oracle_;
  std::map<std::string, SessionId> current_;
  std::map<std::string, int> boots_;
  std::map<RunId, LeaseEpoch> epochs_;
  std::map<RunId, RunState> ended_;
  std::set<std::pair<RunId, LeaseEpoch>> reported_;
  int stale_ = 0;
};

TEST(LeaseRandom, TheCoordinatorAndTheOracleAgree) {
  std::map<std::string, int> reached;
  int stale = 0;
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomWorld world(seed);
    for (int step = 0; step < 400; ++step) {
      SCOPED_TRACE(::testing::Message() << "step " << step);
      world.Step();
      if (HasFatalFailure()) return;
      world.Check();
      if (HasFatalFailure()) return;
    }
    for (const auto& [state, count] : world.Reached()) reached[state] += count;
    stale += world.stale();
  }
  for (const char* state : {"queued", "running", "succeeded", "failed", "cancelled", "expired", "quarantined"}) {
    EXPECT_GT(reached[state], 0) << state;
  }
  EXPECT_GT(stale, 100) << "stale leases must have been tried";
}

}  // namespace
}  // namespace benchfleet
