#include "server/core/coordinator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/model/worker_name.h"
#include "common/os/digest.h"
#include "server/core/coordinator_work.h"
#include "server/core/job_views.h"

namespace benchfleet {
namespace {

constexpr int kSweepPage = 100;

// What the job asks of a host and what its suite needs of one.
absl::StatusOr<Selector> NeededHost(const JobSpec& spec) {
  const std::string& asked = spec.host_selector.canonical();
  const std::string suite = SuiteLabel(SuiteName(spec));
  absl::StatusOr<Selector> needed = Selector::Parse(absl::StrCat(asked, asked.empty() ? "" : ",", suite));
  if (needed.ok()) return needed;
  return ErrorWithReason(
      absl::StatusCode::kInvalidArgument, "INVALID_FIELD",
      absl::StrCat("spec.host_selector: leaves no room for '", suite, "': ", needed.status().message()));
}

RunRecord NewRun(const JobRecord& job, int index, Selector selector, HostName bound_host, absl::Time now) {
  RunRecord run;
  run.id = RunId(absl::StrCat(job.id.value(), "/", index));
  run.job_id = job.id;
  run.index = index;
  run.selector = std::move(selector);
  run.bound_host = std::move(bound_host);
  run.lease.queue_timeout = job.spec.queue_timeout;
  run.lease.expires_at = now + job.spec.queue_timeout;
  return run;
}

// The hosts known to match now, by name.
absl::StatusOr<std::vector<HostName>> KnownHosts(StoreReader& store, const Selector& selector, absl::Time now,
                                                 const CoordinatorOptions& options) {
  std::vector<HostName> hosts;
  BF_RETURN_IF_ERROR(ForEachHost(store, [&](const SessionRecord& session) {
    const bool known = !session.closed && now - session.last_seen < options.known_host_window;
    if (known && selector.Matches(session.labels)) hosts.push_back(session.host);
    return absl::OkStatus();
  }));
  return hosts;
}

absl::Status NoMatchingWorker(const Selector& selector) {
  return ErrorWithReason(
      absl::StatusCode::kFailedPrecondition, "NO_MATCHING_WORKER",
      absl::StrCat("spec.host_selector: fan_out all is taken when the job is created, and no known worker matches '",
                   selector.canonical(), "'"));
}

absl::Status ChunkError(absl::string_view reason, std::string message) {
  return ErrorWithReason(absl::StatusCode::kFailedPrecondition, reason, message);
}

// Whether an attempt ended by its worker's word, so that hearing it again is no surprise.
bool EndedByReport(const AttemptRecord& attempt) {
  return attempt.end == AttemptEnd::kSucceeded || attempt.end == AttemptEnd::kFailed ||
         attempt.end == AttemptEnd::kCrashed || attempt.end == AttemptEnd::kCancelled;
}

// Whether a completion says what was stored. A success may have been judged a failure.
bool IsSameReport(const AttemptRecord& attempt, const Completion& completion) {
  const bool same_end =
      attempt.end == completion.end || (attempt.end == AttemptEnd::kFailed && completion.end == AttemptEnd::kSucceeded);
  return same_end && attempt.chunks == completion.chunk_count && attempt.chunks_crc32c == completion.chunks_crc32c;
}

}  // namespace

Coordinator::Coordinator(JobStore& store, const Clock& clock, NoticeBoard& board, CoordinatorObserver& observer,
                         CoordinatorOptions options)
    : store_(store), clock_(clock), board_(board), observer_(observer), options_(std::move(options)) {}

absl::Status Coordinator::Write(absl::string_view operation, absl::FunctionRef<absl::Status(Work&)> body) {
  std::optional<Work> work;
  BF_RETURN_IF_ERROR(store_.Write(operation, [&](StoreWriter& store) {
    work.emplace(store, clock_.Now(), options_);  // afresh for every try
    return body(*work);
  }));
  for (const auto& count : work->counts()) count(observer_);
  board_.Deliver(work->notices());
  return absl::OkStatus();
}

absl::Status Coordinator::Recover() {
  return Write("recover", [&](Work& work) { return work.store().ExtendLeases(work.now() + options_.lease.ttl); });
}

absl::Status Coordinator::Sweep() {
  while (true) {
    size_t found = 0;
    BF_RETURN_IF_ERROR(Write("sweep", [&](Work& work) -> absl::Status {
      BF_ASSIGN_OR_RETURN(std::vector<RunRecord> overdue, work.store().OverdueRuns(work.now(), kSweepPage));
      found = overdue.size();
      for (RunRecord& run : overdue) {
        BF_RETURN_IF_ERROR(work.Apply(run, OnTime(run.lease, work.now(), options_.lease)));
      }
      return absl::OkStatus();
    }));
    if (found < static_cast<size_t>(kSweepPage)) return absl::OkStatus();
  }
}

absl::StatusOr<JobId> Coordinator::CreateJob(const JobSpec& spec, const std::string& request_id,
                                             const std::string& digest) {
  JobId id;
  BF_RETURN_IF_ERROR(Write("create_job", [&](Work& work) -> absl::Status {
    StoreWriter& store = work.store();
    if (!request_id.empty()) {
      BF_ASSIGN_OR_RETURN(const auto earlier, store.FindRequest(request_id));
      if (earlier.has_value()) {
        if (earlier->digest != digest) {
          return ErrorWithReason(absl::StatusCode::kInvalidArgument, "REQUEST_ID_REUSED",
                                 absl::StrCat("request_id: '", request_id, "' was used with another spec"));
        }
        id = earlier->job_id;
        work.AfterCommit([](CoordinatorObserver& o) { o.RequestReplayed(); });
        return absl::OkStatus();
      }
    }

    JobRecord job;
    job.id = JobId(UuidV7(work.now()));
    job.spec = spec;
    job.create_time = work.now();
    BF_ASSIGN_OR_RETURN(const Selector needed, NeededHost(spec));
    std::vector<RunRecord> runs;
    if (spec.fan_out == FanOut::kAny) {
      runs.push_back(NewRun(job, 0, needed, HostName(), work.now()));
    } else {
      BF_ASSIGN_OR_RETURN(const std::vector<HostName> hosts, KnownHosts(store, needed, work.now(), options_));
      if (hosts.empty()) return NoMatchingWorker(needed);
      if (hosts.size() > kMaxHostsPerJob) {
        return ErrorWithReason(absl::StatusCode::kInvalidArgument, "INVALID_FIELD",
                               absl::StrCat("spec.host_selector: matches ", hosts.size(), " hosts, at most ",
                                            kMaxHostsPerJob, " are allowed"));
      }
      for (const HostName& host : hosts) {
        runs.push_back(NewRun(job, static_cast<int>(runs.size()), needed, host, work.now()));
      }
    }
    id = job.id;
    BF_RETURN_IF_ERROR(store.InsertJob(job, runs));
    if (!request_id.empty()) BF_RETURN_IF_ERROR(store.InsertRequest(request_id, {digest, job.id}, work.now()));

    BF_ASSIGN_OR_RETURN(const std::string why, WhyQueued(store, runs, work.now(), options_));
    for (const RunRecord& run : runs) {
      BF_RETURN_IF_ERROR(work.AddEvent(run, absl::StrCat("queued; ", why), std::nullopt));
      work.notices().queued.push_back({run.selector, run.bound_host});
    }
    work.AfterCommit([suite = std::string(SuiteName(spec))](CoordinatorObserver& o) { o.JobCreated(suite); });
    return absl::OkStatus();
  }));
  return id;
}

absl::Status Coordinator::CancelJob(const JobId& id) {
  return Write("cancel_job", [&](Work& work) -> absl::Status {
    BF_RETURN_IF_ERROR(work.RequireJob(id).status());
    BF_ASSIGN_OR_RETURN(std::vector<RunRecord> runs, work.store().RunsOfJob(id));
    for (RunRecord& run : runs) {
      const bool running = run.lease.state == RunState::kRunning && !run.lease.cancel_requested;
      BF_RETURN_IF_ERROR(work.Apply(run, OnCancel(run.lease)));
      if (running) BF_RETURN_IF_ERROR(work.AddEvent(run, "cancel requested", std::nullopt));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<SessionId> Coordinator::OpenSession(const WorkerHello& hello) {
  SessionRecord session;
  BF_RETURN_IF_ERROR(Write("open_session", [&](Work& work) -> absl::Status {
    StoreWriter& store = work.store();
    BF_ASSIGN_OR_RETURN(const std::optional<SessionRecord> earlier, store.NewestSession(hello.host));
    if (earlier.has_value() && earlier->worker_id != hello.worker_id && IsOnline(*earlier, work.now(), options_)) {
      return ErrorWithReason(
          absl::StatusCode::kAlreadyExists, "WORKER_NAME_TAKEN",
          absl::StrCat("worker_name: '", hello.host.value(), "' belongs to a worker that is online"));
    }
    session = {};
    session.id = SessionId(UuidV4());
    session.host = hello.host;
    session.worker_id = hello.worker_id;
    session.labels = hello.labels;
    session.facts = hello.facts;
    session.version = hello.version;
    session.open_time = session.last_seen = work.now();
    BF_RETURN_IF_ERROR(store.InsertSession(session));
    work.notices().hosts.push_back(hello.host);  // a Sync of the earlier session must not hang on

    // What another boot of this host held cannot run any more. What this boot holds stays
    // until the new session lists it or lets it run out.
    BF_ASSIGN_OR_RETURN(std::vector<RunRecord> leases, store.LeasesOfHost(hello.host));
    for (RunRecord& run : leases) {
      if (run.lease.owner == OwnerOf(session)) continue;
      BF_RETURN_IF_ERROR(work.Apply(run, OnOwnerGone(run.lease, /*orderly=*/false, work.now(), options_.lease)));
    }
    work.AfterCommit([](CoordinatorObserver& o) { o.SessionOpened(); });
    return absl::OkStatus();
  }));
  return session.id;
}

absl::StatusOr<SyncAnswer> Coordinator::Sync(const SyncCall& call) {
  if (call.leases.size() > kMaxListedLeases) {
    return ErrorWithReason(
        absl::StatusCode::kInvalidArgument, "INVALID_FIELD",
        absl::StrCat("leases: has ", call.leases.size(), " entries, at most ", kMaxListedLeases, " are allowed"));
  }
  SyncAnswer answer;
  BF_RETURN_IF_ERROR(Write("sync", [&](Work& work) -> absl::Status {
    answer = {};
    BF_ASSIGN_OR_RETURN(SessionRecord session, work.RequireSession(call.session));
    if (call.sequence < session.last_sequence) {
      return ErrorWithReason(absl::StatusCode::kAborted, "SYNC_SUPERSEDED",
                             absl::StrCat("sequence: ", call.sequence, " is older than ", session.last_sequence));
    }
    session.last_sequence = call.sequence;
    session.last_seen = work.now();
    session.wants_work = call.wants_work;
    session.idle_reason = call.idle_reason;
    BF_RETURN_IF_ERROR(work.store().UpdateSession(session));

    BF_ASSIGN_OR_RETURN(std::vector<RunRecord> leases, work.store().LeasesOfHost(session.host));
    const auto grant = [&](const RunRecord& run, std::optional<JobSpec> spec) {
      answer.leases.push_back({run.id, run.lease.epoch, run.lease.state, run.lease.expires_at - work.now(),
                               run.lease.cancel_requested, std::move(spec)});
    };
    const auto offer = [&](const RunRecord& run) -> absl::Status {
      BF_ASSIGN_OR_RETURN(JobRecord job, work.RequireJob(run.job_id));
      grant(run, std::move(job.spec));
      return absl::OkStatus();
    };

    size_t recognised = 0;  // listed leases that are still the worker's
    for (RunRecord& run : leases) {
      const auto listed = std::find_if(call.leases.begin(), call.leases.end(), [&](const HeldLease& held) {
        return held.run_id == run.id && held.epoch == run.lease.epoch;
      });
      LeaseStep step;
      if (!(run.lease.owner == OwnerOf(session))) {
        step = OnOwnerGone(run.lease, /*orderly=*/false, work.now(), options_.lease);
      } else if (listed == call.leases.end()) {
        step = OnListed(run.lease, Listing::kUnlisted, run.lease.epoch, "", work.now(), options_.lease);
      } else {
        ++recognised;
        step = OnListed(run.lease, listed->listing, listed->epoch, listed->reason, work.now(), options_.lease);
      }
      BF_RETURN_IF_ERROR(work.Apply(run, step));
      answer.news |= step.news;
      if (!step.granted) continue;
      if (run.lease.state == RunState::kOffered) {
        BF_RETURN_IF_ERROR(offer(run));
      } else {
        grant(run, std::nullopt);
      }
    }
    // What it lists and does not have, it must hear now.
    answer.news |= recognised < call.leases.size();

    if (call.wants_work && answer.leases.empty()) {
      BF_ASSIGN_OR_RETURN(const std::optional<RunRecord> run, work.OfferTo(session));
      if (run.has_value()) {
        BF_RETURN_IF_ERROR(offer(*run));
        answer.news = true;
      }
    }
    return absl::OkStatus();
  }));
  return answer;
}

absl::StatusOr<int> Coordinator::PutChunk(const SessionId& session_id, const RunId& run_id, LeaseEpoch epoch,
                                          const Chunk& chunk) {
  int stored = 0;
  absl::Status refused;  // kept apart: what a stale lease sent is stored, though the call fails
  BF_RETURN_IF_ERROR(Write("put_chunk", [&](Work& work) -> absl::Status {
    refused = absl::OkStatus();
    StoreWriter& store = work.store();
    BF_ASSIGN_OR_RETURN(const SessionRecord session, work.RequireSession(session_id));
    BF_ASSIGN_OR_RETURN(RunRecord run, work.RequireRun(run_id));
    BF_ASSIGN_OR_RETURN(const std::optional<AttemptRecord> attempt, store.FindAttempt(run_id, epoch));

    const bool own = attempt.has_value() && attempt->host == session.host;
    if (own && chunk.index < attempt->chunks) {  // a repeated call
      BF_ASSIGN_OR_RETURN(const std::optional<uint32_t> crc, store.ChunkCrc(run_id, epoch, chunk.index));
      if (crc != chunk.crc32c) {
        return ChunkError("CHUNK_CONFLICT", absl::StrCat("index: chunk ", chunk.index, " was stored with another crc"));
      }
      stored = attempt->chunks;
      work.AfterCommit([](CoordinatorObserver& o) { o.ChunkRepeated(); });
      return absl::OkStatus();
    }
    if (refused = CheckHolder(run.lease, epoch, OwnerOf(session)); !refused.ok()) {
      work.AfterCommit([](CoordinatorObserver& o) { o.LateChunk(); });
      if (!own) return absl::OkStatus();
      return store.InsertLateResult(run_id, epoch, session.host, chunk.payload, work.now());
    }
    if (!attempt.has_value()) {
      return absl::InternalError(absl::StrCat("run '", run_id.value(), "' runs without an attempt"));
    }
    if (chunk.index > attempt->chunks) {
      return ChunkError("CHUNK_GAP", absl::StrCat("index: is ", chunk.index, ", expected ", attempt->chunks));
    }
    const bool is_plan = std::holds_alternative<RunPlan>(chunk.content);
    if (is_plan != (chunk.index == 0)) {
      return ErrorWithReason(absl::StatusCode::kInvalidArgument, "INVALID_FIELD",
                             absl::StrCat("payload: chunk ", chunk.index, is_plan ? " is a plan" : " is not a plan"));
    }
    BF_RETURN_IF_ERROR(store.InsertChunk(run_id, epoch, chunk, Crc32c(chunk.payload, attempt->chunks_crc32c)));
    stored = attempt->chunks + 1;
    work.AfterCommit([bytes = chunk.payload.size()](CoordinatorObserver& o) { o.ChunkStored(bytes); });
    return work.NoteProgress(run, chunk);
  }));
  BF_RETURN_IF_ERROR(refused);
  return stored;
}

absl::StatusOr<RunState> Coordinator::CompleteAttempt(const Completion& completion) {
  RunState state = RunState::kQueued;
  absl::Status refused;
  BF_RETURN_IF_ERROR(Write("complete_attempt", [&](Work& work) -> absl::Status {
    refused = absl::OkStatus();
    StoreWriter& store = work.store();
    BF_ASSIGN_OR_RETURN(const SessionRecord session, work.RequireSession(completion.session));
    BF_ASSIGN_OR_RETURN(RunRecord run, work.RequireRun(completion.run_id));
    BF_ASSIGN_OR_RETURN(const std::optional<AttemptRecord> attempt,
                        store.FindAttempt(completion.run_id, completion.epoch));

    if (attempt.has_value() && attempt->host == session.host && EndedByReport(*attempt)) {  // a repeated call
      if (!IsSameReport(*attempt, completion)) {
        return ChunkError("RESULT_CONFLICT", absl::StrCat("end: the attempt was completed as ", Word(*attempt->end)));
      }
      state = run.lease.state;
      return absl::OkStatus();
    }
    if (refused = CheckHolder(run.lease, completion.epoch, OwnerOf(session)); !refused.ok()) {
      work.AfterCommit([](CoordinatorObserver& o) { o.StaleResult(); });
      return absl::OkStatus();
    }
    if (!attempt.has_value()) {
      return absl::InternalError(absl::StrCat("run '", run.id.value(), "' runs without an attempt"));
    }
    if (attempt->chunks != completion.chunk_count) {
      return ChunkError("CHUNK_GAP",
                        absl::StrCat("chunk_count: is ", completion.chunk_count, ", stored are ", attempt->chunks));
    }
    if (attempt->chunks_crc32c != completion.chunks_crc32c) {
      return ChunkError("RESULT_CONFLICT", "chunks_crc32c: is not that of the chunks stored");
    }
    BF_ASSIGN_OR_RETURN(const Work::Judged judged, work.Judge(run, completion));
    BF_ASSIGN_OR_RETURN(const LeaseStep step, OnComplete(run.lease, completion.epoch, OwnerOf(session), judged.end,
                                                         judged.detail, work.now(), options_.lease));
    BF_RETURN_IF_ERROR(work.Apply(run, step));
    state = run.lease.state;
    return absl::OkStatus();
  }));
  BF_RETURN_IF_ERROR(refused);
  return state;
}

absl::Status Coordinator::CloseSession(const SessionId& id) {
  return Write("close_session", [&](Work& work) -> absl::Status {
    BF_ASSIGN_OR_RETURN(SessionRecord session, work.RequireSession(id));
    session.closed = true;
    session.wants_work = false;
    session.last_seen = work.now();
    BF_RETURN_IF_ERROR(work.store().UpdateSession(session));
    work.notices().hosts.push_back(session.host);  // its Sync must not hang on
    BF_ASSIGN_OR_RETURN(std::vector<RunRecord> leases, work.store().LeasesOfHost(session.host));
    for (RunRecord& run : leases) {
      BF_RETURN_IF_ERROR(work.Apply(run, OnOwnerGone(run.lease, /*orderly=*/true, work.now(), options_.lease)));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<SessionRecord> Coordinator::GetSession(const SessionId& id) {
  std::optional<SessionRecord> session;
  BF_RETURN_IF_ERROR(store_.Read("get_session", [&](StoreReader& store) -> absl::Status {
    BF_ASSIGN_OR_RETURN(session, store.FindSession(id));
    return absl::OkStatus();
  }));
  if (session.has_value()) return *std::move(session);
  return ErrorWithReason(absl::StatusCode::kNotFound, "SESSION_NOT_FOUND",
                         absl::StrCat("session_id: no session '", id.value(), "'"));
}

}  // namespace benchfleet
