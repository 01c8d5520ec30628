#include "common/wire/job_spec_wire.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/wire/time_wire.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::JobSpec FromText(const std::string& text) {
  v1::JobSpec proto;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &proto)) << text;
  return proto;
}

// "field: description" of each violation.
std::vector<std::string> Violations(const absl::Status& status) {
  std::vector<std::string> lines;
  for (const FieldViolation& v : FieldViolationsOf(status)) lines.push_back(absl::StrCat(v.field, ": ", v.description));
  return lines;
}

TEST(ParseJobSpec, FillsInTheDefaults) {
  const auto spec = ParseJobSpec(FromText("wake {}"));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->project, "default");
  EXPECT_EQ(spec->host_selector.canonical(), "");
  EXPECT_EQ(spec->fan_out, FanOut::kAny);
  EXPECT_EQ(spec->queue_timeout, absl::Hours(24));
  EXPECT_FALSE(spec->method.rounds.has_value());
  EXPECT_EQ(spec->method.budget, absl::Minutes(3));
  EXPECT_EQ(spec->method.margin, 0.02);
  EXPECT_EQ(spec->method.level, 0.95);
  EXPECT_FALSE(spec->method.seed.has_value());
  EXPECT_EQ(spec->method.round_timeout, absl::Seconds(60));
  const WakeSpec& wake = std::get<WakeSpec>(spec->suite);
  EXPECT_THAT(wake.loops, ElementsAre("epoll", "asyncio"));
  EXPECT_TRUE(wake.interpreters.empty());
  EXPECT_THAT(wake.cases,
              ElementsAre("handle_call.in_loop", "handle_call.outside_loop", "frame.ready", "frame.woken.same_thread"));
  EXPECT_THAT(wake.variants, ElementsAre("socket", "lookup", "counted"));
  EXPECT_EQ(wake.baseline, "lookup");
}

TEST(ParseJobSpec, TheBaselineIsAmongTheVariants) {
  const auto spec = ParseJobSpec(FromText("wake { variants: 'counted' baseline: 'socket' }"));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(std::get<WakeSpec>(spec->suite).variants, ElementsAre("socket", "counted"));
}

TEST(ParseJobSpec, InterpretersAreSortedByVersion) {
  const auto spec = ParseJobSpec(FromText("wake { interpreters: '3.11.2' interpreters: '3.9' interpreters: '3.11' }"));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(std::get<WakeSpec>(spec->suite).interpreters, ElementsAre("3.9", "3.11", "3.11.2"));
}

TEST(ParseJobSpec, ReportsEveryViolation) {
  const auto spec = ParseJobSpec(FromText(R"(
      project: 'A'
      labels { key: '-x' value: 'v' }
      host_selector: 'a in'
      method { rounds: 0 margin: 1.5 }
      wake { loops: 'trio' cases: 'frame.ready' cases: 'frame.ready' baseline: 'none' })"));
  EXPECT_EQ(ErrorReason(spec.status()), "INVALID_FIELD");
  EXPECT_THAT(
      Violations(spec.status()),
      ElementsAre("spec.project: 'A' is not 1-63 characters of [a-z0-9-]", "spec.labels[-x]: '-x' is not a label key",
                  HasSubstr("spec.host_selector: expected "), "spec.method.rounds: must be at least 1, is 0",
                  "spec.method.margin: must be greater than 0 and less than 1, is 1.5",
                  "spec.wake.loops[0]: 'trio' is unknown, must be one of epoll, asyncio",
                  "spec.wake.cases[1]: 'frame.ready' is listed twice",
                  "spec.wake.baseline: 'none' is unknown, must be one of socket, lookup, counted"));
}

TEST(ParseJobSpec, ThePrefixIsTheCallers) {
  EXPECT_THAT(Violations(ParseJobSpec(FromText("wake { loops: 'x' }"), "").status()),
              ElementsAre(HasSubstr("wake.loops[0]: ")));
  EXPECT_THAT(Violations(ParseJobSpec(FromText("wake { loops: 'x' }"), "start.spec").status()),
              ElementsAre(HasSubstr("start.spec.wake.loops[0]: ")));
}

struct Case {
  std::string name;
  std::function<void(v1::JobSpec&)> change;
  std::string error;  // empty: accepted
};

class JobSpecLimitTest : public ::testing::TestWithParam<Case> {};

TEST_P(JobSpecLimitTest, AtTheBound) {
  v1::JobSpec proto = FromText("wake {}");
  GetParam().change(proto);
  const auto spec = ParseJobSpec(proto);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(spec.ok()) << spec.status();
  } else {
    EXPECT_THAT(Violations(spec.status()), ElementsAre(HasSubstr(GetParam().error)));
  }
}

