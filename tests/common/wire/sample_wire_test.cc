#include "common/wire/sample_wire.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/wire/examples.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

TEST(SampleWire, RoundTrips) {
  const auto parsed = ParseSample(ToProto(ExampleSample()));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, ExampleSample());
}

TEST(RoundWire, RoundTripsAndKeepsUnknownApartFromZero) {
  const auto parsed = ParseRound(ToProto(ExampleRound()));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, ExampleRound());
  EXPECT_EQ(parsed->before.steal_ns, 0);
  EXPECT_EQ(parsed->after.steal_ns, std::nullopt);
}

TEST(SampleWire, WhatIsSentIsNeverRefused) {
  Sample sample = ExampleSample();
  sample.output = "dropped" + std::string(kMaxFailureOutputBytes - 2, 'x') + "\xFF\n";
  sample.failure = "\xC3";
  const auto parsed = ParseSample(ToProto(sample));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->output, std::string(kMaxFailureOutputBytes - 2, 'x') + "?\n");
  EXPECT_EQ(parsed->failure, "?");
}

struct SampleCase {
  std::string name;
  std::function<void(v1::Sample&)> change;
  std::string error;  // empty: accepted
};

class SampleLimitTest : public ::testing::TestWithParam<SampleCase> {};

TEST_P(SampleLimitTest, AtTheBound) {
  v1::Sample proto = ToProto(ExampleSample());
  GetParam().change(proto);
  const auto sample = ParseSample(proto);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(sample.ok()) << sample.status();
  } else {
    EXPECT_EQ(ErrorReason(sample.status()), "INVALID_FIELD");
    EXPECT_THAT(std::string(sample.status().message()), HasSubstr(GetParam().error));
  }
}

std::function<void(v1::Sample&)> Batches(int count) {
  return [=](v1::Sample& sample) {
    while (sample.batch_ns_size() < count) sample.add_batch_ns(1);
  };
}

std::function<void(v1::Sample&)> Counters(int count) {
  return [=](v1::Sample& sample) {
    sample.clear_counters();
    for (int i = 0; i < count; ++i) (*sample.mutable_counters())[absl::StrCat("c", i)] = i;
  };
}

std::function<void(v1::Sample&)> Measures(int count) {
  return [=](v1::Sample& sample) {
    sample.clear_measures_ns();
    for (int i = 0; i < count; ++i) (*sample.mutable_measures_ns())[absl::StrCat("m", i)] = i;
  };
}

