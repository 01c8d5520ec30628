// The real pass programs with compilers that misbehave, and with a real one.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/base/uuid.h"
#include "common/os/compilers.h"
#include "common/os/interpreters.h"
#include "common/os/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"
#include "worker/runner/reaping_spawner.h"
#include "worker/suites/compile/compile_subject.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kProbe[] = "c11_generic";
constexpr absl::Duration kEnough = absl::Minutes(1);
// For what hangs; long enough for every strategy to come to it on a busy machine.
constexpr absl::Duration kShort = absl::Seconds(3);

const std::vector<Interpreter>& Interpreters() {
  static const auto* const found = [] {
    PosixProcessSpawner spawner;
    return new std::vector<Interpreter>(FindInterpreters(spawner, {}));
  }();
  return *found;
}

// What is measured is orphaned to this process, as it is to the runner.
class CompileRobustnessTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const absl::StatusOr<CompilePrograms> programs = FindCompileProgramsFrom(BENCHFLEET_BIN_DIR);
    ASSERT_TRUE(programs.ok()) << programs.status();
    programs_ = *programs;
    std::filesystem::copy_file(BENCHFLEET_MISBEHAVING_COMPILER, folder_ / "cc");
    Compiler compiler;
    compiler.name = "gcc";
    compiler.version = "1.0";
    compiler.language = "c";
    compiler.path = folder_ / "cc";
    host_.compilers = {compiler};
    host_.cpus = 2;
    spec_.modes = {"link"};
    spec_.limits = {2};
    spec_.variants = {"serial", "threads", "processes", "event_loop"};
    if (Interpreters().empty()) return;
    host_.interpreters = {Interpreters().front()};
    spec_.variants.insert(spec_.variants.end(), {"asyncio", "thread_pool_executor", "process_pool_executor"});
  }
  void TearDown() override {
    EXPECT_EQ(KillProcessesOfAttempt(token_), 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  }

  void Open() {
    auto subject = OpenCompileSubject(
        spec_, host_, spawner_, programs_, token_, [](const std::string&) {}, cancelled_);
    ASSERT_TRUE(subject.ok()) << subject.status();
    subject_ = *std::move(subject);
  }

  Sample Measure(const std::string& variant, absl::Duration timeout = kEnough) {
    MeasureRequest request;
    request.arm = {subject_->cases()[0].case_path, variant};
    request.timeout = timeout;
    return subject_->Measure(request, cancelled_);
  }
  void Behave() const { std::filesystem::remove(folder_ / "cc.conf"); }
  void Misbehave(const std::string& deed) const { folder_.Write("cc.conf", absl::StrCat(kProbe, " ", deed)); }

  const TempFolder folder_;
  const std::string token_ = UuidV4();
  CompilePrograms programs_;
  HostFacts host_;
  CompileSpec spec_;
  ReapingSpawner spawner_;
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<Subject> subject_;
};

struct Misdeed {
  const char* deed;
  SampleOutcome outcome;
  const char* failure;
  absl::Duration timeout = kEnough;
};

const Misdeed kMisdeeds[] = {
    {"hang", SampleOutcome::kTimedOut, "timeout: c11_generic", kShort},
    {"crash", SampleOutcome::kFailed, "crashed: c11_generic: expected accepted"},
    {"flood", SampleOutcome::kFailed, "killed: c11_generic: expected accepted"},
    {"leave_child", SampleOutcome::kFailed, "infrastructure: 1 process outlived the pass and was killed"},
    {"leave_session", SampleOutcome::kFailed, "infrastructure: 1 process outlived the pass and was killed"},
    {"eagain", SampleOutcome::kFailed,
     "infrastructure: c11_generic: expected accepted; gcc: fatal error: cannot execute"},
    {"no_output", SampleOutcome::kFailed, "infrastructure: c11_generic: expected accepted"},
};

TEST_F(CompileRobustnessTest, EveryMisdeedFailsItsSampleAndNoOther) {
  Open();
  ASSERT_NE(subject_, nullptr);
  ASSERT_THAT(subject_->capabilities(),
              Contains(Capability{"gcc", "1.0", "link", "neg_link", CompileOutcome::kRefused}));
  for (const std::string& variant : subject_->cases()[0].variants) {
    for (const Misdeed& misdeed : kMisdeeds) {
      SCOPED_TRACE(absl::StrCat(variant, " ", misdeed.deed));
      Misbehave(misdeed.deed);
      const Sample sample = Measure(variant, misdeed.timeout);
      EXPECT_EQ(sample.outcome, misdeed.outcome) << sample.failure;
      EXPECT_THAT(sample.failure, StartsWith(misdeed.failure)) << sample.output;
      EXPECT_EQ(KillProcessesOfAttempt(token_), 0);
      Behave();
      const Sample sound = Measure(variant);
      EXPECT_EQ(sound.outcome, SampleOutcome::kOk) << sound.failure << sound.output;
    }
  }
}