void AddLabels(v1::JobSpec& spec, size_t count) {
  for (size_t i = 0; i < count; ++i) (*spec.mutable_labels())[absl::StrCat("k", i)] = "v";
}

std::function<void(v1::JobSpec&)> Interpreters(size_t count) {
  return [count](v1::JobSpec& s) {
    for (size_t i = 0; i < count; ++i) s.mutable_wake()->add_interpreters(absl::StrCat("3.", i));
  };
}

std::function<void(v1::JobSpec&)> Interpreter(const std::string& prefix) {
  return [prefix](v1::JobSpec& s) { s.mutable_wake()->add_interpreters(prefix); };
}

std::function<void(v1::JobSpec&)> Duration(google::protobuf::Duration* (*field)(v1::JobSpec&), absl::Duration value) {
  return [field, value](v1::JobSpec& s) { *field(s) = ToProto(value); };
}

google::protobuf::Duration* Budget(v1::JobSpec& s) { return s.mutable_method()->mutable_budget(); }
google::protobuf::Duration* RoundTimeout(v1::JobSpec& s) { return s.mutable_method()->mutable_round_timeout(); }
google::protobuf::Duration* QueueTimeout(v1::JobSpec& s) { return s.mutable_queue_timeout(); }

constexpr absl::Duration kTick = absl::Nanoseconds(1);