INSTANTIATE_TEST_SUITE_P(
    All, SampleLimitTest,
    ::testing::ValuesIn(std::vector<SampleCase>{
        {"CaseEmpty", [](auto& s) { s.clear_case_(); }, "sample.case: must not be empty"},
        {"CaseTooLong", [](auto& s) { s.set_case_(std::string(256, 'c')); }, "sample.case: is 256 bytes"},
        {"VariantEmpty", [](auto& s) { s.clear_variant(); }, "sample.variant: must not be empty"},
        {"SlotLast", [](auto& s) { s.set_slot(kMaxVariants - 1); }, ""},
        {"SlotTooHigh", [](auto& s) { s.set_slot(kMaxVariants); }, "sample.slot: must be at most 63, is 64"},
        {"SlotNegative", [](auto& s) { s.set_slot(-1); }, "sample.slot: must be at least 0"},
        {"IterationsNegative", [](auto& s) { s.set_iterations(-1); }, "sample.iterations: must be at least 0"},
        {"BatchesMost", Batches(kMaxBatches), ""},
        {"BatchesTooMany", Batches(kMaxBatches + 1), "sample.batch_ns: has 4097 entries"},
        {"BatchNegative", [](auto& s) { s.set_batch_ns(1, -5); }, "sample.batch_ns[1]: must be at least 0, is -5"},
        {"CountersMost", Counters(kMaxCounters), ""},
        {"CountersTooMany", Counters(kMaxCounters + 1), "sample.counters: has 65 entries"},
        {"CounterNegative", [](auto& s) { (*s.mutable_counters())["n"] = -1; },
         "sample.counters[n]: must be at least 0"},
        {"CounterWithoutName", [](auto& s) { (*s.mutable_counters())[""] = 1; }, "sample.counters: must not be empty"},
        {"CounterNameTooLong", [](auto& s) { (*s.mutable_counters())[std::string(256, 'n')] = 1; },
         "is 256 bytes long"},
        {"MeasuresMost", Measures(kMaxMeasures), ""},
        {"MeasuresTooMany", Measures(kMaxMeasures + 1), "sample.measures_ns: has 65 entries"},
        {"MeasureNegative", [](auto& s) { (*s.mutable_measures_ns())["cpu"] = -1; },
         "sample.measures_ns[cpu]: must be at least 0"},
        {"MeasureWithoutName", [](auto& s) { (*s.mutable_measures_ns())[""] = 1; },
         "sample.measures_ns: must not be empty"},
        {"OutcomeUnspecified", [](auto& s) { s.clear_outcome(); }, "sample.outcome: 0 is not a sample's outcome"},
        {"OutcomeUnknown", [](auto& s) { s.set_outcome(static_cast<v1::SampleOutcome>(77)); }, "77 is not a sample's"},
        {"OutputLongest", [](auto& s) { s.set_output(std::string(kMaxFailureOutputBytes, 'o')); }, ""},
        {"OutputTooLong", [](auto& s) { s.set_output(std::string(kMaxFailureOutputBytes + 1, 'o')); },
         "sample.output: is"},
        {"FailureTooLong", [](auto& s) { s.set_failure(std::string(4097, 'f')); }, "sample.failure: is 4097 bytes"},
        {"OutputNotUtf8", [](auto& s) { s.set_output("\xFF"); }, "sample.output: is not UTF-8"},
        {"UsageNegative", [](auto& s) { s.mutable_usage()->set_max_rss_bytes(-1); },
         "sample.usage.max_rss_bytes: must be"},
        {"ElapsedNegative", [](auto& s) { s.set_elapsed_ns(-1); }, "sample.elapsed_ns: must be at least 0"},
    }),
    [](const auto& c) { return c.param.name; });

struct RoundCase {
  std::string name;
  std::function<void(v1::Round&)> change;
  std::string error;  // empty: accepted
};

class RoundLimitTest : public ::testing::TestWithParam<RoundCase> {};

TEST_P(RoundLimitTest, AtTheBound) {
  v1::Round proto = ToProto(ExampleRound());
  GetParam().change(proto);
  const auto round = ParseRound(proto);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(round.ok()) << round.status();
  } else {
    EXPECT_THAT(std::string(round.status().message()), HasSubstr(GetParam().error));
  }
}

std::function<void(v1::Round&)> Samples(int count) {
  return [=](v1::Round& round) {
    while (round.samples_size() < count) *round.add_samples() = v1::Sample(round.samples(0));
  };
}

INSTANTIATE_TEST_SUITE_P(
    All, RoundLimitTest,
    ::testing::ValuesIn(std::vector<RoundCase>{
        {"IndexNegative", [](auto& r) { r.set_index(-1); }, "round.index: must be at least 0"},
        {"IndexLast", [](auto& r) { r.set_index(kMaxRoundIndex); }, ""},
        {"IndexTooHigh", [](auto& r) { r.set_index(kMaxRoundIndex + 1); }, "round.index: must be at most"},
        {"NoStartTime", [](auto& r) { r.mutable_start_time()->set_nanos(-1); }, "round.start_time: nanoseconds"},
        {"LoadNegative", [](auto& r) { r.mutable_before()->set_load1(-0.5); }, "round.before.load1: must be a number"},
        {"LoadInfinite", [](auto& r) { r.mutable_after()->set_load1(std::numeric_limits<double>::infinity()); },
         "round.after.load1: must be a number"},
        {"StealNegative", [](auto& r) { r.mutable_after()->set_steal_ns(-1); },
         "round.after.steal_ns: must be at least 0"},
        {"NoSamples", [](auto& r) { r.clear_samples(); }, ""},
        {"SamplesMost", Samples(kMaxSamplesPerRound), ""},
        {"SamplesTooMany", Samples(kMaxSamplesPerRound + 1), "round.samples: has 4097 entries"},
        {"SampleFault", [](auto& r) { r.mutable_samples(1)->set_slot(-1); },
         "round.samples[1].slot: must be at least 0"},
    }),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace benchfleet
