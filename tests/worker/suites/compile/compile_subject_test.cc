#include "worker/suites/compile/compile_subject.h"

#include <stdlib.h>
#include <sys/resource.h>

#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"
#include "tests/worker/suites/compile/fake_pass.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Compiler Of(const char* name, const char* language, const char* version) {
  Compiler compiler;
  compiler.name = name;
  compiler.version = version;
  compiler.language = language;
  compiler.path = absl::StrCat("/bin/", name);
  compiler.digest = absl::StrCat("digest of ", name);
  compiler.target = "x86_64-linux-gnu";
  compiler.version_text = absl::StrCat(name, " (Debian) ", version);
  compiler.stage_digests = {{"as", "d-as"}};
  return compiler;
}

// Every pass is a fake one; files and folders are real.
class CompileSubjectTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
    programs_.pass_program = folder_.Write("pass-program", "program");
    programs_.python_driver = folder_.Write("driver", "driver");
    std::filesystem::copy(BENCHFLEET_SOURCE_DIR "/worker/suites/compile/probes", folder_ / "probes",
                          std::filesystem::copy_options::recursive);
    programs_.probes_folder = folder_ / "probes";
    host_.cpus = 2;
    host_.compilers = {Of("gcc", "c", "12.2.0"), Of("gfortran", "fortran", "12.2.0")};
    host_.interpreters = {{"/a/python", "3.11.2", "d1"}};
    spec_.modes = {"compile", "link"};
    spec_.variants = {"serial", "threads", "event_loop", "asyncio"};
  }
  void TearDown() override { ::unsetenv("TMPDIR"); }

  absl::StatusOr<std::unique_ptr<Subject>> Open() {
    return OpenCompileSubject(
        spec_, host_, spawner_, programs_, "token-1",
        [this](const std::string& message) { progress_.push_back(message); }, cancelled_);
  }
  std::unique_ptr<Subject> MustOpen() {
    absl::StatusOr<std::unique_ptr<Subject>> subject = Open();
    EXPECT_TRUE(subject.ok()) << subject.status();
    return subject.ok() ? *std::move(subject) : nullptr;
  }
  // Only gcc, linking, two at once, natively.
  void BeSmall() {
    spec_.compilers = {{"gcc", "12"}};
    spec_.modes = {"link"};
    spec_.limits = {2};
    spec_.variants = {"serial", "threads"};
  }
  static MeasureRequest Request(const std::string& variant = "threads") {
    MeasureRequest request;
    request.arm = {"gcc@12.2.0/link/j2", variant};
    request.timeout = absl::Seconds(50);
    request.environment_padding = 5;
    return request;
  }

  TempFolder folder_;
  CompilePrograms programs_;
  HostFacts host_;
  CompileSpec spec_;
  FakePass pass_;
  FakeProcessSpawner spawner_{
      [this](const Command& command, const RunOptions& options) { return pass_.Run(command, options); }};
  std::vector<std::string> progress_;
  std::atomic<bool> cancelled_{false};
};

TEST_F(CompileSubjectTest, CasesAreCompilersTimesModesTimesLimits) {
  spec_.limits = {1, 2};
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  std::vector<std::string> paths;
  for (const SubjectCase& subject_case : subject->cases()) {
    paths.push_back(subject_case.case_path);
    EXPECT_THAT(subject_case.variants, ElementsAre("serial", "threads", "event_loop", "asyncio@3.11.2"));
    EXPECT_TRUE(subject_case.whole_operation);
  }
  EXPECT_THAT(paths, ElementsAre("gcc@12.2.0/compile/j1", "gcc@12.2.0/compile/j2", "gcc@12.2.0/link/j1",
                                 "gcc@12.2.0/link/j2", "gfortran@12.2.0/compile/j1", "gfortran@12.2.0/compile/j2",
                                 "gfortran@12.2.0/link/j1", "gfortran@12.2.0/link/j2"));
  EXPECT_EQ(subject->cases()[0].usable_cpus, 1.0);
  EXPECT_EQ(subject->cases()[1].usable_cpus, 2.0);
  EXPECT_THAT(progress_,
              ElementsAre("finding what gcc@12.2.0/compile can do", "finding what gcc@12.2.0/link can do",
                          "finding what gfortran@12.2.0/compile can do", "finding what gfortran@12.2.0/link can do"));
}

