#include "server/metrics/store_results.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "tests/server/core/core_fixture.h"

namespace benchfleet {
namespace {

TEST(StoreResults, TheNewestSucceededRunOfEachGroupIsARow) {
  Core core;
  StoreResults results(core.store, core.clock, core.coordinator.options());
  ASSERT_TRUE(results.LatestResults().ok());
  EXPECT_TRUE(results.LatestResults()->empty());

  const SessionId session = core.Open("alpha");
  JobSpec spec = SmallSpec();
  spec.project = "demo";
  spec.commit = "abc";
  RunId newest;
  for (int i = 0; i < 2; ++i) {
    core.Create(spec);
    const GrantedLease lease = core.TakeLease(session);
    for (int chunk = 0; chunk < 4; ++chunk) ASSERT_TRUE(core.Put(session, lease, chunk).ok());
    ASSERT_TRUE(core.Complete(session, lease, AttemptEnd::kSucceeded, 4).ok());
    newest = lease.run_id;
    core.clock.Advance(absl::Minutes(1));
  }
  const auto rows = results.LatestResults();
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 1u);
  const ResultRow& row = rows->front();
  EXPECT_EQ(row.project, "demo");
  EXPECT_EQ(row.host, HostName("alpha"));
  EXPECT_EQ(row.suite, "wake");
  EXPECT_EQ(row.run_id, newest);
  EXPECT_EQ(row.commit, "abc");
  EXPECT_EQ(row.end_time - row.first_end_time, absl::Minutes(1));
  EXPECT_EQ(row.figures.summaries.size(), 2u);
}

// A plan as the compile suite makes it: two modes of one compiler, and a second compiler.
Chunk CompilePlanChunk() {
  Chunk chunk = SmallChunk(0);
  RunPlan& plan = std::get<RunPlan>(chunk.content);
  plan.cases[0].subject_key.digest = "sk1:epoll";
  for (const char* path : {"gfortran@12.2.0/compile/j2", "gfortran@12.2.0/link/j2", "gcc@12.2.0/link/j2"}) {
    CasePlan one = plan.cases[0];
    one.case_path = path;
    one.subject_key.digest = absl::StartsWith(path, "gcc") ? "sk1:gcc" : "sk1:gfortran";
    plan.cases.push_back(one);
  }
  plan.capabilities = {{"gcc", "12.2.0", "link", "c23_embed", CompileOutcome::kRefused},
                       {"gfortran", "12.2.0", "link", "f2008block", CompileOutcome::kAccepted}};
  return chunk;
}

TEST(StoreResults, SubjectsAndCapabilitiesAreThoseOfTheNewestPlan) {
  Core core;
  StoreResults results(core.store, core.clock, core.coordinator.options());
  const SessionId session = core.Open("alpha");
  for (const bool compiles : {false, true}) {
    core.Create();
    const GrantedLease lease = core.TakeLease(session);
    const Chunk plan = compiles ? CompilePlanChunk() : SmallChunk(0);
    ASSERT_TRUE(core.coordinator.PutChunk(session, lease.run_id, lease.epoch, plan).ok());
    for (int chunk = 1; chunk < 4; ++chunk) ASSERT_TRUE(core.Put(session, lease, chunk).ok());
    ASSERT_TRUE(core.Complete(session, lease, AttemptEnd::kSucceeded, 4).ok());
    core.clock.Advance(absl::Minutes(1));
    const auto rows = results.LatestResults();
    ASSERT_TRUE(rows.ok()) << rows.status();
    ASSERT_EQ(rows->size(), 1u);
    if (compiles) {
      const std::set<std::pair<std::string, std::string>> want = {
          {"epoll", "sk1:epoll"}, {"gcc@12.2.0", "sk1:gcc"}, {"gfortran@12.2.0", "sk1:gfortran"}};
      EXPECT_EQ(rows->front().subjects, want);
      EXPECT_EQ(rows->front().capabilities, std::get<RunPlan>(plan.content).capabilities);
    } else {
      EXPECT_TRUE(rows->front().capabilities.empty());
    }
  }
}

TEST(StoreResults, TheStateCountsWhatIsGoingOn) {
  Core core;
  StoreResults results(core.store, core.clock, core.coordinator.options());
  const SessionId busy = core.Open("busy");
  core.Open("idle");
  core.Open("silent");
  core.clock.Advance(absl::Seconds(59));
  (void)core.Sync(busy, {}, false);
  const SessionId idle = core.Open("idle");
  core.clock.Advance(absl::Seconds(1));
  core.Create();
  (void)core.TakeLease(busy);
  const absl::Time queued_at = core.clock.Now();
  core.Create();
  core.clock.Advance(absl::Seconds(5));

  const auto state = results.CurrentState();
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->jobs_queued, 1);
  EXPECT_EQ(state->jobs_running, 1);
  EXPECT_EQ(state->leases, 1);
  EXPECT_EQ(state->workers_busy, 1);
  EXPECT_EQ(state->workers_idle, 1);
  EXPECT_EQ(state->workers_offline, 1);
  EXPECT_EQ(state->oldest_queued, queued_at);
}

}  // namespace
}  // namespace benchfleet
