#include "common/wire/plan_wire.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/model/job_spec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/wire/examples.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

TEST(RunPlanWire, RoundTrips) {
  const RunPlan plan = ExamplePlan();
  const auto parsed = ParseRunPlan(ToProto(plan));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, plan);
}

TEST(HostKeyWire, RoundTrips) {
  const Key key = ExamplePlan().host_key;
  const auto parsed = ParseHostKey(ToHostKeyProto(key));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, key);
}

TEST(HostKeyWire, AKeyIsRepairedWhenItIsSent) {
  Key key;
  key.parts["cpu_model"] = "A\xFF";
  EXPECT_EQ(ToHostKeyProto(key).parts().at("cpu_model"), "A?");
}

struct Case {
  std::string name;
  std::function<void(v1::RunPlan&)> change;
  std::string error;  // empty: accepted
};

class RunPlanLimitTest : public ::testing::TestWithParam<Case> {};

TEST_P(RunPlanLimitTest, AtTheBound) {
  v1::RunPlan proto = ToProto(ExamplePlan());
  GetParam().change(proto);
  const auto plan = ParseRunPlan(proto);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(plan.ok()) << plan.status();
  } else {
    EXPECT_EQ(ErrorReason(plan.status()), "INVALID_FIELD");
    EXPECT_THAT(std::string(plan.status().message()), HasSubstr(GetParam().error));
  }
}

// `cases` further cases of `variants` variants each.
std::function<void(v1::RunPlan&)> Grow(int cases, int variants) {
  return [=](v1::RunPlan& plan) {
    for (int c = 0; c < cases; ++c) {
      v1::CasePlan& added = *plan.add_cases();
      added = plan.cases(0);
      added.set_case_(absl::StrCat("case", c));
      added.clear_variants();
      for (int v = 0; v < variants; ++v) added.add_variants(absl::StrCat("v", v));
    }
  };
}

std::function<void(v1::RunPlan&)> Comparisons(int count) {
  return [=](v1::RunPlan& plan) {
    while (plan.comparisons_size() < count) *plan.add_comparisons() = v1::ComparisonPlan(plan.comparisons(0));
  };
}

std::function<void(v1::RunPlan&)> Capabilities(int count) {
  return [=](v1::RunPlan& plan) {
    while (plan.capabilities_size() < count) *plan.add_capabilities() = v1::Capability(plan.capabilities(0));
  };
}

std::function<void(v1::RunPlan&)> Parts(int count) {
  return [=](v1::RunPlan& plan) {
    plan.mutable_host_key()->clear_parts();
    for (int i = 0; i < count; ++i) (*plan.mutable_host_key()->mutable_parts())[absl::StrCat("p", i)] = "v";
  };
}