TEST_F(CompileSubjectTest, UsableCpusAreBoundedByTheHost) {
  BeSmall();
  spec_.limits = {1, 4};
  host_.host_key.parts["cpu_quota"] = "1.5";
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(subject->cases()[0].usable_cpus, 1.0);
  EXPECT_EQ(subject->cases()[1].usable_cpus, 1.5);
}

TEST_F(CompileSubjectTest, BaselinesAreComparedWithAllAndOnceWithEachOther) {
  BeSmall();
  spec_.variants = {"serial", "threads", "event_loop", "asyncio"};
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  std::vector<std::string> lines;
  for (const ComparisonPlan& plan : subject->comparisons()) {
    EXPECT_EQ(plan.kind, "variant");
    EXPECT_EQ(plan.measure, "wall");
    EXPECT_EQ(plan.base.case_path, "gcc@12.2.0/link/j2");
    EXPECT_EQ(plan.contender.case_path, "gcc@12.2.0/link/j2");
    lines.push_back(absl::StrCat(plan.contender.variant, " / ", plan.base.variant));
  }
  EXPECT_THAT(lines, ElementsAre("event_loop / threads", "asyncio@3.11.2 / threads", "threads / serial",
                                 "event_loop / serial", "asyncio@3.11.2 / serial"));
}

TEST_F(CompileSubjectTest, CapabilitiesAreWhatTheReferencePassFound) {
  pass_.compiles["f2008block"] = {1, "f2008block.f90:5:2: Error: no\n", 0};
  pass_.compiles["f2023enum"] = {4, "f951: internal compiler error: Segmentation fault\n", 0};
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  const std::vector<Capability> found = subject->capabilities();
  EXPECT_EQ(found.size(), 2u * (15 + 19));
  EXPECT_THAT(found, Contains(Capability{"gfortran", "12.2.0", "link", "f2008block", CompileOutcome::kRefused}));
  EXPECT_THAT(found, Contains(Capability{"gfortran", "12.2.0", "link", "f2023enum", CompileOutcome::kCrashed}));
  EXPECT_THAT(found, Contains(Capability{"gcc", "12.2.0", "compile", "c_minimal", CompileOutcome::kAccepted}));
  EXPECT_THAT(found, Contains(Capability{"gcc", "12.2.0", "compile", "neg_link", CompileOutcome::kAccepted}));
  EXPECT_THAT(found, Contains(Capability{"gcc", "12.2.0", "link", "neg_link", CompileOutcome::kRefused}));
}

TEST_F(CompileSubjectTest, SubjectKeysTellApartWhatIsMeasured) {
  std::set<std::string> digests;
  const auto add = [&] {
    const auto subject = MustOpen();
    for (const SubjectCase& subject_case : subject->cases()) digests.insert(subject_case.subject_key.digest);
    return subject->cases()[0].subject_key;
  };
  const Key key = add();
  EXPECT_EQ(digests.size(), 4u);  // two compilers, two modes; a limit is no subject
  EXPECT_THAT(key.digest, StartsWith("sk1:"));
  for (const auto& [part, value] : std::map<std::string, std::string>{{"compiler", "gcc"},
                                                                      {"compiler_version", "12.2.0"},
                                                                      {"compiler_digest", "digest of gcc"},
                                                                      {"target", "x86_64-linux-gnu"},
                                                                      {"version_text", "gcc (Debian) 12.2.0"},
                                                                      {"stage_as", "d-as"},
                                                                      {"language", "c"},
                                                                      {"mode", "compile"},
                                                                      {"interpreter@3.11.2", "d1"},
                                                                      {"suite_version", "1"}}) {
    EXPECT_EQ(key.parts.at(part), value) << part;
  }
  // Each of these changes something; what does not concern a compiler leaves its keys alone.
  folder_.Write("pass-program", "another");
  add();
  EXPECT_EQ(digests.size(), 8u);
  folder_.Write("driver", "another");
  add();
  EXPECT_EQ(digests.size(), 12u);
  folder_.Write("probes/c/c_minimal.c", "int main(void) { return 1; }\n");
  add();
  EXPECT_EQ(digests.size(), 14u);
  host_.compilers[0].stage_digests["as"] = "another";
  add();
  EXPECT_EQ(digests.size(), 16u);
  host_.interpreters[0].digest = "another";
  add();
  EXPECT_EQ(digests.size(), 20u);
  // Without Python, Python does not matter.
  spec_.variants = {"serial", "threads"};
  add();
  EXPECT_EQ(digests.size(), 24u);
  host_.interpreters[0].digest = "yet another";
  add();
  EXPECT_EQ(digests.size(), 24u);
}

