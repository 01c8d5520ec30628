#include "worker/suites/wake/wake_subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/fakes/fake_process_spawner.h"
#include "tests/fakes/temp_folder.h"
#include "worker/suites/wake/child_report.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kInLoop[] = "handle_call.in_loop";

class WakeSubjectTest : public ::testing::Test {
 protected:
  void SetUp() override {
    programs_.epoll_program = folder_.Write("epoll", "program");
    programs_.runtime_library = folder_.Write("runtime", "library");
    programs_.python_module = folder_.Write("module", "module");
    programs_.python_driver = folder_.Write("driver", "driver");
    programs_.cpu = 1;
    host_.interpreters = {{"/usr/bin/python3.11", "3.11.2", "d1"},
                          {"/opt/a/python", "3.11.7", "d2"},
                          {"/opt/b/python", "3.11.7", "d3"},
                          {"/opt/c/python", "3.13.0", "d4"}};
    spec_ = {{"epoll"}, {}, {kInLoop}, {"socket", "lookup", "counted"}, "lookup"};
  }

  absl::StatusOr<std::unique_ptr<Subject>> Open() {
    return OpenWakeSubject(spec_, host_, spawner_, programs_, "token-1");
  }

  std::vector<std::string> CasePaths() {
    std::vector<std::string> paths;
    auto subject = Open();
    EXPECT_TRUE(subject.ok()) << subject.status();
    if (!subject.ok()) return paths;
    for (const SubjectCase& subject_case : (*subject)->cases()) paths.push_back(subject_case.case_path);
    return paths;
  }

  static MeasureRequest Request() {
    MeasureRequest request;
    request.arm = {absl::StrCat("epoll/", kInLoop), "lookup"};
    request.iterations = 10;
    request.batches = 2;
    request.timeout = absl::Seconds(5);
    return request;
  }

  // What a child that keeps its promise prints for Request().
  static std::string GoodReport(int64_t lookups = 20, absl::string_view times = "300, 200", int64_t iterations = 10) {
    return absl::StrCat("{\"batch_ns\": [", times, "], \"iterations\": ", iterations,
                        ", \"counters\": {\"lookups\": ", lookups,
                        ", \"direct_wakes\": 0, \"socket_wakes\": 0, \"socket_bytes_written\": 0, "
                        "\"socket_bytes_read\": 0, \"parks\": 0, \"resumes\": 0}}\n");
  }

  Sample MeasureWith(absl::StatusOr<ProcessResult> result) {
    answer_ = std::move(result);
    const auto subject = Open();
    EXPECT_TRUE(subject.ok()) << subject.status();
    return (*subject)->Measure(Request(), cancelled_);
  }

  TempFolder folder_;
  WakePrograms programs_;
  HostFacts host_;
  WakeSpec spec_;
  absl::StatusOr<ProcessResult> answer_ = FakeProcessSpawner::Exited(0, GoodReport());
  FakeProcessSpawner spawner_{[this](const Command&, const RunOptions&) { return answer_; }};
  std::atomic<bool> cancelled_{false};
};

TEST_F(WakeSubjectTest, CasesAreLoopsTimesCases) {
  spec_.loops = {"epoll", "asyncio"};
  spec_.cases = {kInLoop, "frame.ready"};
  EXPECT_THAT(CasePaths(), ElementsAre("epoll/handle_call.in_loop", "epoll/frame.ready",
                                       "asyncio@3.11.2/handle_call.in_loop", "asyncio@3.11.2/frame.ready",
                                       "asyncio@3.11.7/handle_call.in_loop", "asyncio@3.11.7/frame.ready",
                                       "asyncio@3.11.7+2/handle_call.in_loop", "asyncio@3.11.7+2/frame.ready",
                                       "asyncio@3.13.0/handle_call.in_loop", "asyncio@3.13.0/frame.ready"));
}