INSTANTIATE_TEST_SUITE_P(
    All, RunPlanLimitTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"SuiteEmpty", [](auto& p) { p.clear_suite(); }, "plan.suite: must not be empty"},
        {"SuiteLongest", [](auto& p) { p.set_suite(std::string(kMaxNameBytes, 's')); }, ""},
        {"SuiteTooLong", [](auto& p) { p.set_suite(std::string(kMaxNameBytes + 1, 's')); }, "plan.suite: is 256 bytes"},
        {"SuiteVersionZero", [](auto& p) { p.set_suite_version(0); }, "plan.suite_version: must be at least 1"},
        {"ScheduleUnspecified", [](auto& p) { p.clear_schedule(); }, "plan.schedule: 0 is not a schedule"},
        {"WarmupNone", [](auto& p) { p.set_warmup_rounds(0); }, ""},
        {"WarmupMost", [](auto& p) { p.set_warmup_rounds(kMaxWarmupRounds); }, ""},
        {"WarmupTooMany", [](auto& p) { p.set_warmup_rounds(kMaxWarmupRounds + 1); },
         "plan.warmup_rounds: must be at most"},
        {"WarmupNegative", [](auto& p) { p.set_warmup_rounds(-1); }, "plan.warmup_rounds: must be at least 0"},
        {"RoundsNone", [](auto& p) { p.set_rounds(0); }, "plan.rounds: must be at least 1"},
        {"RoundsMost", [](auto& p) { p.set_rounds(kMaxRounds); }, ""},
        {"RoundsTooMany", [](auto& p) { p.set_rounds(kMaxRounds + 1); }, "plan.rounds: must be at most 1000"},
        {"MarginZero", [](auto& p) { p.set_margin(0); }, "plan.margin: "},
        {"LevelOne", [](auto& p) { p.set_level(1); }, "plan.level: "},
        {"BudgetZero", [](auto& p) { p.clear_budget(); }, "plan.budget: must be at least 1s"},
        {"RoundTimeoutZero", [](auto& p) { p.clear_round_timeout(); }, "plan.round_timeout: must be at least 1s"},
        {"ExpectedRoundNegative",
         [](auto& p) { p.mutable_expected_round()->set_seconds(-1), p.mutable_expected_round()->set_nanos(0); },
         "plan.expected_round: must be at least 0"},
        {"NoCase",
         [](auto& p) {
           p.clear_cases();
           p.clear_comparisons();
         },
         "plan.cases: needs at least 1 entries, has 0"},
        {"CasesMost", Grow(kMaxCases - 2, 1), ""},
        {"CasesTooMany", Grow(kMaxCases - 1, 1), "plan.cases: has 1025 entries"},
        {"VariantsMost", Grow(1, kMaxVariants), ""},
        {"VariantsTooMany", Grow(1, kMaxVariants + 1), "plan.cases[2].variants: has 65 entries"},
        {"ArmsTooMany", Grow(64, 64), "plan.cases: have 4101 variants in all, at most 4096"},
        {"CaseTwice", [](auto& p) { *p.add_cases() = v1::CasePlan(p.cases(0)); }, "plan.cases[2].case: "},
        {"VariantTwice", [](auto& p) { p.mutable_cases(0)->add_variants("lookup"); }, "'lookup' is listed twice"},
        {"VariantEmpty", [](auto& p) { p.mutable_cases(0)->add_variants(""); },
         "plan.cases[0].variants[3]: must not be"},
        {"CaseControl", [](auto& p) { p.mutable_cases(1)->set_case_("a\tb"); }, "plan.cases[1].case: 'a\\tb' holds"},
        {"NoIterations", [](auto& p) { p.mutable_cases(0)->set_iterations(0); },
         "plan.cases[0].iterations: must be at"},
        {"NoBatches", [](auto& p) { p.mutable_cases(0)->set_batches(0); }, "plan.cases[0].batches: must be at least 1"},
        {"BatchesMost", [](auto& p) { p.mutable_cases(0)->set_batches(kMaxBatches); }, ""},
        {"BatchesTooMany", [](auto& p) { p.mutable_cases(0)->set_batches(kMaxBatches + 1); },
         "batches: must be at most"},
        {"UsableCpusMost", [](auto& p) { p.mutable_cases(0)->set_usable_cpus(kMaxUsableCpus); }, ""},
        {"UsableCpusTooMany", [](auto& p) { p.mutable_cases(0)->set_usable_cpus(kMaxUsableCpus + 1); },
         "plan.cases[0].usable_cpus: must be greater than 0 and at most"},
        {"UsableCpusZero", [](auto& p) { p.mutable_cases(1)->set_usable_cpus(0); },
         "plan.cases[1].usable_cpus: must be"},
        {"UsableCpusNan",
         [](auto& p) { p.mutable_cases(0)->set_usable_cpus(std::numeric_limits<double>::quiet_NaN()); }, "is nan"},
        {"NoCapabilities", [](auto& p) { p.clear_capabilities(); }, ""},
        {"CapabilitiesMost", Capabilities(kMaxCapabilities), ""},
        {"CapabilitiesTooMany", Capabilities(kMaxCapabilities + 1), "plan.capabilities: has 16385 entries"},
        {"CapabilityWithoutProbe", [](auto& p) { p.mutable_capabilities(0)->clear_probe(); },
         "plan.capabilities[0].probe: must not be empty"},
        {"CapabilityWithoutOutcome", [](auto& p) { p.mutable_capabilities(0)->clear_outcome(); },
         "plan.capabilities[0].outcome: 0 is not a compile outcome"},
        {"ComparisonsMost", Comparisons(kMaxComparisons), ""},
        {"ComparisonsTooMany", Comparisons(kMaxComparisons + 1), "plan.comparisons: has 8193 entries"},
        {"ComparisonOfNoArm", [](auto& p) { p.mutable_comparisons(0)->mutable_base()->set_variant("armed"); },
         "plan.comparisons[0].base: 'epoll/frame.ready' with 'armed' is no arm of the plan"},
        {"ComparisonNoKind", [](auto& p) { p.mutable_comparisons(0)->clear_kind(); },
         "plan.comparisons[0].kind: must not"},
        {"ComparisonNoMeasure", [](auto& p) { p.mutable_comparisons(0)->clear_measure(); },
         "comparisons[0].measure: must"},
        {"PartsMost", Parts(kMaxKeyParts), ""},
        {"PartsTooMany", Parts(kMaxKeyParts + 1), "plan.host_key.parts: has 65 entries"},
        {"PartLongest", [](auto& p) { (*p.mutable_host_key()->mutable_parts())["k"] = std::string(1024, 'v'); }, ""},
        {"PartTooLong", [](auto& p) { (*p.mutable_host_key()->mutable_parts())["k"] = std::string(1025, 'v'); },
         "plan.host_key.parts[k]: is 1025 bytes"},
        {"SubjectDigestTooLong",
         [](auto& p) { p.mutable_cases(0)->mutable_subject_key()->set_digest(std::string(256, 'd')); },
         "plan.cases[0].subject_key.digest: is 256"},
        {"ClockNegative", [](auto& p) { p.mutable_clock()->set_read_min_ns(-1); },
         "plan.clock.read_min_ns: must be at"},
    }),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace benchfleet
