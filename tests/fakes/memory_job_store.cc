#include "tests/fakes/memory_job_store.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

bool IsLive(RunState state) { return state == RunState::kOffered || state == RunState::kRunning; }

size_t AtMost(int limit) { return limit > 0 ? static_cast<size_t>(limit) : 0; }

template <typename T>
void Truncate(std::vector<T>& list, int limit) {
  if (list.size() > AtMost(limit)) list.resize(AtMost(limit));
}

absl::Time Due(const RunLease& lease) { return std::min(lease.expires_at, lease.deadline_at); }

bool Wanted(const SampleQuery& query, const SampleRecord& record) {
  return record.position > query.after_position &&
         (query.case_path.empty() || record.sample.arm.case_path == query.case_path) &&
         (query.variant.empty() || record.sample.arm.variant == query.variant);
}

}  // namespace

// One unit of work. Before an entry is touched its old value is noted, so that the unit
// can be undone.
class MemoryTransaction final : public StoreWriter {
 public:
  using State = MemoryJobStore::State;
  explicit MemoryTransaction(State& state) : state_(state) {}

  void Undo() {
    for (auto step = undo_.rbegin(); step != undo_.rend(); ++step) (*step)();
    undo_.clear();
  }
  // The first operation that failed for another reason than a lost race.
  const absl::Status& failure() const { return failure_; }

  absl::StatusOr<std::optional<JobRecord>> FindJob(const JobId& id) override { return Copy(state_.jobs, id); }

  absl::StatusOr<std::vector<JobRecord>> ListJobs(const JobQuery& query) override {
    std::vector<JobRecord> found;
    for (auto it = state_.jobs.rbegin(); it != state_.jobs.rend() && found.size() < AtMost(query.limit); ++it) {
      const JobRecord& job = it->second;
      if (!query.before.empty() && !(job.id < query.before)) continue;
      if (!query.project.empty() && job.spec.project != query.project) continue;
      if (!query.states.empty() && std::count(query.states.begin(), query.states.end(), job.state) == 0) continue;
      found.push_back(job);
    }
    return found;
  }

  absl::StatusOr<std::vector<RunRecord>> RunsOfJob(const JobId& id) override {
    std::vector<RunRecord> runs = RunsWhere([&](const RunRecord& run) { return run.job_id == id; });
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    return runs;
  }

  absl::StatusOr<std::optional<RunRecord>> FindRun(const RunId& id) override {
    const auto it = state_.runs.find(id);
    if (it == state_.runs.end()) return std::nullopt;
    return it->second.record;
  }

  absl::StatusOr<std::vector<AttemptRecord>> AttemptsOfRun(const RunId& id) override {
    std::vector<AttemptRecord> attempts;
    for (const auto& [key, attempt] : state_.attempts) {
      if (key.first == id) attempts.push_back(attempt.record);
    }
    return attempts;
  }

  absl::StatusOr<std::optional<AttemptRecord>> FindAttempt(const RunId& id, LeaseEpoch epoch) override {
    const auto* attempt = AttemptAt(id, epoch);
    if (attempt == nullptr) return std::nullopt;
    return attempt->record;
  }

  absl::StatusOr<std::optional<uint32_t>> ChunkCrc(const RunId& id, LeaseEpoch epoch, int index) override {
    const auto* attempt = AttemptAt(id, epoch);
    if (attempt == nullptr || index < 0 || static_cast<size_t>(index) >= attempt->crcs.size()) return std::nullopt;
    return attempt->crcs[index];
  }

  absl::StatusOr<std::optional<RunPlan>> PlanOfAttempt(const RunId& id, LeaseEpoch epoch) override {
    const auto* attempt = AttemptAt(id, epoch);
    if (attempt == nullptr) return std::nullopt;
    return attempt->plan;
  }

  absl::StatusOr<std::vector<Round>> RoundsOfAttempt(const RunId& id, LeaseEpoch epoch) override {
    const auto* attempt = AttemptAt(id, epoch);
    if (attempt == nullptr) return std::vector<Round>();
    return attempt->rounds;
  }

  absl::StatusOr<std::vector<SampleRecord>> ListSamples(const SampleQuery& query) override {
    std::vector<SampleRecord> found;
    if (const auto* attempt = AttemptAt(query.run_id, query.epoch)) {
      for (const SampleRecord& record : attempt->samples) {
        if (Wanted(query, record)) found.push_back(record);
      }
    }
    Truncate(found, query.limit);
    return found;
  }

