#include "server/core/coordinator_work.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/stats/analyse.h"

namespace benchfleet {
namespace {

// What a step means to a person who watches the job; empty: nothing worth saying.
std::string Describe(const RunRecord& run, const LeaseStep& step) {
  const std::string& host = run.lease.owner.host.value();
  if (step.accepted) return absl::StrCat("started on ", host);
  std::string text;
  if (step.ended.has_value() && *step.ended != AttemptEnd::kSucceeded) {
    text = absl::StrCat("attempt on ", host, " ended: ", Word(*step.ended));
    if (!step.detail.empty()) absl::StrAppend(&text, ": ", step.detail);
    if (step.next.state == RunState::kQueued) absl::StrAppend(&text, "; queued again");
  }
  if (IsTerminal(step.next.state) && text.empty()) {
    text = std::string(Word(step.next.state));
    if (!step.detail.empty()) absl::StrAppend(&text, ": ", step.detail);
  }
  return text;
}

std::string EndReason(const LeaseStep& step) {
  switch (step.next.state) {
    case RunState::kSucceeded:
    case RunState::kFailed:
    case RunState::kExpired:
    case RunState::kCancelled:
      return step.detail;
    case RunState::kQuarantined:
      return absl::StrCat("lost its worker ", step.next.attempts_spent, " times, last: ", step.detail);
    default:
      return "";
  }
}

}  // namespace

absl::StatusOr<SessionRecord> Coordinator::Work::RequireSession(const SessionId& id) {
  BF_ASSIGN_OR_RETURN(std::optional<SessionRecord> session, store_.FindSession(id));
  if (session.has_value() && !session->closed) {
    BF_ASSIGN_OR_RETURN(const std::optional<SessionRecord> newest, store_.NewestSession(session->host));
    if (newest.has_value() && newest->id == id) return *std::move(session);
  }
  return ErrorWithReason(absl::StatusCode::kNotFound, "SESSION_NOT_FOUND",
                         absl::StrCat("session_id: no open session '", id.value(), "'"));
}

absl::StatusOr<JobRecord> Coordinator::Work::RequireJob(const JobId& id) {
  BF_ASSIGN_OR_RETURN(std::optional<JobRecord> job, store_.FindJob(id));
  if (job.has_value()) return *std::move(job);
  return ErrorWithReason(absl::StatusCode::kNotFound, "JOB_NOT_FOUND", absl::StrCat("id: no job '", id.value(), "'"));
}

absl::StatusOr<RunRecord> Coordinator::Work::RequireRun(const RunId& id) {
  BF_ASSIGN_OR_RETURN(std::optional<RunRecord> run, store_.FindRun(id));
  if (run.has_value()) return *std::move(run);
  return ErrorWithReason(absl::StatusCode::kNotFound, "RUN_NOT_FOUND",
                         absl::StrCat("run_id: no run '", id.value(), "'"));
}

absl::Status Coordinator::Work::Apply(RunRecord& run, const LeaseStep& step) {
  const RunLease before = run.lease;
  if (step.next == before && !step.ended.has_value()) return absl::OkStatus();

  run.lease = step.next;
  if (step.accepted) run.rounds_done = run.rounds_planned = 0;
  if (IsTerminal(run.lease.state) && !IsTerminal(before.state)) run.end_reason = EndReason(step);
  BF_RETURN_IF_ERROR(store_.UpdateRun(before, run));

  if (step.accepted) {
    AttemptRecord attempt;
    attempt.run_id = run.id;
    attempt.epoch = run.lease.epoch;
    attempt.host = run.lease.owner.host;
    attempt.start_time = now_;
    BF_RETURN_IF_ERROR(store_.InsertAttempt(attempt));
    AfterCommit([](CoordinatorObserver& o) { o.LeaseAccepted(); });
  }
  if (step.ended.has_value()) {
    BF_RETURN_IF_ERROR(store_.EndAttempt(run.id, before.epoch, *step.ended, step.detail, now_));
    AfterCommit([end = *step.ended](CoordinatorObserver& o) { o.LeaseEnded(end); });
  }
  if (before.state == RunState::kOffered && run.lease.state == RunState::kQueued) {
    AfterCommit([](CoordinatorObserver& o) { o.OfferNotAccepted(); });
  }
  if (before.state == RunState::kRunning && run.lease.state == RunState::kRunning &&
      run.lease.expires_at > before.expires_at) {
    AfterCommit([](CoordinatorObserver& o) { o.LeaseRenewed(); });
  }

  if (run.lease.state == RunState::kQueued) notices_.queued.push_back({run.selector, run.bound_host});
  const bool had_lease = before.state == RunState::kOffered || before.state == RunState::kRunning;
  const bool has_lease = run.lease.state == RunState::kOffered || run.lease.state == RunState::kRunning;
  if (had_lease && !has_lease) notices_.free_kernels.push_back(before.owner.boot_id);
  if (step.news && had_lease) notices_.hosts.push_back(before.owner.host);

  if (run.lease.state != before.state) BF_RETURN_IF_ERROR(UpdateJobState(run.job_id));
  if (std::string message = Describe(run, step); !message.empty()) {
    BF_RETURN_IF_ERROR(AddEvent(run, std::move(message), std::nullopt));
  }
  return absl::OkStatus();
}

absl::Status Coordinator::Work::UpdateJobState(const JobId& id) {
  BF_ASSIGN_OR_RETURN(const JobRecord job, RequireJob(id));
  BF_ASSIGN_OR_RETURN(const std::vector<RunRecord> runs, store_.RunsOfJob(id));
  std::vector<RunState> states;
  for (const RunRecord& run : runs) states.push_back(run.lease.state);
  const JobState state = DeriveJobState(states);
  if (state == job.state) return absl::OkStatus();
  const bool ended = IsTerminal(state);
  if (ended) {
    AfterCommit(
        [suite = std::string(SuiteName(job.spec)), state](CoordinatorObserver& o) { o.JobEnded(suite, state); });
  }
  return store_.SetJobState(id, state, ended ? std::optional(now_) : std::nullopt);
}

absl::Status Coordinator::Work::AddEvent(const RunRecord& run, std::string message, std::optional<LeaseEpoch> plan_of) {
  BF_ASSIGN_OR_RETURN(const JobRecord job, RequireJob(run.job_id));
  EventRecord event;
  event.time = now_;
  event.run_id = run.id;
  event.message = std::move(message);
  event.job_state = job.state;
  event.run_state = run.lease.state;
  event.host = run.lease.state == RunState::kQueued ? run.bound_host : run.lease.owner.host;
  event.rounds_done = run.rounds_done;
  event.rounds_planned = run.rounds_planned;
  event.plan_of = plan_of;
  BF_RETURN_IF_ERROR(store_.InsertEvent(run.job_id, event).status());
  notices_.jobs.push_back(run.job_id);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<RunRecord>> Coordinator::Work::OfferTo(const SessionRecord& worker) {
  BF_ASSIGN_OR_RETURN(const bool kernel_busy, store_.KernelHasLease(worker.facts.boot_id));
  if (kernel_busy) return std::nullopt;

  BF_ASSIGN_OR_RETURN(const std::vector<QueueGroup> groups, store_.QueueGroups());
  std::optional<RunRecord> oldest;
  for (const QueueGroup& group : groups) {
    if (!group.bound_host.empty() && group.bound_host != worker.host) continue;
    if (!group.selector.Matches(worker.labels)) continue;
    BF_ASSIGN_OR_RETURN(std::optional<RunRecord> run, store_.OldestQueued(group.id));
    // Run ids begin with a UUIDv7, so they sort by age.
    if (run.has_value() && (!oldest.has_value() || run->id < oldest->id)) oldest = std::move(run);
  }
  if (!oldest.has_value()) return std::nullopt;

  BF_ASSIGN_OR_RETURN(const LeaseEpoch epoch, store_.NextEpoch());
  BF_RETURN_IF_ERROR(Apply(*oldest, OnOffer(oldest->lease, epoch, OwnerOf(worker), now_, options_.lease)));
  AfterCommit([](CoordinatorObserver& o) { o.LeaseOffered(); });
  return oldest;
}

absl::Status Coordinator::Work::NoteProgress(RunRecord& run, const Chunk& chunk) {
  if (const auto* plan = std::get_if<RunPlan>(&chunk.content)) {
    size_t arms = 0;
    for (const CasePlan& c : plan->cases) arms += c.variants.size();
    run.rounds_planned = plan->warmup_rounds + plan->rounds;
    BF_RETURN_IF_ERROR(store_.UpdateRun(run.lease, run));
    return AddEvent(run,
                    absl::StrCat("plan is fixed: ", plan->rounds, " rounds and ", plan->warmup_rounds,
                                 " for warm-up of ", arms, " arms, schedule ", Word(plan->schedule)),
                    run.lease.epoch);
  }
  int done = run.rounds_done;
  for (const Round& round : std::get<std::vector<Round>>(chunk.content)) done = std::max(done, round.index + 1);
  if (done == run.rounds_done) return absl::OkStatus();
  run.rounds_done = done;
  BF_RETURN_IF_ERROR(store_.UpdateRun(run.lease, run));
  return AddEvent(run, absl::StrCat("round ", done, " of ", run.rounds_planned), std::nullopt);
}

absl::StatusOr<Coordinator::Work::Judged> Coordinator::Work::Judge(const RunRecord& run, const Completion& completion) {
  Judged judged{completion.end, completion.detail};
  if (completion.end == AttemptEnd::kCrashed) return judged;
  const auto without_figures = [&](std::string why) {
    if (judged.end == AttemptEnd::kSucceeded) judged = {AttemptEnd::kFailed, std::move(why)};
    return judged;
  };
  BF_ASSIGN_OR_RETURN(const std::optional<RunPlan> plan, store_.PlanOfAttempt(run.id, completion.epoch));
  if (!plan.has_value()) return without_figures("the attempt stored no plan");
  BF_ASSIGN_OR_RETURN(const std::vector<Round> rounds, store_.RoundsOfAttempt(run.id, completion.epoch));
  const absl::StatusOr<RunFigures> figures = Analyse(*plan, rounds);
  if (!figures.ok()) {
    return without_figures(absl::StrCat("the stored samples cannot be analysed: ", figures.status().message()));
  }
  if (figures->summaries.empty()) return without_figures("no round was measured");
  BF_RETURN_IF_ERROR(store_.InsertFigures(run.id, completion.epoch, *figures));
  return judged;
}

}  // namespace benchfleet
