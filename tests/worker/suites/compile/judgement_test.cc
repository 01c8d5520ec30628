#include "worker/suites/compile/judgement.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_process_spawner.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

CompileResult Compiled(absl::string_view probe, CompileOutcome outcome, int64_t output_bytes = 0,
                       std::string log = "") {
  CompileResult result;
  result.probe = probe;
  result.outcome = outcome;
  result.started = true;
  result.output_bytes = output_bytes;
  result.log = std::move(log);
  return result;
}

class JudgementTest : public testing::Test {
 protected:
  JudgementTest() {
    expected_.reference = {Compiled("a", CompileOutcome::kAccepted, 100), Compiled("b", CompileOutcome::kRefused),
                           Compiled("c", CompileOutcome::kAccepted, 50), Compiled("d", CompileOutcome::kCrashed)};
    expected_.limit = 2;
    expected_.timeout = absl::Minutes(2);
    pass_.compiles = expected_.reference;
    pass_.process.end.usage.user_ns = 5;
    pass_.process.elapsed = absl::Milliseconds(3);
    pass_.runner_cpu_ns = 4;
  }

  Sample Judge() {
    Sample sample;
    JudgePass(pass_, expected_, &sample);
    return sample;
  }
  void Expect(SampleOutcome outcome, const std::string& failure) {
    const Sample sample = Judge();
    EXPECT_EQ(sample.outcome, outcome) << sample.failure;
    EXPECT_EQ(sample.failure, failure);
  }

  PassResult pass_{FakeProcessSpawner::Exited(0, ""),
                   Compiled("a", CompileOutcome::kAccepted),
                   {},
                   PassFigures{1000, 900, 30, 2, 400, 2},
                   0};
  PassExpectation expected_;
};

TEST_F(JudgementTest, AGoodPassIsMeasured) {
  const Sample sample = Judge();
  EXPECT_EQ(sample.outcome, SampleOutcome::kOk) << sample.failure;
  EXPECT_EQ(sample.failure, "");
  EXPECT_THAT(sample.batch_ns, ElementsAre(1000));
  EXPECT_THAT(sample.measures_ns, UnorderedElementsAre(Pair("cpu", 900), Pair("overhead", 30), Pair("launch", 2),
                                                       Pair("longest", 400), Pair("runner_cpu", 4)));
  EXPECT_THAT(sample.counters, UnorderedElementsAre(Pair("compiles", 4), Pair("peak_children", 2), Pair("accepted", 2),
                                                    Pair("refused", 1), Pair("crashed", 1)));
  EXPECT_EQ(sample.usage.user_ns, 5);
  EXPECT_EQ(sample.elapsed, absl::Milliseconds(3));
}

TEST_F(JudgementTest, AnotherOutcomeFailsWithItsClass) {
  pass_.compiles[2] = Compiled("c", CompileOutcome::kKilled, 0,
                               "gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n");
  Expect(SampleOutcome::kFailed,
         "killed: c: expected accepted; gcc: fatal error: Killed signal terminated program cc1");
  EXPECT_EQ(Judge().output, pass_.compiles[2].log);
  pass_.compiles[1] = Compiled("b", CompileOutcome::kAccepted, 100);
  Expect(SampleOutcome::kFailed, "accepted: b: expected refused");
}

TEST_F(JudgementTest, OutputOfAnotherSizeFails) {
  pass_.compiles[2].output_bytes = 49;
  Expect(SampleOutcome::kFailed, "infrastructure: c: its output has 49 bytes, in the reference pass it had 50");
}

TEST_F(JudgementTest, OutputIsCutAtItsBegin) {
  pass_.compiles[0] = Compiled("a", CompileOutcome::kRefused, 0, std::string(kMaxFailureOutputBytes, 'x') + "end");
  EXPECT_EQ(Judge().output.size(), kMaxFailureOutputBytes);
  EXPECT_THAT(Judge().output, testing::EndsWith("xend"));
}

TEST_F(JudgementTest, PeakMustBeWithinTheLimitAndShowIt) {
  pass_.figures->peak = 3;
  Expect(SampleOutcome::kBrokenPromise, "3 compiles ran at once, promised are at most 2");
  pass_.figures->peak = 1;
  Expect(SampleOutcome::kBrokenPromise, "never two compiles ran at once, allowed are 2");
  expected_.limit = 1;
  Expect(SampleOutcome::kOk, "");
  expected_.limit = 2;
  // Three may miss each other.
  pass_.compiles.pop_back();
  expected_.reference.pop_back();
  Expect(SampleOutcome::kOk, "");
}