  absl::StatusOr<std::optional<RunFigures>> FiguresOfRun(const RunId& id) override {
    std::optional<RunFigures> newest;
    for (const auto& [key, attempt] : state_.attempts) {
      if (key.first == id && attempt.figures.has_value()) newest = attempt.figures;
    }
    return newest;
  }

  absl::StatusOr<std::vector<EventRecord>> EventsOfJob(const JobId& id, int64_t from_number, int limit) override {
    std::vector<EventRecord> found;
    if (const auto it = state_.events.find(id); it != state_.events.end()) {
      for (const EventRecord& event : it->second) {
        if (event.number >= from_number) found.push_back(event);
      }
    }
    Truncate(found, limit);
    return found;
  }

  absl::StatusOr<std::optional<SessionRecord>> FindSession(const SessionId& id) override {
    const auto it = state_.sessions.find(id);
    if (it == state_.sessions.end()) return std::nullopt;
    return it->second.record;
  }

  absl::StatusOr<std::vector<SessionRecord>> ListHosts(const HostName& after, int limit) override {
    std::vector<SessionRecord> found;
    for (const auto& [host, session] : NewestSessions()) {
      if (after < host) found.push_back(session->record);
    }
    Truncate(found, limit);
    return found;
  }

  absl::StatusOr<std::optional<SessionRecord>> NewestSession(const HostName& host) override {
    const auto newest = NewestSessions();
    const auto it = newest.find(host);
    if (it == newest.end()) return std::nullopt;
    return it->second->record;
  }

  absl::StatusOr<std::vector<RunRecord>> LeasesOfHost(const HostName& host) override {
    return RunsWhere([&](const RunRecord& run) { return IsLive(run.lease.state) && run.lease.owner.host == host; });
  }

  absl::StatusOr<bool> KernelHasLease(const std::string& boot_id) override {
    return !RunsWhere([&](const RunRecord& run) {
              return IsLive(run.lease.state) && run.lease.owner.boot_id == boot_id;
            }).empty();
  }

  absl::StatusOr<std::vector<QueueGroup>> QueueGroups() override {
    std::set<int64_t> waiting;
    for (const auto& [id, run] : state_.runs) {
      if (run.record.lease.state == RunState::kQueued) waiting.insert(run.group_id);
    }
    std::vector<QueueGroup> groups;
    for (int64_t id : waiting) groups.push_back(state_.groups.at(id));
    return groups;
  }

  absl::StatusOr<std::optional<RunRecord>> OldestQueued(int64_t group_id) override {
    const MemoryJobStore::Run* oldest = nullptr;
    const auto age = [](const MemoryJobStore::Run& run) {
      return std::tuple(run.age, run.record.job_id, run.record.index);
    };
    for (const auto& [id, run] : state_.runs) {
      if (run.group_id != group_id || run.record.lease.state != RunState::kQueued) continue;
      if (oldest == nullptr || age(run) < age(*oldest)) oldest = &run;
    }
    if (oldest == nullptr) return std::nullopt;
    return oldest->record;
  }