TEST_F(CompileSubjectTest, AReferencePassIsSerialAndNative) {
  BeSmall();
  spec_.pass_timeout = absl::Seconds(33);
  MustOpen();
  ASSERT_EQ(spawner_.calls().size(), 1u);
  EXPECT_EQ(pass_.command.argv[0], programs_.pass_program);
  EXPECT_EQ(pass_.Option("--strategy="), "serial");
  EXPECT_EQ(pass_.Option("--limit="), "1");
  EXPECT_EQ(pass_.options.timeout, absl::Seconds(33));
  EXPECT_EQ(pass_.options.cancelled, &cancelled_);
}

TEST_F(CompileSubjectTest, AVoidCompilerIsLeftOut) {
  host_.compilers = {Of("gcc", "c", "12.2.0"), Of("gfortran", "fortran", "12.2.0")};
  pass_.compiles["minimal"] = {1, "ld: cannot find -lFortranRuntime\nflang: error: linker command failed\n", 0};
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(subject->cases().size(), 2u);
  EXPECT_EQ(subject->capabilities().size(), 30u);
  EXPECT_THAT(progress_, Contains("left out: gfortran@12.2.0/link is void: refused: minimal, which every compiler must "
                                  "accept; flang: error: linker command failed"));
  // Named, it is an error; so it is when nothing is left.
  spec_.compilers = {{"gcc", ""}, {"gfortran", "12"}};
  const absl::Status named = Open().status();
  EXPECT_EQ(named.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(named.message()), StartsWith("compilers: gfortran@12.2.0/compile is void: refused: minimal"));
  spec_.compilers.clear();
  pass_.compiles["c_minimal"] = {1, "", 0};
  const absl::Status none = Open().status();
  EXPECT_EQ(none.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(none.message()), StartsWith("compilers: none is usable: gcc@12.2.0/compile is void"));
}

TEST_F(CompileSubjectTest, WhatTheHostLacksIsAnError) {
  spec_.compilers = {{"clang", ""}};
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kFailedPrecondition);
  spec_.compilers.clear();
  spec_.interpreters = {"3.12"};
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kNotFound);
  spec_.interpreters.clear();
  programs_.pass_program = folder_ / "nowhere";
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(spawner_.calls(), IsEmpty());
}

TEST_F(CompileSubjectTest, ALimitMustFitThisProcess) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  BeSmall();
  spec_.limits = {20};
  rlimit small = before;
  small.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &small), 0);
  const absl::Status status = Open().status();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("20 compiles at once need 124 descriptors"));
}

TEST_F(CompileSubjectTest, CancellingEndsTheOpening) {
  pass_.result = FakeProcessSpawner::Signalled(9);
  pass_.result.cancelled = true;
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(spawner_.calls().size(), 1u);
}

