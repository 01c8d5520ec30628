#include "server/store_reports.h"

#include <set>
#include <string>

#include "common/base/status_macros.h"
#include "common/model/states.h"
#include "server/rpc/report_view.h"

namespace benchfleet {

absl::StatusOr<std::vector<JobLine>> StoreReports::NewestJobs(int limit) {
  std::vector<JobLine> lines;
  BF_RETURN_IF_ERROR(store_.Read("list_jobs", [&](StoreReader& store) -> absl::Status {
    lines.clear();
    JobQuery query;
    query.limit = limit;
    BF_ASSIGN_OR_RETURN(const std::vector<JobRecord> jobs, store.ListJobs(query));
    for (const JobRecord& job : jobs) {
      BF_ASSIGN_OR_RETURN(const std::vector<RunRecord> runs, store.RunsOfJob(job.id));
      std::set<HostName> hosts;
      for (const RunRecord& run : runs) {
        const HostName& host = run.lease.epoch == 0 ? run.bound_host : run.lease.owner.host;
        if (!host.empty()) hosts.insert(host);
      }
      lines.push_back({job.id.value(), std::string(SuiteName(job.spec)), job.spec.project, std::string(Word(job.state)),
                       job.create_time, static_cast<int>(hosts.size())});
    }
    return absl::OkStatus();
  }));
  return lines;
}

absl::StatusOr<v1::Report> StoreReports::ReadReport(absl::string_view job_id) {
  v1::Report report;
  BF_RETURN_IF_ERROR(store_.Read("get_report", [&](StoreReader& store) -> absl::Status {
    BF_ASSIGN_OR_RETURN(report, benchfleet::ReadReport(store, JobId(std::string(job_id)), clock_.Now(), options_,
                                                       /*with_round_values=*/true));
    return absl::OkStatus();
  }));
  return report;
}

}  // namespace benchfleet