TEST_F(WakeSubjectTest, InterpretersAreChosenByWholeNumbersOfTheVersion) {
  spec_.loops = {"asyncio"};
  spec_.interpreters = {"3.13", "3.11.2"};
  EXPECT_THAT(CasePaths(), ElementsAre("asyncio@3.11.2/handle_call.in_loop", "asyncio@3.13.0/handle_call.in_loop"));
}

TEST_F(WakeSubjectTest, MissingInterpreterIsNamedWithThoseThereAre) {
  spec_.loops = {"asyncio"};
  for (const char* missing : {"3.1", "3.12", "3.11.22", "3.11.7.1"}) {
    spec_.interpreters = {"3.11", missing};
    const absl::Status status = Open().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << missing;
    EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("no CPython ", missing, ",")));
    EXPECT_THAT(std::string(status.message()), HasSubstr("3.11.2, 3.11.7, 3.11.7, 3.13.0"));
  }
}

TEST_F(WakeSubjectTest, AsyncioNeedsAnInterpreter) {
  host_.interpreters.clear();
  EXPECT_THAT(CasePaths(), ElementsAre("epoll/handle_call.in_loop"));
  spec_.loops = {"epoll", "asyncio"};
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kNotFound);
}

TEST_F(WakeSubjectTest, MissingProgramIsNamed) {
  programs_.epoll_program = folder_ / "nowhere";
  const absl::Status status = Open().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/nowhere"));
}

TEST_F(WakeSubjectTest, SubjectKeysTellApartWhatIsMeasured) {
  spec_.loops = {"epoll", "asyncio"};
  const auto subject = Open();
  ASSERT_TRUE(subject.ok());
  const auto& cases = (*subject)->cases();
  ASSERT_EQ(cases.size(), 5);
  std::set<std::string> digests;
  for (const SubjectCase& subject_case : cases) {
    EXPECT_THAT(subject_case.subject_key.digest, StartsWith("sk1:"));
    EXPECT_EQ(subject_case.subject_key.parts.at("suite_version"), absl::StrCat(wake::kSuiteVersion));
    digests.insert(subject_case.subject_key.digest);
  }
  EXPECT_EQ(digests.size(), 5);
  EXPECT_EQ(cases[1].subject_key.parts.at("interpreter"), "3.11.2");
  EXPECT_EQ(cases[1].subject_key.parts.at("interpreter_digest"), "d1");
  folder_.Write("runtime", "another library");
  const auto changed = Open();
  EXPECT_NE((*changed)->cases()[0].subject_key.digest, cases[0].subject_key.digest);
  EXPECT_EQ((*changed)->cases()[1].subject_key, cases[1].subject_key);
}

TEST_F(WakeSubjectTest, ComparesEveryVariantWithTheBaselineAndInsideWithOutside) {
  spec_.cases = {"handle_call.outside_loop", kInLoop, "frame.ready"};
  const auto subject = Open();
  ASSERT_TRUE(subject.ok());
  std::vector<std::string> lines;
  for (const ComparisonPlan& plan : (*subject)->comparisons()) {
    EXPECT_EQ(plan.measure, "wall");
    lines.push_back(absl::StrCat(plan.kind, " ", plan.base.case_path, " ", plan.base.variant, " ",
                                 plan.contender.case_path, " ", plan.contender.variant));
  }
  const std::string in = "epoll/handle_call.in_loop", out = "epoll/handle_call.outside_loop",
                    ready = "epoll/frame.ready";
  EXPECT_THAT(lines, ElementsAre(absl::StrCat("variant ", out, " lookup ", out, " socket"),
                                 absl::StrCat("variant ", out, " lookup ", out, " counted"),
                                 absl::StrCat("variant ", in, " lookup ", in, " socket"),
                                 absl::StrCat("variant ", in, " lookup ", in, " counted"),
                                 absl::StrCat("variant ", ready, " lookup ", ready, " socket"),
                                 absl::StrCat("variant ", ready, " lookup ", ready, " counted"),
                                 absl::StrCat("in_loop_against_outside ", out, " socket ", in, " socket"),
                                 absl::StrCat("in_loop_against_outside ", out, " lookup ", in, " lookup"),
                                 absl::StrCat("in_loop_against_outside ", out, " counted ", in, " counted")));
}