  absl::StatusOr<std::vector<RunRecord>> OverdueRuns(absl::Time now, int limit) override {
    std::vector<RunRecord> found =
        RunsWhere([&](const RunRecord& run) { return !IsTerminal(run.lease.state) && Due(run.lease) <= now; });
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return Due(a.lease) < Due(b.lease); });
    Truncate(found, limit);
    return found;
  }

  absl::StatusOr<std::optional<RequestRecord>> FindRequest(const std::string& request_id) override {
    return Copy(state_.requests, request_id);
  }

  absl::StatusOr<std::vector<ResultRecord>> LatestResults() override {
    std::map<std::tuple<std::string, std::string, std::string>, std::map<LeaseEpoch, const RunRecord*>> succeeded;
    for (const auto& [id, run] : state_.runs) {
      if (run.record.lease.state != RunState::kSucceeded) continue;
      const JobSpec& spec = state_.jobs.at(run.record.job_id).spec;
      succeeded[{spec.project, run.record.lease.owner.host.value(), std::string(SuiteName(spec))}]
               [run.record.lease.epoch] = &run.record;
    }
    std::vector<ResultRecord> results;
    for (const auto& [key, runs] : succeeded) {
      const RunRecord& run = *runs.rbegin()->second;
      const auto* attempt = AttemptAt(run.id, run.lease.epoch);
      if (attempt == nullptr || !attempt->plan || !attempt->figures || !attempt->record.end_time) continue;
      const auto* first = AttemptAt(runs.begin()->second->id, runs.begin()->first);
      ResultRecord result;
      result.job = state_.jobs.at(run.job_id);
      result.run = run;
      result.host = run.lease.owner.host;
      result.end_time = *attempt->record.end_time;
      result.first_end_time = first == nullptr ? result.end_time : first->record.end_time.value_or(result.end_time);
      result.plan = *attempt->plan;
      result.figures = *attempt->figures;
      results.push_back(std::move(result));
    }
    return results;
  }

  absl::StatusOr<std::map<JobState, int64_t>> CountJobsNotEnded() override {
    std::map<JobState, int64_t> counts = {{JobState::kQueued, 0}, {JobState::kRunning, 0}};
    for (const auto& [id, job] : state_.jobs) {
      if (!IsTerminal(job.state)) ++counts[job.state];
    }
    return counts;
  }

  absl::StatusOr<std::map<RunState, int64_t>> CountRunsNotEnded() override {
    std::map<RunState, int64_t> counts = {{RunState::kQueued, 0}, {RunState::kOffered, 0}, {RunState::kRunning, 0}};
    for (const auto& [id, run] : state_.runs) {
      if (!IsTerminal(run.record.lease.state)) ++counts[run.record.lease.state];
    }
    return counts;
  }

  absl::StatusOr<std::optional<absl::Time>> OldestQueuedTime() override {
    std::optional<absl::Time> oldest;
    for (const auto& [id, run] : state_.runs) {
      if (run.record.lease.state != RunState::kQueued) continue;
      oldest = std::min(oldest.value_or(run.age), run.age);
    }
    return oldest;
  }

  absl::Status InsertJob(const JobRecord& job, const std::vector<RunRecord>& runs) override {
    if (state_.jobs.count(job.id) > 0) return Fail("job", job.id.value(), "exists");
    Note(state_.jobs, job.id);
    state_.jobs[job.id] = job;
    for (const RunRecord& run : runs) {
      if (state_.runs.count(run.id) > 0) return Fail("run", run.id.value(), "exists");
      Note(state_.runs, run.id);
      state_.runs[run.id] = {run, GroupOf(run), job.create_time};
    }
    return absl::OkStatus();
  }

  absl::Status SetJobState(const JobId& id, JobState state, std::optional<absl::Time> end_time) override {
    if (state_.jobs.count(id) == 0) return Fail("job", id.value(), "is unknown");
    Note(state_.jobs, id);
    state_.jobs[id].state = state;
    state_.jobs[id].end_time = end_time;
    return absl::OkStatus();
  }

  absl::Status InsertRequest(const std::string& request_id, const RequestRecord& request, absl::Time) override {
    if (state_.requests.count(request_id) > 0) return Fail("request", request_id, "exists");
    if (state_.jobs.count(request.job_id) == 0) return Fail("job", request.job_id.value(), "is unknown");
    Note(state_.requests, request_id);
    state_.requests[request_id] = request;
    return absl::OkStatus();
  }

  absl::Status UpdateRun(const RunLease& before, const RunRecord& run) override {
    const auto it = state_.runs.find(run.id);
    if (it == state_.runs.end() || it->second.record.lease.state != before.state ||
        it->second.record.lease.epoch != before.epoch || !(it->second.record.lease.owner == before.owner)) {
      return absl::AbortedError(absl::StrCat("run ", run.id.value(), " is not as it was read"));
    }
    Note(state_.runs, run.id);
    RunRecord& stored = it->second.record;
    stored.lease = run.lease;
    stored.rounds_done = run.rounds_done;
    stored.rounds_planned = run.rounds_planned;
    stored.end_reason = run.end_reason;
    return absl::OkStatus();
  }

  absl::StatusOr<LeaseEpoch> NextEpoch() override {
    undo_.push_back([this, last = state_.last_epoch] { state_.last_epoch = last; });
    return ++state_.last_epoch;
  }

  absl::Status InsertAttempt(const AttemptRecord& attempt) override {
    const MemoryJobStore::AttemptKey key(attempt.run_id, attempt.epoch);
    if (state_.runs.count(attempt.run_id) == 0) return Fail("run", attempt.run_id.value(), "is unknown");
    if (state_.attempts.count(key) > 0) return Fail("attempt", attempt.run_id.value(), "exists");
    Note(state_.attempts, key);
    state_.attempts[key].record = attempt;
    return absl::OkStatus();
  }

  absl::Status EndAttempt(const RunId& id, LeaseEpoch epoch, AttemptEnd end, const std::string& detail,
                          absl::Time now) override {
    const auto* attempt = AttemptAt(id, epoch);
    if (attempt == nullptr || attempt->record.end.has_value()) return Fail("attempt", id.value(), "is not open");
    AttemptRecord& record = Change(id, epoch).record;
    record.end = end;
    record.detail = detail;
    record.end_time = now;
    return absl::OkStatus();
  }

  absl::Status InsertChunk(const RunId& id, LeaseEpoch epoch, const Chunk& chunk, uint32_t chunks_crc32c) override {
    const auto* found = AttemptAt(id, epoch);
    if (found == nullptr || found->record.chunks != chunk.index) return Fail("attempt", id.value(), "has other chunks");
    MemoryJobStore::Attempt& attempt = Change(id, epoch);
    ++attempt.record.chunks;
    attempt.record.chunks_crc32c = chunks_crc32c;
    attempt.crcs.push_back(chunk.crc32c);
    if (const RunPlan* plan = std::get_if<RunPlan>(&chunk.content)) {
      attempt.plan = *plan;
      return absl::OkStatus();
    }
    for (const Round& round : std::get<std::vector<Round>>(chunk.content)) {
      attempt.rounds.push_back(round);
      for (const Sample& sample : round.samples) {
        const int64_t position = static_cast<int64_t>(attempt.samples.size());
        attempt.samples.push_back({position, epoch, round.index, round.warmup, sample});
      }
    }
    return absl::OkStatus();
  }

  absl::Status InsertLateResult(const RunId&, LeaseEpoch, const HostName&, const std::string& payload,
                                absl::Time) override {
    const int64_t number = static_cast<int64_t>(state_.late_results.size());
    Note(state_.late_results, number);
    state_.late_results[number] = payload;
    return absl::OkStatus();
  }

  absl::Status InsertFigures(const RunId& id, LeaseEpoch epoch, const RunFigures& figures) override {
    const auto* attempt = AttemptAt(id, epoch);
    if (attempt == nullptr || attempt->figures.has_value()) return Fail("attempt", id.value(), "takes no figures");
    Change(id, epoch).figures = figures;
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> InsertEvent(const JobId& id, const EventRecord& event) override {
    if (state_.jobs.count(id) == 0) return Fail("job", id.value(), "is unknown");
    Note(state_.events, id);
    std::vector<EventRecord>& events = state_.events[id];
    events.push_back(event);
    events.back().number = static_cast<int64_t>(events.size());
    return events.back().number;
  }

  absl::Status InsertSession(const SessionRecord& session) override {
    if (state_.sessions.count(session.id) > 0) return Fail("session", session.id.value(), "exists");
    Note(state_.sessions, session.id);
    state_.sessions[session.id] = {session, static_cast<int64_t>(state_.sessions.size())};
    return absl::OkStatus();
  }

  absl::Status UpdateSession(const SessionRecord& session) override {
    const auto it = state_.sessions.find(session.id);
    if (it == state_.sessions.end()) return Fail("session", session.id.value(), "is unknown");
    Note(state_.sessions, session.id);
    SessionRecord& stored = it->second.record;
    stored.last_seen = session.last_seen;
    stored.last_sequence = session.last_sequence;
    stored.wants_work = session.wants_work;
    stored.idle_reason = session.idle_reason;
    stored.closed = session.closed;
    return absl::OkStatus();
  }

  absl::Status ExtendLeases(absl::Time not_before) override {
    for (auto& [id, run] : state_.runs) {
      RunLease& lease = run.record.lease;
      if (IsTerminal(lease.state) || Due(lease) >= not_before) continue;
      Note(state_.runs, id);
      lease.expires_at = std::max(lease.expires_at, not_before);
      lease.deadline_at = std::max(lease.deadline_at, not_before);
    }
    return absl::OkStatus();
  }

 private:
  template <typename Map>
  static absl::StatusOr<std::optional<typename Map::mapped_type>> Copy(const Map& map,
                                                                       const typename Map::key_type& key) {
    const auto it = map.find(key);
    if (it == map.end()) return std::nullopt;
    return it->second;
  }

  // Notes how `map` is at `key`, for Undo().
  template <typename Map>
  void Note(Map& map, const typename Map::key_type& key) {
    std::optional<typename Map::mapped_type> old;
    if (const auto it = map.find(key); it != map.end()) old = it->second;
    undo_.push_back([&map, key, old = std::move(old)] {
      if (old.has_value()) {
        map[key] = *old;
      } else {
        map.erase(key);
      }
    });
  }

  absl::Status Fail(absl::string_view what, const std::string& id, absl::string_view why) {
    const absl::Status status = absl::InternalError(absl::StrCat(what, " ", id, " ", why));
    failure_.Update(status);
    return status;
  }

  template <typename Predicate>
  std::vector<RunRecord> RunsWhere(Predicate predicate) const {
    std::vector<RunRecord> runs;
    for (const auto& [id, run] : state_.runs) {
      if (predicate(run.record)) runs.push_back(run.record);
    }
    return runs;
  }

  const MemoryJobStore::Attempt* AttemptAt(const RunId& id, LeaseEpoch epoch) const {
    const auto it = state_.attempts.find({id, epoch});
    return it == state_.attempts.end() ? nullptr : &it->second;
  }
  MemoryJobStore::Attempt& Change(const RunId& id, LeaseEpoch epoch) {
    const MemoryJobStore::AttemptKey key(id, epoch);
    Note(state_.attempts, key);
    return state_.attempts[key];
  }

  std::map<HostName, const MemoryJobStore::Session*> NewestSessions() const {
    std::map<HostName, const MemoryJobStore::Session*> newest;
    for (const auto& [id, session] : state_.sessions) {
      const MemoryJobStore::Session*& best = newest[session.record.host];
      if (best == nullptr || best->number < session.number) best = &session;
    }
    return newest;
  }

  int64_t GroupOf(const RunRecord& run) {
    for (const auto& [id, group] : state_.groups) {
      if (group.selector == run.selector && group.bound_host == run.bound_host) return id;
    }
    const int64_t id = static_cast<int64_t>(state_.groups.size()) + 1;
    Note(state_.groups, id);
    state_.groups[id] = {id, run.selector, run.bound_host};
    return id;
  }

  State& state_;
  absl::Status failure_;
  std::vector<std::function<void()>> undo_;
};