TEST_F(CompileSubjectTest, APassThatCannotBeStartedIsNoVoidCompiler) {
  FakeProcessSpawner broken(
      [](const Command&, const RunOptions&) { return absl::ResourceExhaustedError("no process"); });
  const auto progress = [](const std::string&) {};
  EXPECT_EQ(OpenCompileSubject(spec_, host_, broken, programs_, "t", progress, cancelled_).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(CompileSubjectTest, MeasuresInAPrivateFolder) {
  BeSmall();
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  pass_.parallel = true;
  const Sample sample = subject->Measure(Request(), cancelled_);
  EXPECT_EQ(sample.outcome, SampleOutcome::kOk) << sample.failure;
  EXPECT_EQ(sample.arm, Request().arm);
  EXPECT_EQ(sample.iterations, 1);
  EXPECT_EQ(sample.batch_ns.size(), 1u);
  EXPECT_EQ(sample.counters.at("compiles"), 15);
  EXPECT_EQ(sample.counters.at("peak_children"), 2);
  EXPECT_EQ(sample.counters.at("accepted"), 12);
  EXPECT_EQ(sample.counters.at("refused"), 3);
  EXPECT_EQ(sample.counters.size(), 4u);
  EXPECT_EQ(sample.measures_ns.at("launch"), 10);
  EXPECT_EQ(sample.measures_ns.at("cpu"), 15 * 200 + 1000);
  EXPECT_EQ(sample.measures_ns.at("overhead"), 1000);

  EXPECT_EQ(pass_.Option("--strategy="), "threads");
  EXPECT_EQ(pass_.Option("--limit="), "2");
  EXPECT_EQ(pass_.options.timeout, absl::Seconds(50));
  ASSERT_EQ(pass_.argvs.size(), 16u);
  EXPECT_EQ(pass_.argvs[0].back(), folder_ / "probes/c/c_minimal.c");
  EXPECT_EQ(pass_.argvs[1].back(), folder_ / "probes/c/c_minimal.c");
  std::set<std::string> outputs;
  for (const std::vector<std::string>& argv : pass_.argvs)
    outputs.insert(*(std::find(argv.begin(), argv.end(), "-o") + 1));
  EXPECT_EQ(outputs.size(), 16u);
  EXPECT_THAT(pass_.command.environment, Contains("BENCHFLEET_ATTEMPT=token-1"));
  EXPECT_THAT(pass_.command.environment, Contains("BENCHFLEET_PADDING=xxxxx"));
  EXPECT_EQ(pass_.command.cpu, std::nullopt);
  EXPECT_THAT(pass_.command.working_directory, StartsWith(folder_ / "benchfleet-compile-"));
}

TEST_F(CompileSubjectTest, PythonRunsIsolated) {
  BeSmall();
  spec_.variants = {"serial", "threads", "asyncio"};
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  pass_.parallel = true;
  EXPECT_EQ(subject->Measure(Request("asyncio@3.11.2"), cancelled_).outcome, SampleOutcome::kOk);
  EXPECT_EQ(pass_.command.argv[0], "/a/python");
  EXPECT_EQ(pass_.command.argv[1], "-I");
  EXPECT_EQ(pass_.command.argv[2], programs_.python_driver);
  EXPECT_EQ(pass_.Option("--strategy="), "asyncio");
}

TEST_F(CompileSubjectTest, SerialMayRunOneAtATimeWhateverTheLimit) {
  BeSmall();
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(subject->Measure(Request("serial"), cancelled_).outcome, SampleOutcome::kOk);
  EXPECT_EQ(subject->Measure(Request("threads"), cancelled_).outcome, SampleOutcome::kBrokenPromise);
  pass_.parallel = true;
  EXPECT_EQ(subject->Measure(Request("serial"), cancelled_).outcome, SampleOutcome::kBrokenPromise);
}

TEST_F(CompileSubjectTest, TheShorterTimeoutCounts) {
  BeSmall();
  spec_.pass_timeout = absl::Seconds(7);
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  pass_.result = FakeProcessSpawner::TimedOut();
  pass_.compiles["c11_atomic"].ends = false;
  const Sample sample = subject->Measure(Request(), cancelled_);
  EXPECT_EQ(pass_.options.timeout, absl::Seconds(7));
  EXPECT_EQ(sample.outcome, SampleOutcome::kTimedOut);
  EXPECT_EQ(sample.failure, "timeout: c11_atomic had not ended after 7s");
}

TEST_F(CompileSubjectTest, FindingsThatDifferFailAndTheNextPassIsWhole) {
  BeSmall();
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  pass_.parallel = true;
  const struct {
    FakeCompile compile;
    const char* failure;
  } cases[] = {
      {{1, "c11_atomic.c:1: error: no\n", 0}, "refused: c11_atomic: expected accepted; c11_atomic.c:1: error: no"},
      {{-9, "", 0}, "killed: c11_atomic: expected accepted; ended by signal 9 (Killed)"},
      {{0, "", 0}, "infrastructure: c11_atomic: expected accepted; exit code 0 and no output"},
      {{1, "", 0}, "infrastructure: c11_atomic: expected accepted; exit code 1 and no output"},
      {{0, "", 99}, "infrastructure: c11_atomic: its output has 99 bytes, in the reference pass it had 100"},
      {{0, "", 0, 11},
       "infrastructure: c11_atomic: expected accepted; could not be started: Resource temporarily unavailable"},
      {{0, "", 100, kUnset, false}, "infrastructure: compile 6 has no end"},
  };
  for (const auto& one : cases) {
    pass_.compiles["c11_atomic"] = one.compile;
    const Sample sample = subject->Measure(Request(), cancelled_);
    EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
    EXPECT_EQ(sample.failure, one.failure);
    pass_.compiles.clear();
    EXPECT_EQ(subject->Measure(Request(), cancelled_).outcome, SampleOutcome::kOk);
  }
}

TEST_F(CompileSubjectTest, OfALogOnlyTheEndIsRead) {
  BeSmall();
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  pass_.parallel = true;
  const std::string last = "gcc: fatal error: Killed signal terminated program cc1\n";
  pass_.compiles["c11_atomic"] = {1, std::string(300'000, 'x') + "\n" + last, 0};
  const Sample sample = subject->Measure(Request(), cancelled_);
  EXPECT_THAT(sample.failure, StartsWith("killed: c11_atomic"));
  EXPECT_EQ(sample.output.size(), kMaxFailureOutputBytes);
  EXPECT_THAT(sample.output, testing::EndsWith(last));
}

TEST_F(CompileSubjectTest, UnknownArmStartsNothing) {
  BeSmall();
  const auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  const size_t calls = spawner_.calls().size();
  for (const Arm& arm : {Arm{"gcc@12.2.0/link/j3", "threads"}, Arm{"gcc@12.2.0/link/j2", "asyncio"}}) {
    MeasureRequest request = Request();
    request.arm = arm;
    const Sample sample = subject->Measure(request, cancelled_);
    EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
    EXPECT_THAT(sample.failure, HasSubstr(absl::StrCat(arm.case_path, " ", arm.variant)));
  }
  EXPECT_EQ(spawner_.calls().size(), calls);
}

TEST_F(CompileSubjectTest, AFolderThatIsGoneFailsTheSampleOnly) {
  BeSmall();
  auto subject = MustOpen();
  ASSERT_NE(subject, nullptr);
  const std::string scratch = std::filesystem::path(pass_.command.working_directory).parent_path().parent_path();
  std::filesystem::remove_all(scratch);
  folder_.Write(std::filesystem::path(scratch).filename(), "a file");
  const Sample sample = subject->Measure(Request(), cancelled_);
  EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
  EXPECT_THAT(sample.failure, StartsWith("infrastructure: "));
  EXPECT_THAT(sample.failure, HasSubstr(scratch));
}

TEST_F(CompileSubjectTest, LeavesNoFolder) {
  BeSmall();
  MustOpen();
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_THAT(std::string(entry.path().filename()), testing::Not(StartsWith("benchfleet-compile-")));
  }
}

}  // namespace
}  // namespace benchfleet