TEST_F(WakeSubjectTest, InsideIsComparedWithTheSameLoopsOutsideOnly) {
  spec_.loops = {"epoll", "asyncio"};
  spec_.interpreters = {"3.13"};
  spec_.cases = {kInLoop, "handle_call.outside_loop"};
  spec_.variants = {"lookup"};
  const auto subject = Open();
  ASSERT_TRUE(subject.ok());
  const auto plans = (*subject)->comparisons();
  ASSERT_EQ(plans.size(), 2);
  EXPECT_EQ(plans[0].base.case_path, "epoll/handle_call.outside_loop");
  EXPECT_EQ(plans[0].contender.case_path, "epoll/handle_call.in_loop");
  EXPECT_EQ(plans[1].base.case_path, "asyncio@3.13.0/handle_call.outside_loop");
  EXPECT_EQ(plans[1].contender.case_path, "asyncio@3.13.0/handle_call.in_loop");
}

TEST_F(WakeSubjectTest, MeasuresInACleanProcess) {
  const auto subject = Open();
  ASSERT_TRUE(subject.ok());
  MeasureRequest request = Request();
  request.conditioning = absl::Milliseconds(3);
  request.environment_padding = 5;
  const Sample sample = (*subject)->Measure(request, cancelled_);
  EXPECT_EQ(sample.outcome, SampleOutcome::kOk) << sample.failure;
  EXPECT_EQ(sample.arm, request.arm);
  EXPECT_EQ(sample.iterations, 10);
  EXPECT_THAT(sample.batch_ns, ElementsAre(300, 200));
  EXPECT_EQ(sample.counters.at("lookups"), 20);

  ASSERT_EQ(spawner_.calls().size(), 1);
  const FakeProcessSpawner::Call call = spawner_.calls()[0];
  EXPECT_THAT(call.command.argv, ElementsAre(programs_.epoll_program, "--case=handle_call.in_loop", "--variant=lookup",
                                             "--iterations=10", "--batches=2", "--conditioning_ns=3000000"));
  EXPECT_THAT(call.command.environment, ElementsAre("PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8",
                                                    "BENCHFLEET_ATTEMPT=token-1", "BENCHFLEET_PADDING=xxxxx"));
  EXPECT_EQ(call.command.cpu, 1);
  EXPECT_EQ(call.options.timeout, absl::Seconds(5));
  EXPECT_EQ(call.options.cancelled, &cancelled_);
  EXPECT_EQ(call.options.max_output_bytes, kMaxChildReportBytes);
}

TEST_F(WakeSubjectTest, PythonRunsIsolatedWithTheModulesPath) {
  spec_.loops = {"asyncio"};
  const auto subject = Open();
  ASSERT_TRUE(subject.ok());
  MeasureRequest request = Request();
  request.arm.case_path = "asyncio@3.11.7+2/handle_call.in_loop";
  EXPECT_EQ((*subject)->Measure(request, cancelled_).outcome, SampleOutcome::kOk);
  const std::vector<std::string> argv = spawner_.calls()[0].command.argv;
  ASSERT_GE(argv.size(), 5);
  EXPECT_EQ(argv[0], "/opt/b/python");
  EXPECT_EQ(argv[1], "-I");
  EXPECT_EQ(argv[2], programs_.python_driver);
  EXPECT_EQ(argv[3], "--module=" + programs_.python_module);
  EXPECT_EQ(argv[4], "--case=handle_call.in_loop");
}

TEST_F(WakeSubjectTest, UnknownArmStartsNothing) {
  const auto subject = Open();
  ASSERT_TRUE(subject.ok());
  for (const Arm& arm : {Arm{"epoll/frame.ready", "lookup"}, Arm{"epoll/handle_call.in_loop", "armed"}}) {
    MeasureRequest request = Request();
    request.arm = arm;
    const Sample sample = (*subject)->Measure(request, cancelled_);
    EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
    EXPECT_THAT(sample.failure, HasSubstr(arm.variant));
  }
  EXPECT_TRUE(spawner_.calls().empty());
}