TEST_F(CompileRobustnessTest, ACompilerThatVanishesFailsItsSample) {
  Open();
  ASSERT_NE(subject_, nullptr);
  for (const std::string& variant : subject_->cases()[0].variants) {
    SCOPED_TRACE(variant);
    Misbehave("vanish");
    const Sample sample = Measure(variant);
    EXPECT_EQ(sample.outcome, SampleOutcome::kFailed);
    EXPECT_THAT(sample.failure, StartsWith("infrastructure: "));
    EXPECT_THAT(sample.failure, HasSubstr("could not be started: No such file or directory"));
    std::filesystem::copy_file(BENCHFLEET_MISBEHAVING_COMPILER, folder_ / "cc");
    Behave();
    EXPECT_EQ(Measure(variant).outcome, SampleOutcome::kOk);
  }
}

TEST_F(CompileRobustnessTest, ACancelledPassEndsWithAllItStarted) {
  Open();
  ASSERT_NE(subject_, nullptr);
  ASSERT_EQ(::mkfifo((folder_ / "cc.ready").c_str(), 0600), 0);
  // Open at both ends, so that neither side waits for the other.
  const UniqueFd ready(::open((folder_ / "cc.ready").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(ready.valid());
  Misbehave("hang");
  for (const std::string& variant : subject_->cases()[0].variants) {
    cancelled_ = false;
    std::thread canceller([&] {
      char byte;
      EXPECT_EQ(::read(ready.get(), &byte, 1), 1);
      cancelled_ = true;
    });
    const Sample sample = Measure(variant);
    // Should it never have hung, nobody has cancelled it.
    if (!cancelled_) {
      EXPECT_EQ(::write(ready.get(), "x", 1), 1);
    }
    canceller.join();
    EXPECT_EQ(sample.outcome, SampleOutcome::kFailed) << variant;
    EXPECT_EQ(sample.failure, "cancelled") << variant;
    EXPECT_EQ(KillProcessesOfAttempt(token_), 0) << variant;
  }
}

TEST_F(CompileRobustnessTest, MisdeedsInTheReferencePassMakeACompilerVoid) {
  spec_.pass_timeout = kShort;
  for (const Misdeed& misdeed : kMisdeeds) {
    if (absl::StrContains(misdeed.deed, "crash")) continue;  // a finding, like any other
    Misbehave(misdeed.deed);
    const auto opened = OpenCompileSubject(
        spec_, host_, spawner_, programs_, token_, [](const std::string&) {}, cancelled_);
    EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition) << misdeed.deed;
    EXPECT_THAT(std::string(opened.status().message()), HasSubstr("gcc@1.0/link is void: ")) << misdeed.deed;
    EXPECT_EQ(KillProcessesOfAttempt(token_), 0) << misdeed.deed;
  }
}

TEST_F(CompileRobustnessTest, ARealCompilerIsMeasuredByEveryStrategy) {
  PosixProcessSpawner spawner;
  std::optional<Compiler> gcc;
  for (const Compiler& compiler : FindCompilers(spawner, {})) {
    if (compiler.name == "gcc") gcc = compiler;
  }
  if (!gcc.has_value()) GTEST_SKIP() << "no gcc here";
  host_.compilers = {*gcc};
  spec_.modes = {"compile", "link"};
  Open();
  ASSERT_NE(subject_, nullptr);
  for (const char* mode : {"compile", "link"}) {
    const bool links = absl::string_view(mode) == "link";
    const struct {
      const char* probe;
      CompileOutcome outcome;
    } expected[] = {{"c_minimal", CompileOutcome::kAccepted},
                    {"neg_syntax", CompileOutcome::kRefused},
                    {"neg_header", CompileOutcome::kRefused},
                    {"neg_link", links ? CompileOutcome::kRefused : CompileOutcome::kAccepted}};
    for (const auto& one : expected) {
      EXPECT_THAT(subject_->capabilities(), Contains(Capability{"gcc", gcc->version, mode, one.probe, one.outcome}));
    }
  }
  for (const SubjectCase& subject_case : subject_->cases()) {
    for (const std::string& variant : subject_case.variants) {
      MeasureRequest request;
      request.arm = {subject_case.case_path, variant};
      request.timeout = kEnough;
      const Sample sample = subject_->Measure(request, cancelled_);
      EXPECT_EQ(sample.outcome, SampleOutcome::kOk) << variant << ": " << sample.failure << sample.output;
      ASSERT_EQ(sample.batch_ns.size(), 1u);
      EXPECT_GT(sample.batch_ns[0], 0);
      EXPECT_EQ(sample.counters.at("compiles"), 15);
      EXPECT_EQ(sample.counters.at("peak_children"), variant == "serial" ? 1 : 2);
      EXPECT_GT(sample.measures_ns.at("cpu"), sample.measures_ns.at("overhead"));
      EXPECT_GT(sample.measures_ns.at("overhead"), 0);
      EXPECT_GT(sample.measures_ns.at("launch"), 0);
      EXPECT_GE(sample.batch_ns[0], sample.measures_ns.at("longest"));
    }
  }
}

}  // namespace
}  // namespace benchfleet
