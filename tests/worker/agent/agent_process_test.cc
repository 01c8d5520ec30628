// The agent with real runner processes, which behave well or badly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "absl/strings/str_cat.h"
#include "common/os/process.h"
#include "common/wire/chunk_wire.h"
#include "tests/fakes/fake_coordinator_link.h"
#include "tests/worker/agent/test_support.h"
#include "worker/agent/agent.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class AgentProcessTest : public ::testing::Test {
 protected:
  ~AgentProcessTest() override {
    if (!thread_.joinable()) return;
    agent_->Shutdown("the test is over");
    thread_.join();
  }

  void Start(const std::string& behaviour) {
    runner_.runner_path = FAKE_RUNNER;
    runner_.interpreters = {behaviour};
    runner_.stop_grace = absl::Milliseconds(100);
    spool_ = *Spool::Open(folder_.path() + "/spool");
    AgentOptions options;
    options.backoff = {absl::Milliseconds(2), absl::Milliseconds(10), absl::Seconds(60)};
    options.min_sync_period = absl::Milliseconds(1);
    agent_ = std::make_unique<Agent>(
        options, AgentPorts{link_, *spool_,
                            [this](const JobSpec& spec, absl::Duration run_timeout, const std::string& token,
                                   RunnerObserver& observer, const std::atomic<bool>& cancelled) {
                              return Measure(runner_, spec, run_timeout, token, observer, cancelled);
                            },
                            KillProcessesOfAttempt, [] { return UniqueFd(); }});
    link_.Queue(lease_);
    thread_ = std::thread([this] { end_ = agent_->Run(); });
  }
  bool WaitForChunks(size_t count) {
    return link_.WaitUntil(
        [&] { return link_.Find(lease_).has_value() && link_.Find(lease_)->chunks.size() >= count; });
  }
  bool WaitForEnd() {
    return link_.WaitUntil(
        [&] { return link_.Find(lease_).has_value() && link_.Find(lease_)->completion.has_value(); });
  }
  bool WaitForIdle() {
    const int64_t now = link_.last_statement().sequence;
    return link_.WaitUntil([&] { return link_.last_statement().sequence > now && link_.last_statement().wants_work; });
  }
  void ExpectNothingIsLeft() {
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() + "/spool"));
    EXPECT_EQ(KillProcessesOfAttempt(AttemptToken(lease_)), 0);
  }

  const LeaseKey lease_ = TestLease(5);
  TempFolder folder_;
  FakeCoordinatorLink link_;
  RunnerOptions runner_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<Agent> agent_;
  std::thread thread_;
  absl::StatusOr<AgentEnd> end_ = absl::UnknownError("has not ended");
};

TEST_F(AgentProcessTest, AGoodRunnerMeasures) {
  Start("measure");
  ASSERT_TRUE(WaitForEnd());
  EXPECT_EQ(link_.Find(lease_)->completion->end, AttemptEnd::kSucceeded);
  ASSERT_THAT(link_.Find(lease_)->chunks, SizeIs(4));
  EXPECT_EQ(std::get<std::vector<Round>>(*DecodeChunk(link_.Find(lease_)->chunks[2])),
            std::vector<Round>{TestRound(1)});
}

TEST_F(AgentProcessTest, ARunnerThatDiesIsACrashWithItsLastWords) {
  Start("crash");
  ASSERT_TRUE(WaitForEnd());
  EXPECT_EQ(link_.Find(lease_)->completion->end, AttemptEnd::kCrashed);
  EXPECT_THAT(link_.Find(lease_)->completion->detail, HasSubstr("signal 9"));
  EXPECT_THAT(link_.Find(lease_)->completion->detail, HasSubstr("out of luck"));
  EXPECT_EQ(link_.Find(lease_)->completion->chunk_count, 2);
}

TEST_F(AgentProcessTest, ACancelledRunnerMayEndByItself) {
  Start("obey");
  ASSERT_TRUE(WaitForChunks(2));
  link_.Cancel(lease_);
  ASSERT_TRUE(WaitForEnd());
  EXPECT_EQ(link_.Find(lease_)->completion->end, AttemptEnd::kCancelled);
}

TEST_F(AgentProcessTest, ADeafRunnerIsKilledWhenItsRunIsCancelled) {
  Start("hang");
  ASSERT_TRUE(WaitForChunks(2));
  link_.Cancel(lease_);
  ASSERT_TRUE(WaitForEnd());
  EXPECT_EQ(link_.Find(lease_)->completion->end, AttemptEnd::kCancelled);
  ASSERT_TRUE(WaitForIdle());
  ExpectNothingIsLeft();
}

TEST_F(AgentProcessTest, ARunnerIsKilledWhenItsLeaseIsLost) {
  Start("hang");
  ASSERT_TRUE(WaitForChunks(2));
  link_.Lose(lease_);
  ASSERT_TRUE(WaitForIdle());
  EXPECT_FALSE(link_.Find(lease_)->completion.has_value());
  ExpectNothingIsLeft();
}

TEST_F(AgentProcessTest, ARunnerIsKilledWhenItsLeaseIsStale) {
  Start("rounds");
  ASSERT_TRUE(WaitForChunks(3));
  link_.LoseSilently(lease_);
  ASSERT_TRUE(WaitForIdle());
  EXPECT_FALSE(link_.Find(lease_)->completion.has_value());
  ExpectNothingIsLeft();
}

TEST_F(AgentProcessTest, AShutdownLeavesNoRunner) {
  Start("hang");
  ASSERT_TRUE(WaitForChunks(2));
  agent_->Shutdown("SIGTERM");
  thread_.join();
  EXPECT_EQ(link_.Find(lease_)->release_reason, "SIGTERM");
  ExpectNothingIsLeft();
}

}  // namespace
}  // namespace benchfleet
