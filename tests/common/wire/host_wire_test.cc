#include "common/wire/host_wire.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/wire/plan_wire.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/wire/examples.h"

namespace benchfleet {
namespace {

TEST(HostFactsWire, RoundTrips) {
  const auto parsed = ParseHostFacts(ToProto(ExampleHostFacts()));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, ExampleHostFacts());
}

struct Case {
  std::string name;
  std::function<void(v1::HostFacts&)> change;
  std::string error;  // empty: accepted
};

class HostFactsLimitTest : public ::testing::TestWithParam<Case> {};

TEST_P(HostFactsLimitTest, AtTheBound) {
  v1::HostFacts proto = ToProto(ExampleHostFacts());
  GetParam().change(proto);
  const auto facts = ParseHostFacts(proto);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(facts.ok()) << facts.status();
  } else {
    EXPECT_THAT(std::string(facts.status().message()), ::testing::HasSubstr(GetParam().error));
  }
}

std::function<void(v1::HostFacts&)> Interpreters(int count) {
  return [=](v1::HostFacts& facts) {
    while (facts.interpreters_size() < count) *facts.add_interpreters() = v1::Interpreter(facts.interpreters(0));
  };
}

std::function<void(v1::HostFacts&)> Suites(int count) {
  return [=](v1::HostFacts& facts) {
    while (facts.suites_size() < count) facts.add_suites("s");
  };
}

std::function<void(v1::HostFacts&)> Compilers(int count) {
  return [=](v1::HostFacts& facts) {
    while (facts.compilers_size() < count) *facts.add_compilers() = v1::Compiler(facts.compilers(0));
  };
}

std::function<void(v1::HostFacts&)> Stages(int count) {
  return [=](v1::HostFacts& facts) {
    auto& stages = *facts.mutable_compilers(0)->mutable_stage_digests();
    stages.clear();
    for (int i = 0; i < count; ++i) stages[absl::StrCat("stage", i)] = "d";
  };
}

INSTANTIATE_TEST_SUITE_P(
    All, HostFactsLimitTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"BootIdEmpty", [](auto& f) { f.clear_boot_id(); }, "facts.boot_id: must not be empty"},
        {"HostKeyFault", [](auto& f) { f.mutable_host_key()->set_digest(std::string(256, 'd')); },
         "facts.host_key.digest: is 256 bytes"},
        {"InterpretersMost", Interpreters(kMaxHostInterpreters), ""},
        {"InterpretersTooMany", Interpreters(kMaxHostInterpreters + 1), "facts.interpreters: has 65 entries"},
        {"PathLongest", [](auto& f) { f.mutable_interpreters(0)->set_path(std::string(kMaxPathBytes, 'p')); }, ""},
        {"PathTooLong", [](auto& f) { f.mutable_interpreters(0)->set_path(std::string(kMaxPathBytes + 1, 'p')); },
         "facts.interpreters[0].path: is 4097 bytes"},
        {"VersionEmpty", [](auto& f) { f.mutable_interpreters(1)->clear_version(); },
         "facts.interpreters[1].version: must"},
        {"CompilersMost", Compilers(kMaxHostCompilers), ""},
        {"CompilersTooMany", Compilers(kMaxHostCompilers + 1), "facts.compilers: has 65 entries"},
        {"CompilerNameEmpty", [](auto& f) { f.mutable_compilers(0)->clear_name(); },
         "facts.compilers[0].name: must not be empty"},
        {"CompilerVersionTextTooLong", [](auto& f) { f.mutable_compilers(0)->set_version_text(std::string(256, 'v')); },
         "facts.compilers[0].version_text: is 256 bytes"},
        {"StagesMost", Stages(kMaxCompilerStages), ""},
        {"StagesTooMany", Stages(kMaxCompilerStages + 1), "facts.compilers[0].stage_digests: has 17 entries"},
        {"NoCpu", [](auto& f) { f.set_cpus(0); }, "facts.cpus: must be at least 1"},
        {"CpusMost", [](auto& f) { f.set_cpus(kMaxCpus); }, ""},
        {"CpusTooMany", [](auto& f) { f.set_cpus(kMaxCpus + 1); }, "facts.cpus: must be at most"},
        {"MemoryNegative", [](auto& f) { f.set_memory_bytes(-1); }, "facts.memory_bytes: must be at least 0"},
        {"SuitesMost", Suites(kMaxHostSuites), ""},
        {"SuitesTooMany", Suites(kMaxHostSuites + 1), "facts.suites: has 33 entries"},
        {"SuiteEmpty", [](auto& f) { f.add_suites(""); }, "facts.suites[1]: must not be empty"},
    }),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace benchfleet