TEST_F(JudgementTest, TimeoutNamesWhatRan) {
  pass_.process = FakeProcessSpawner::TimedOut();
  pass_.figures = absl::UnavailableError("");
  Expect(SampleOutcome::kTimedOut, "timeout: the pass program had not ended after 2m");
  for (CompileResult& compile : pass_.compiles) compile = Compiled(compile.probe, CompileOutcome::kTimeout);
  pass_.compiles[1].started = false;
  pass_.compiles[2].log = "still at it";
  Expect(SampleOutcome::kTimedOut, "timeout: a, c, d had not ended after 2m");
  const std::vector<std::string> probes = {"p1", "p2", "p3"};
  for (const std::string& probe : probes) pass_.compiles.push_back(Compiled(probe, CompileOutcome::kTimeout));
  Expect(SampleOutcome::kTimedOut, "timeout: a, c, d, p1, p2 and 1 more had not ended after 2m");
  EXPECT_TRUE(Judge().batch_ns.empty());
  pass_.conditioning.outcome = CompileOutcome::kTimeout;
  EXPECT_THAT(Judge().failure, StartsWith("timeout: a (conditioning), a, c"));
}

TEST_F(JudgementTest, EndsOfThePassProgram) {
  const PassResult good = pass_;
  pass_.process = FakeProcessSpawner::Signalled(11);
  Expect(SampleOutcome::kSignalled, "the pass program was killed by signal 11 (Segmentation fault)");
  pass_.process = FakeProcessSpawner::Exited(1, "", "benchfleet-compile-pass: a helper died\n");
  Expect(SampleOutcome::kFailed,
         "infrastructure: the pass program ended with exit code 1; benchfleet-compile-pass: a helper died");
  EXPECT_EQ(Judge().output, "benchfleet-compile-pass: a helper died\n");
  pass_.process = FakeProcessSpawner::Signalled(9);
  pass_.process.cancelled = true;
  Expect(SampleOutcome::kFailed, "cancelled");
  pass_ = good;
  pass_.process.survivors = 2;
  Expect(SampleOutcome::kFailed, "infrastructure: 2 processes outlived the pass and were killed");
  pass_.process.survivors = 1;
  Expect(SampleOutcome::kFailed, "infrastructure: 1 process outlived the pass and was killed");
  pass_ = good;
  pass_.figures = absl::DataLossError("compile 2 has no end");
  Expect(SampleOutcome::kFailed, "infrastructure: compile 2 has no end");
}

class ReferenceTest : public testing::Test {
 protected:
  ReferenceTest() {
    for (const Probe& probe : ProbesOf("c")) {
      const bool control = probe.kind == ProbeKind::kControl || probe.kind == ProbeKind::kLinkControl;
      pass_.compiles.push_back(
          Compiled(probe.name, control ? CompileOutcome::kRefused : CompileOutcome::kAccepted, 100, "error: why\n"));
    }
  }
  CompileResult& Of(absl::string_view probe) {
    for (CompileResult& compile : pass_.compiles) {
      if (compile.probe == probe) return compile;
    }
    ADD_FAILURE() << probe;
    return pass_.compiles[0];
  }
  std::string Check(absl::string_view mode = "link") {
    const absl::Status status = CheckReference(pass_, "c", mode, absl::Seconds(7));
    EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kFailedPrecondition);
    return std::string(status.message());
  }

  PassResult pass_{FakeProcessSpawner::Exited(0, ""), {}, {}, PassFigures{1000, 900, 30, 2, 400, 1}, 0};
};

TEST_F(ReferenceTest, FeaturesMayBeWhateverTheCompilerDecides) {
  EXPECT_EQ(Check(), "");
  for (const CompileOutcome outcome : {CompileOutcome::kRefused, CompileOutcome::kCrashed}) {
    Of("c23_bitint").outcome = outcome;
    EXPECT_EQ(Check(), "");
  }
  for (const CompileOutcome outcome :
       {CompileOutcome::kKilled, CompileOutcome::kInfrastructure, CompileOutcome::kTimeout}) {
    Of("c23_bitint").outcome = outcome;
    EXPECT_THAT(Check(), HasSubstr(": c23_bitint; error: why"));
  }
}

TEST_F(ReferenceTest, ControlsMustBeRefused) {
  Of("neg_link").outcome = CompileOutcome::kAccepted;
  EXPECT_EQ(Check("compile"), "");
  EXPECT_EQ(Check("link"), "accepted: neg_link, which every compiler must refuse; error: why");
  Of("neg_header").outcome = CompileOutcome::kAccepted;
  EXPECT_THAT(Check("compile"), StartsWith("accepted: neg_header"));
  Of("neg_syntax").outcome = CompileOutcome::kCrashed;
  EXPECT_THAT(Check("compile"), StartsWith("crashed: neg_syntax"));
}

TEST_F(ReferenceTest, TheMinimalProgramMustBeAccepted) {
  Of("c_minimal").outcome = CompileOutcome::kRefused;
  EXPECT_EQ(Check(), "refused: c_minimal, which every compiler must accept; error: why");
}

TEST_F(ReferenceTest, ThePassMustBeOne) {
  pass_.process.survivors = 3;
  EXPECT_EQ(Check(), "infrastructure: 3 processes outlived the pass and were killed");
  pass_.process = FakeProcessSpawner::TimedOut();
  EXPECT_EQ(Check(), "timeout: the pass program had not ended after 7s");
  pass_.process = FakeProcessSpawner::Exited(0, "");
  pass_.figures->peak = 2;
  EXPECT_THAT(Check(), HasSubstr("2 compiles ran at once"));
}

}  // namespace
}  // namespace benchfleet