INSTANTIATE_TEST_SUITE_P(
    All, JobSpecLimitTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"ProjectLongest", [](auto& s) { s.set_project(std::string(63, 'p')); }, ""},
        {"ProjectTooLong", [](auto& s) { s.set_project(std::string(64, 'p')); }, "spec.project: "},
        {"LabelsMost", [](auto& s) { AddLabels(s, kMaxLabels); }, ""},
        {"LabelsTooMany", [](auto& s) { AddLabels(s, kMaxLabels + 1); }, "spec.labels: has 33 labels, at most 32"},
        {"LabelValue", [](auto& s) { (*s.mutable_labels())["k"] = "a b"; }, "spec.labels[k]: 'a b' is not a label value"},
        {"LabelKeyWithControl", [](auto& s) { (*s.mutable_labels())["a\nb"] = "v"; }, "spec.labels[a\\nb]: 'a\\nb' is not"},
        {"CommitLongest", [](auto& s) { s.set_commit(std::string(64, 'c')); }, ""},
        {"CommitTooLong", [](auto& s) { s.set_commit(std::string(65, 'c')); }, "spec.commit: is 65 bytes long, at most 64"},
        {"BranchLongest", [](auto& s) { s.set_branch(std::string(255, 'b')); }, ""},
        {"BranchTooLong", [](auto& s) { s.set_branch(std::string(256, 'b')); }, "spec.branch: is 256 bytes long"},
        {"BranchUtf8", [](auto& s) { s.set_branch("zw\xC3\xB6lf"); }, ""},
        {"BranchNotUtf8", [](auto& s) { s.set_branch("a\xC3"); }, "spec.branch: 'a?' is not UTF-8"},
        {"CommitControl", [](auto& s) { s.set_commit("a\x1b[2J"); }, "spec.commit: 'a\\033[2J' holds a control"},
        {"CommitC1Control", [](auto& s) { s.set_commit("a\xC2\x9B"); }, "holds a control character"},
        {"SelectorControl", [](auto& s) { s.set_host_selector("a=\x01"); }, "spec.host_selector: 'a=\\001' holds"},
        {"SelectorTooLong", [](auto& s) { s.set_host_selector(std::string(1025, 'a')); }, "spec.host_selector: is 1025"},
        {"FanOutUnknown", [](auto& s) { s.set_fan_out(static_cast<v1::FanOut>(9)); }, "spec.fan_out: 9 is not a fan-out"},
        {"QueueTimeoutShortest", Duration(QueueTimeout, kMinQueueTimeout), ""},
        {"QueueTimeoutTooShort", Duration(QueueTimeout, kMinQueueTimeout - kTick), "spec.queue_timeout: must be at least 1s"},
        {"QueueTimeoutLongest", Duration(QueueTimeout, kMaxQueueTimeout), ""},
        {"QueueTimeoutTooLong", Duration(QueueTimeout, kMaxQueueTimeout + kTick), "spec.queue_timeout: must be at most 168h"},
        {"BudgetShortest", Duration(Budget, kMinBudget), ""},
        {"BudgetTooShort", Duration(Budget, kMinBudget - kTick), "spec.method.budget: must be at least 1s"},
        {"BudgetLongest", Duration(Budget, kMaxBudget), ""},
        {"BudgetTooLong", Duration(Budget, kMaxBudget + kTick), "spec.method.budget: must be at most 24h"},
        {"RoundTimeoutShortest", Duration(RoundTimeout, kMinRoundTimeout), ""},
        {"RoundTimeoutTooShort", Duration(RoundTimeout, kMinRoundTimeout - kTick), "spec.method.round_timeout: must be at"},
        {"RoundTimeoutLongest", Duration(RoundTimeout, kMaxRoundTimeout), ""},
        {"RoundTimeoutTooLong", Duration(RoundTimeout, kMaxRoundTimeout + kTick), "spec.method.round_timeout: must be at"},
        {"DurationOfTwoSigns",
         [](auto& s) {
           Budget(s)->set_seconds(1);
           Budget(s)->set_nanos(-1);
         },
         "spec.method.budget: seconds and nanoseconds of a duration differ in sign"},
        {"RoundsLeast", [](auto& s) { s.mutable_method()->set_rounds(kMinRounds); }, ""},
        {"RoundsMost", [](auto& s) { s.mutable_method()->set_rounds(kMaxRounds); }, ""},
        {"RoundsTooMany", [](auto& s) { s.mutable_method()->set_rounds(kMaxRounds + 1); }, "spec.method.rounds: must be at most"},
        {"RoundsNegative", [](auto& s) { s.mutable_method()->set_rounds(-1); }, "spec.method.rounds: must be at least 1, is -1"},
        {"MarginZero", [](auto& s) { s.mutable_method()->set_margin(0); }, "spec.method.margin: "},
        {"MarginSmall", [](auto& s) { s.mutable_method()->set_margin(1e-9); }, ""},
        {"MarginOne", [](auto& s) { s.mutable_method()->set_margin(1); }, "spec.method.margin: "},
        {"MarginNan", [](auto& s) { s.mutable_method()->set_margin(std::numeric_limits<double>::quiet_NaN()); }, "is nan"},
        {"Level90", [](auto& s) { s.mutable_method()->set_level(0.90); }, ""},
        {"Level99", [](auto& s) { s.mutable_method()->set_level(0.99); }, ""},
        {"LevelOther", [](auto& s) { s.mutable_method()->set_level(0.96); }, "spec.method.level: must be one of"},
        {"SeedZero", [](auto& s) { s.mutable_method()->set_seed(0); }, ""},
        {"NoSuite", [](auto& s) { s.clear_suite(); }, "spec.suite: is required: set wake or compile"},
        {"CaseUnknown", [](auto& s) { s.mutable_wake()->add_cases("frame"); },
         "spec.wake.cases[0]: 'frame' is unknown, must be one of handle_call.in_loop, handle_call.outside_loop, "
         "frame.ready, frame.woken.same_thread"},
        {"VariantUnknown", [](auto& s) { s.mutable_wake()->add_variants("armed"); }, "spec.wake.variants[0]: 'armed' is"},
        {"NamesTooMany",
         [](auto& s) {
           for (int i = 0; i < 9; ++i) s.mutable_wake()->add_loops("epoll");
         },
         "spec.wake.loops: has 9 entries, at most 8 are allowed"},
        {"InterpretersMost", Interpreters(kMaxInterpreters), ""},
        {"InterpretersTooMany", Interpreters(kMaxInterpreters + 1), "spec.wake.interpreters: has 33 entries"},
        {"InterpreterEmpty", Interpreter(""), "spec.wake.interpreters[0]: '' is not a version prefix"},
        {"InterpreterWord", Interpreter("python3"), "'python3' is not a version prefix"},
        {"InterpreterDotAtEnd", Interpreter("3."), "'3.' is not a version prefix"},
        {"InterpreterHuge", Interpreter("99999999999"), "is not a version prefix"},
        {"InterpreterPadded", Interpreter(" 3.11"), "is not a version prefix"},
        {"InterpreterWithoutAsyncio",
         [](auto& s) {
           s.mutable_wake()->add_loops("epoll");
           s.mutable_wake()->add_interpreters("3.11");
         },
         "spec.wake.interpreters: need the loop asyncio"},
    }),
    [](const auto& c) { return c.param.name; });

