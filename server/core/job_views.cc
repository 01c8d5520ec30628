#include "server/core/job_views.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

constexpr int kHostPage = 200;

std::string WhyBoundRunWaits(const RunRecord& run, bool online) {
  return absl::StrCat("host ", run.bound_host.value(), online ? " is busy" : " is offline");
}

std::string WhyAnyRunWaits(const RunRecord& run, int online, int matching) {
  if (online == 0) return "no worker is online";
  if (matching == 0) return absl::StrCat("no worker online matches '", run.selector.canonical(), "'");
  return absl::StrCat(matching, matching == 1 ? " matching worker is" : " matching workers are", " busy");
}

}  // namespace

absl::Status ForEachHost(StoreReader& store, absl::FunctionRef<absl::Status(const SessionRecord&)> visit) {
  HostName after;
  while (true) {
    BF_ASSIGN_OR_RETURN(const std::vector<SessionRecord> page, store.ListHosts(after, kHostPage));
    for (const SessionRecord& session : page) BF_RETURN_IF_ERROR(visit(session));
    if (page.size() < static_cast<size_t>(kHostPage)) return absl::OkStatus();
    after = page.back().host;
  }
}

bool IsOnline(const SessionRecord& session, absl::Time now, const CoordinatorOptions& options) {
  return !session.closed && now - session.last_seen < options.offline_after;
}

absl::StatusOr<std::string> WhyQueued(StoreReader& store, const std::vector<RunRecord>& runs, absl::Time now,
                                      const CoordinatorOptions& options) {
  // One queued run speaks for all: the others wait for the same or for the like of it.
  const RunRecord* queued = nullptr;
  for (const RunRecord& run : runs) {
    if (run.lease.state == RunState::kQueued && queued == nullptr) queued = &run;
  }
  if (queued == nullptr) return "";

  int online = 0;
  int matching = 0;
  bool bound_host_online = false;
  BF_RETURN_IF_ERROR(ForEachHost(store, [&](const SessionRecord& session) {
    if (!IsOnline(session, now, options)) return absl::OkStatus();
    ++online;
    if (queued->selector.Matches(session.labels)) ++matching;
    if (session.host == queued->bound_host) bound_host_online = true;
    return absl::OkStatus();
  }));
  return absl::StrCat("waits for a worker: ", queued->bound_host.empty()
                                                  ? WhyAnyRunWaits(*queued, online, matching)
                                                  : WhyBoundRunWaits(*queued, bound_host_online));
}

absl::StatusOr<JobView> ReadJobView(StoreReader& store, JobRecord job, absl::Time now,
                                    const CoordinatorOptions& options) {
  JobView view;
  BF_ASSIGN_OR_RETURN(std::vector<RunRecord> runs, store.RunsOfJob(job.id));
  if (IsTerminal(job.state)) {
    for (const RunRecord& run : runs) {
      if (view.state_reason.empty()) view.state_reason = run.end_reason;
    }
  } else {
    BF_ASSIGN_OR_RETURN(view.state_reason, WhyQueued(store, runs, now, options));
  }
  for (RunRecord& run : runs) {
    BF_ASSIGN_OR_RETURN(std::vector<AttemptRecord> attempts, store.AttemptsOfRun(run.id));
    view.runs.push_back({std::move(run), std::move(attempts)});
  }
  view.job = std::move(job);
  return view;
}

absl::StatusOr<JobView> ReadJobView(StoreReader& store, const JobId& id, absl::Time now,
                                    const CoordinatorOptions& options) {
  BF_ASSIGN_OR_RETURN(std::optional<JobRecord> job, store.FindJob(id));
  if (!job.has_value()) {
    return ErrorWithReason(absl::StatusCode::kNotFound, "JOB_NOT_FOUND", absl::StrCat("id: no job '", id.value(), "'"));
  }
  return ReadJobView(store, *std::move(job), now, options);
}

absl::StatusOr<HostView> ReadHostView(StoreReader& store, SessionRecord session, absl::Time now,
                                      const CoordinatorOptions& options) {
  HostView view;
  BF_ASSIGN_OR_RETURN(const std::vector<RunRecord> leases, store.LeasesOfHost(session.host));
  if (IsOnline(session, now, options)) {
    view.state = leases.empty() ? WorkerAvailability::kIdle : WorkerAvailability::kBusy;
  }
  if (!leases.empty()) view.run_id = leases.front().id;
  view.session = std::move(session);
  return view;
}

}  // namespace benchfleet