absl::Status MemoryJobStore::Write(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work) {
  const absl::Status status = DoWrite(operation, work);
  RunHook(operation);
  return status;
}

absl::Status MemoryJobStore::Read(absl::string_view operation, absl::FunctionRef<absl::Status(StoreReader&)> work) {
  const absl::Status status = DoRead(work);
  RunHook(operation);
  return status;
}

void MemoryJobStore::AfterNext(std::string operation, std::function<void()> hook) {
  MutexLock lock(mutex_);
  hook_operation_ = std::move(operation);
  hook_ = std::move(hook);
}

void MemoryJobStore::RunHook(absl::string_view operation) {
  std::function<void()> hook;
  {
    MutexLock lock(mutex_);
    if (hook_operation_ == operation) hook.swap(hook_);
  }
  if (hook) hook();
}

absl::Status MemoryJobStore::DoWrite(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work) {
  MutexLock lock(mutex_);
  MemoryTransaction transaction(state_);
  absl::Status status = work(transaction);
  if (status.ok()) status = transaction.failure();
  if (failures_ > 0) {
    --failures_;
    status = absl::UnavailableError(absl::StrCat(operation, ": told to fail"));
  }
  if (status.ok()) {
    ++writes_;
  } else {
    transaction.Undo();
  }
  return status;
}

absl::Status MemoryJobStore::DoRead(absl::FunctionRef<absl::Status(StoreReader&)> work) {
  MutexLock lock(mutex_);
  MemoryTransaction transaction(state_);
  return work(transaction);
}

void MemoryJobStore::FailNextWrites(int count) {
  MutexLock lock(mutex_);
  failures_ = count;
}

int64_t MemoryJobStore::writes() const {
  MutexLock lock(mutex_);
  return writes_;
}

std::vector<std::string> MemoryJobStore::late_results() const {
  MutexLock lock(mutex_);
  std::vector<std::string> payloads;
  for (const auto& [number, payload] : state_.late_results) payloads.push_back(payload);
  return payloads;
}

}  // namespace benchfleet