TEST(ParseCompileSpec, DefaultsAreFilledIn) {
  const auto spec = ParseJobSpec(FromText("compile {}"));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(SuiteName(*spec), "compile");
  EXPECT_EQ(spec->method.round_timeout, absl::Minutes(10));
  const CompileSpec& compile = std::get<CompileSpec>(spec->suite);
  EXPECT_THAT(compile.compilers, ElementsAre());
  EXPECT_THAT(compile.modes, ElementsAre("compile", "link"));
  EXPECT_THAT(compile.limits, ElementsAre());
  EXPECT_THAT(compile.variants, ElementsAre("serial", "threads", "processes", "event_loop", "asyncio",
                                            "thread_pool_executor", "process_pool_executor"));
  EXPECT_EQ(compile.pass_timeout, absl::Minutes(2));
}

TEST(ParseCompileSpec, BaselinesJoinAndListsAreOrdered) {
  const auto spec = ParseJobSpec(FromText(R"(
      compile { compilers: 'gcc@12' compilers: 'clang' modes: 'link' limits: 4 limits: 2 variants: 'event_loop' }
      method { round_timeout { seconds: 60 } })"));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->method.round_timeout, absl::Minutes(1));
  const CompileSpec& compile = std::get<CompileSpec>(spec->suite);
  EXPECT_THAT(compile.compilers, ElementsAre(CompilerChoice{"clang", ""}, CompilerChoice{"gcc", "12"}));
  EXPECT_THAT(compile.limits, ElementsAre(2, 4));
  EXPECT_THAT(compile.variants, ElementsAre("serial", "threads", "event_loop"));
}

class CompileSpecLimitTest : public ::testing::TestWithParam<Case> {};

TEST_P(CompileSpecLimitTest, AtTheBound) {
  v1::JobSpec proto = FromText("compile {}");
  GetParam().change(proto);
  const auto spec = ParseJobSpec(proto);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(spec.ok()) << spec.status();
  } else {
    EXPECT_THAT(Violations(spec.status()), ElementsAre(HasSubstr(GetParam().error)));
  }
}

std::function<void(v1::JobSpec&)> OneCompiler(const std::string& text) {
  return [text](v1::JobSpec& s) { s.mutable_compile()->add_compilers(text); };
}

std::function<void(v1::JobSpec&)> CompilerVersions(size_t count) {
  return [count](v1::JobSpec& s) {
    for (size_t i = 0; i < count; ++i) s.mutable_compile()->add_compilers(absl::StrCat("gcc@", i));
  };
}

std::function<void(v1::JobSpec&)> Limits(std::vector<int> limits) {
  return [limits](v1::JobSpec& s) { s.mutable_compile()->mutable_limits()->Assign(limits.begin(), limits.end()); };
}

google::protobuf::Duration* PassTimeout(v1::JobSpec& s) { return s.mutable_compile()->mutable_pass_timeout(); }

INSTANTIATE_TEST_SUITE_P(
    All, CompileSpecLimitTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"CompilerWithVersion", OneCompiler("gfortran@12.2"), ""},
        {"CompilerUnknown", OneCompiler("fort77"), "spec.compile.compilers[0]: 'fort77' is unknown, must be one of"},
        {"CompilerEmpty", OneCompiler(""), "spec.compile.compilers[0]: '' is unknown"},
        {"CompilerPath", OneCompiler("/usr/bin/gcc"), "spec.compile.compilers[0]: '/usr/bin/gcc' is unknown"},
        {"CompilerVersionEmpty", OneCompiler("gcc@"), "'' is not a version prefix"},
        {"CompilerVersionWord", OneCompiler("gcc@new"), "'new' is not a version prefix"},
        {"CompilersMost", CompilerVersions(kMaxCompilerChoices), ""},
        {"CompilersTooMany", CompilerVersions(kMaxCompilerChoices + 1), "spec.compile.compilers: has 33 entries"},
        {"CompilerTwice",
         [](auto& s) {
           s.mutable_compile()->add_compilers("gcc");
           s.mutable_compile()->add_compilers("gcc");
         },
         "spec.compile.compilers[1]: 'gcc' is listed twice"},
        {"ModeUnknown", [](auto& s) { s.mutable_compile()->add_modes("run"); }, "spec.compile.modes[0]: 'run' is"},
        {"LimitLeast", Limits({1}), ""},
        {"LimitMost", Limits({kMaxConcurrencyLimit}), ""},
        {"LimitZero", Limits({0}), "spec.compile.limits[0]: must be at least 1, is 0"},
        {"LimitTooHigh", Limits({2, kMaxConcurrencyLimit + 1}), "spec.compile.limits[1]: must be at most 256, is 257"},
        {"LimitTwice", Limits({2, 2}), "spec.compile.limits[1]: 2 is listed twice"},
        {"LimitsMost", Limits({1, 2, 3, 4, 5, 6, 7, 8}), ""},
        {"LimitsTooMany", Limits({1, 2, 3, 4, 5, 6, 7, 8, 9}), "spec.compile.limits: has 9 entries"},
        {"VariantUnknown", [](auto& s) { s.mutable_compile()->add_variants("make"); },
         "spec.compile.variants[0]: 'make' is unknown"},
        {"PassTimeoutLeast", Duration(PassTimeout, kMinPassTimeout), ""},
        {"PassTimeoutTooShort", Duration(PassTimeout, kMinPassTimeout - kTick), "spec.compile.pass_timeout: must be"},
        {"PassTimeoutMost", Duration(PassTimeout, kMaxPassTimeout), ""},
        {"PassTimeoutTooLong", Duration(PassTimeout, kMaxPassTimeout + kTick), "spec.compile.pass_timeout: must be"},
        {"InterpretersWithoutPython",
         [](auto& s) {
           s.mutable_compile()->add_variants("event_loop");
           s.mutable_compile()->add_interpreters("3.11");
         },
         "spec.compile.interpreters: need a strategy of Python"},
    }),
    [](const auto& c) { return c.param.name; });

