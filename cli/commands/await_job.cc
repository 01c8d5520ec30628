#include <string>

#include "absl/strings/str_cat.h"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/follow.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

// Cancels the job, and says so whatever comes of it.
void Cancel(const std::string& id, Connection& connection, Progress& progress) {
  const absl::StatusOr<v1::Job> cancelled = connection.CancelJob(id);
  progress.Say(cancelled.ok() ? absl::StrCat("cancelled job ", id)
                              : absl::StrCat("could not cancel job ", id, ": ", cancelled.status().message()));
}

}  // namespace

absl::StatusOr<int> AwaitJob(const v1::Job& job, const AwaitOptions& options, const Invocation& invocation,
                             const std::vector<ReportFile>& files, Connection& connection, Interrupts& interrupts) {
  Progress progress = StderrProgress();
  FollowOptions follow;
  follow.wait_for_worker = options.wait_for_worker;
  const absl::StatusOr<v1::Job> end = Follow(job, follow, connection, interrupts, progress);
  if (interrupts.signal() != 0) {
    if (options.cancel_on_signal) {
      Cancel(job.id(), connection, progress);
    } else {
      progress.Say(absl::StrCat("job ", job.id(), " goes on"));
    }
    return kExitSignal + interrupts.signal();
  }
  BF_RETURN_IF_ERROR(end.status());
  if (!HasEnded(*end)) {
    progress.Say(absl::StrCat("no worker took job ", job.id(), " in time", end->state_reason().empty() ? "" : ": ",
                              end->state_reason()));
    Cancel(job.id(), connection, progress);
    return kExitNoWorker;
  }
  BF_ASSIGN_OR_RETURN(const v1::Report report, connection.GetReport(job.id(), NeedRoundValues(files)));
  BF_RETURN_IF_ERROR(PrintReport(report, invocation.format(), files));
  return ExitCodeOf(*end);
}

}  // namespace benchfleet
