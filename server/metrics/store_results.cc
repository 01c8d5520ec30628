#include "server/metrics/store_results.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "server/core/job_views.h"

namespace benchfleet {
namespace {

void Count(WorkerAvailability availability, ServiceState& state) {
  switch (availability) {
    case WorkerAvailability::kIdle:
      ++state.workers_idle;
      break;
    case WorkerAvailability::kBusy:
      ++state.workers_busy;
      break;
    case WorkerAvailability::kOffline:
      ++state.workers_offline;
      break;
  }
}

// What a case measures is the first part of its path.
std::string SubjectOf(absl::string_view case_path) { return std::string(case_path.substr(0, case_path.find('/'))); }

}  // namespace

absl::StatusOr<std::vector<ResultRow>> StoreResults::LatestResults() {
  std::vector<ResultRow> rows;
  BF_RETURN_IF_ERROR(store_.Read("latest_results", [&](StoreReader& store) -> absl::Status {
    rows.clear();
    BF_ASSIGN_OR_RETURN(std::vector<ResultRecord> records, store.LatestResults());
    for (ResultRecord& record : records) {
      ResultRow row;
      row.project = record.job.spec.project;
      row.host = record.host;
      row.suite = std::string(SuiteName(record.job.spec));
      row.run_id = record.run.id;
      row.commit = record.job.spec.commit;
      row.branch = record.job.spec.branch;
      row.end_time = record.end_time;
      row.first_end_time = record.first_end_time;
      row.host_key = std::move(record.plan.host_key);
      for (const CasePlan& one : record.plan.cases) {
        row.subjects.emplace(SubjectOf(one.case_path), one.subject_key.digest);
      }
      row.capabilities = std::move(record.plan.capabilities);
      row.figures = std::move(record.figures);
      rows.push_back(std::move(row));
    }
    return absl::OkStatus();
  }));
  return rows;
}

absl::StatusOr<ServiceState> StoreResults::CurrentState() {
  ServiceState state;
  BF_RETURN_IF_ERROR(store_.Read("current_state", [&](StoreReader& store) -> absl::Status {
    state = {};
    BF_ASSIGN_OR_RETURN(const auto jobs, store.CountJobsNotEnded());
    for (const auto& [job_state, count] : jobs) {
      (job_state == JobState::kQueued ? state.jobs_queued : state.jobs_running) += count;
    }
    BF_ASSIGN_OR_RETURN(const auto runs, store.CountRunsNotEnded());
    for (const auto& [run_state, count] : runs) {
      if (run_state != RunState::kQueued) state.leases += count;
    }
    BF_ASSIGN_OR_RETURN(state.oldest_queued, store.OldestQueuedTime());
    return ForEachHost(store, [&](const SessionRecord& session) -> absl::Status {
      BF_ASSIGN_OR_RETURN(const HostView host, ReadHostView(store, session, clock_.Now(), options_));
      Count(host.state, state);
      return absl::OkStatus();
    });
  }));
  return state;
}

}  // namespace benchfleet
