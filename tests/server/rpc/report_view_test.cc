#include "server/rpc/report_view.h"

#include <gmock/gmock.h>

#include "tests/server/rpc/rpc_fixture.h"

namespace benchfleet {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReportViewTest : public RpcTest {
 protected:
  // Takes the job's only run and sends its plan and `rounds` of its three rounds.
  GrantedLease Measure(const SessionId& session, int rounds) {
    const GrantedLease lease = coordinator.Sync({session, 1, {}, true, ""})->leases.at(0);
    EXPECT_TRUE(coordinator.Sync({session, 2, {{lease.run_id, lease.epoch, Listing::kHeld, ""}}, false, ""}).ok());
    for (int chunk = 0; chunk <= rounds; ++chunk) {
      const auto put = coordinator.PutChunk(session, lease.run_id, lease.epoch, SmallChunk(chunk));
      EXPECT_TRUE(put.ok()) << put.status();
    }
    return lease;
  }
  v1::Report Report(const JobId& job, bool round_values) {
    v1::GetReportRequest request;
    request.set_job_id(job.value());
    request.set_round_values(round_values);
    grpc::ClientContext context;
    SetWatchDog(context);
    v1::Report report;
    const grpc::Status status = users->GetReport(&context, request, &report);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return report;
  }
};

TEST_F(ReportViewTest, GivesTheValueOfEveryRoundWhenAsked) {
  const JobId job = Create();
  const SessionId session = Open("lab-1");
  const GrantedLease lease = Measure(session, 3);
  ASSERT_TRUE(
      coordinator.CompleteAttempt({session, lease.run_id, lease.epoch, AttemptEnd::kSucceeded, "", 4, CrcOfChunks(4)})
          .ok());
  const v1::Report with = Report(job, true);
  ASSERT_EQ(with.summaries_size(), 2);
  for (const v1::Summary& summary : with.summaries()) {
    // Round 0 is the warm-up.
    EXPECT_THAT(summary.round_indices(), ElementsAre(1, 2));
    EXPECT_THAT(summary.round_values(), ElementsAre(DoubleNear(1.001e-9, 1e-18), DoubleNear(1.002e-9, 1e-18)));
  }
  const v1::Report without = Report(job, false);
  ASSERT_EQ(without.summaries_size(), 2);
  EXPECT_THAT(without.summaries(0).round_values(), IsEmpty());
  EXPECT_EQ(without.runs(0).suite_version(), 1);
}

TEST_F(ReportViewTest, ARunThatIsNotAnalysedHasNone) {
  const JobId job = Create();
  Measure(Open("lab-1"), 2);
  const v1::Report report = Report(job, true);
  ASSERT_EQ(report.runs_size(), 1);
  EXPECT_EQ(report.runs(0).state(), "running");
  EXPECT_EQ(report.runs(0).schedule(), "random");
  EXPECT_THAT(report.summaries(), IsEmpty());
}

}  // namespace
}  // namespace benchfleet