TEST(JobSpecToProto, RoundTripsCompile) {
  const v1::JobSpec proto = FromText(R"(
      compile { compilers: 'clang' compilers: 'gcc@12.2' modes: 'link' limits: 1 limits: 16
                variants: 'serial' variants: 'threads' variants: 'asyncio' interpreters: '3.11'
                pass_timeout { seconds: 30 } })");
  const auto spec = ParseJobSpec(proto);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(ToProto(*spec).compile().DebugString(), proto.compile().DebugString());
}

TEST(JobSpecToProto, RoundTripsAndIsStable) {
  const v1::JobSpec proto = FromText(R"(
      project: 'p' labels { key: 'a' value: 'b' } labels { key: 'c' value: '' } commit: 'c' branch: 'b'
      host_selector: 'b,a in (y,x)' fan_out: FAN_OUT_ALL queue_timeout { seconds: 60 }
      method { rounds: 9 budget { seconds: 61 nanos: 5 } margin: 0.5 level: 0.99 seed: 18446744073709551615
               round_timeout { seconds: 2 } }
      wake { loops: 'asyncio' interpreters: '3.11' cases: 'frame.ready' variants: 'counted' baseline: 'socket' })");
  const auto spec = ParseJobSpec(proto);
  ASSERT_TRUE(spec.ok()) << spec.status();
  v1::JobSpec expected = proto;
  expected.set_host_selector("a in (x,y),b");
  expected.mutable_wake()->clear_variants();
  expected.mutable_wake()->add_variants("socket");
  expected.mutable_wake()->add_variants("counted");
  EXPECT_EQ(ToProto(*spec).DebugString(), expected.DebugString());

  const auto again = ParseJobSpec(ToProto(*spec));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(SerializeJobSpec(*again), SerializeJobSpec(*spec));
}

TEST(SerializeJobSpec, IsEqualForSpecsThatAskForTheSame) {
  const auto bytes = [](const std::string& text) {
    const auto spec = ParseJobSpec(FromText(text));
    EXPECT_TRUE(spec.ok()) << spec.status();
    return spec.ok() ? SerializeJobSpec(*spec) : "";
  };
  EXPECT_EQ(bytes("wake {}"), bytes("project: 'default' fan_out: FAN_OUT_ANY method { margin: 0.02 } "
                                    "wake { loops: 'asyncio' loops: 'epoll' baseline: 'lookup' }"));
  EXPECT_EQ(bytes("host_selector: 'a==b, c' wake {}"), bytes("host_selector: 'c,a=b' wake {}"));
  EXPECT_NE(bytes("wake {}"), bytes("method { seed: 0 } wake {}"));
  EXPECT_NE(bytes("wake {}"), bytes("method { rounds: 30 } wake {}"));
}

TEST(SerializeJobSpec, DoesNotDependOnTheOrderOfLabels) {
  v1::JobSpec forwards = FromText("wake {}"), backwards = forwards;
  for (int i = 0; i < 32; ++i) (*forwards.mutable_labels())[absl::StrCat("k", i)] = "v";
  for (int i = 31; i >= 0; --i) (*backwards.mutable_labels())[absl::StrCat("k", i)] = "v";
  EXPECT_EQ(SerializeJobSpec(*ParseJobSpec(forwards)), SerializeJobSpec(*ParseJobSpec(backwards)));
}

}  // namespace
}  // namespace benchfleet