TEST_F(WakeSubjectTest, OutcomesOfTheProcess) {
  Sample sample = MeasureWith(absl::ResourceExhaustedError("no process left"));
  EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
  EXPECT_THAT(sample.failure, HasSubstr("no process left"));

  sample = MeasureWith(FakeProcessSpawner::Exited(1, "", "the frames' sum is 3"));
  EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
  EXPECT_EQ(sample.failure, "exit code 1");
  EXPECT_EQ(sample.output, "the frames' sum is 3");

  sample = MeasureWith(FakeProcessSpawner::Signalled(11));
  EXPECT_EQ(sample.outcome, SampleOutcome::kSignalled);
  EXPECT_EQ(sample.failure, "killed by signal 11 (Segmentation fault)");

  sample = MeasureWith(FakeProcessSpawner::TimedOut());
  EXPECT_EQ(sample.outcome, SampleOutcome::kTimedOut);
  EXPECT_EQ(sample.failure, "killed after 5s");

  ProcessResult killed = FakeProcessSpawner::Signalled(9);
  killed.cancelled = true;
  sample = MeasureWith(killed);
  EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
  EXPECT_EQ(sample.failure, "cancelled");

  ProcessResult survived = FakeProcessSpawner::Exited(0, GoodReport());
  survived.survivors = 2;
  sample = MeasureWith(survived);
  EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
  EXPECT_EQ(sample.failure, "processes that outlived the program and were killed: 2");
}

TEST_F(WakeSubjectTest, OutputOfAFailureKeepsItsEnd) {
  const std::string text = std::string(kMaxFailureOutputBytes, 'a') + "the end";
  const Sample sample = MeasureWith(FakeProcessSpawner::Exited(1, "", text));
  EXPECT_EQ(sample.output.size(), kMaxFailureOutputBytes);
  EXPECT_TRUE(absl::EndsWith(sample.output, "the end"));
}

TEST_F(WakeSubjectTest, UsageAndTimeAreTheProcesses) {
  ProcessResult result = FakeProcessSpawner::Exited(0, GoodReport());
  result.end.usage.user_ns = 7;
  result.elapsed = absl::Milliseconds(9);
  const Sample sample = MeasureWith(result);
  EXPECT_EQ(sample.usage.user_ns, 7);
  EXPECT_EQ(sample.elapsed, absl::Milliseconds(9));
}

TEST_F(WakeSubjectTest, AnswersThatAreNotWhatWasAskedForFail) {
  const std::pair<std::string, const char*> answers[] = {
      {"", "not a JSON object"},
      {GoodReport(20, "300"), "measured 1 batches, asked for 2"},
      {GoodReport(20, "300, 200, 100"), "measured 3 batches, asked for 2"},
      {GoodReport(20, "300, 0"), "batch_ns[1]"},
      {GoodReport(20, "300, 200", 11), "measured 11 iterations, asked for 10"},
  };
  for (const auto& [text, why] : answers) {
    const Sample sample = MeasureWith(FakeProcessSpawner::Exited(0, text));
    EXPECT_EQ(sample.outcome, SampleOutcome::kFailed) << text;
    EXPECT_THAT(sample.failure, HasSubstr(why));
    EXPECT_EQ(sample.output, text);
  }
}

TEST_F(WakeSubjectTest, BrokenPromiseIsNoMeasurement) {
  const Sample sample = MeasureWith(FakeProcessSpawner::Exited(0, GoodReport(19)));
  EXPECT_EQ(sample.outcome, SampleOutcome::kBrokenPromise);
  EXPECT_THAT(sample.failure, HasSubstr("counter lookups is 19, promised is 20"));
}

}  // namespace
}  // namespace benchfleet
