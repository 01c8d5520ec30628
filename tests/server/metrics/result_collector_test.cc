#include "server/metrics/result_collector.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/metrics/exposition.h"
#include "tests/server/metrics/exposition_checker.h"
#include "tests/server/metrics/result_fakes.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

class ResultCollectorTest : public ::testing::Test {
 protected:
  using Samples = std::map<std::string, std::string>;

  Samples Collect(ResultCollectorOptions options = {}) const {
    const Exposition arranged = Arrange(ResultCollector(source_, clock_, options).Collect());
    EXPECT_EQ(arranged.duplicates_dropped, 0u);
    CheckedExposition checked =
        CheckExposition(Serialise(arranged.families, ExpositionFormat::kText), ExpositionFormat::kText);
    EXPECT_THAT(checked.findings, IsEmpty());
    return std::move(checked.samples);
  }

  mutable FakeResultSource source_;
  StandingClock clock_;
};

TEST_F(ResultCollectorTest, ExportsEveryFigureOfARow) {
  source_.rows = std::vector<ResultRow>{FullRow("h1", clock_.now - absl::Hours(1))};
  const Samples samples = Collect();
  const std::string arm =
      R"({case="epoll/frame.ready",host="h1",measure="wall",project="default",suite="wake",variant="lookup"})";
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_seconds" + arm, "1.5e-07")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_seconds_lower" + arm, "1.25e-07")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_seconds_upper" + arm, "1.75e-07")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_seconds_min" + arm, "1e-07")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_seconds_max" + arm, "2e-07")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_seconds_rounds" + arm, "9")));
  EXPECT_THAT(samples,
              Contains(Pair(R"(benchfleet_counts_per_operation{case="epoll/frame.ready",counter="socket_bytes",)"
                            R"(host="h1",measure="wall",project="default",suite="wake",variant="lookup"})",
                            "0")));
  const std::string efficiency =
      R"({case="epoll/frame.ready",host="h1",measure="efficiency",project="default",suite="wake",variant="lookup"})";
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_ratio" + efficiency, "0.75")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_ratio_lower" + efficiency, "0.7")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_ratio_upper" + efficiency, "0.8")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_ratio_min" + efficiency, "0.6")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_ratio_max" + efficiency, "0.9")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_median_ratio_rounds" + efficiency, "9")));
  const std::string pair =
      R"({base_case="epoll/frame.ready",base_variant="lookup",contender_case="epoll/frame.ready",)"
      R"(contender_variant="counted",host="h1",kind="variant",measure="wall",project="default",suite="wake")";
  EXPECT_THAT(samples, Contains(Pair("benchfleet_comparison_ratio" + pair + "}", "0.5")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_comparison_ratio_lower" + pair + "}", "0.4")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_comparison_ratio_upper" + pair + "}", "0.6")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_comparison_verdict" + pair + ",verdict=\"faster\"}", "1")));
  for (const char* other : {"slower", "same", "inconclusive"}) {
    EXPECT_THAT(samples, Contains(Pair("benchfleet_comparison_verdict" + pair + ",verdict=\"" + other + "\"}", "0")));
  }
  const std::string group = R"({host="h1",project="default",suite="wake"})";
  EXPECT_THAT(samples, Contains(Pair("benchfleet_run_failed_samples" + group, "2")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_run_last_success_timestamp_seconds" + group, "1699996400")));
  EXPECT_THAT(samples, Contains(Pair(R"(benchfleet_run_info{branch="main",commit="c0ffee",host="h1",)"
                                     R"(host_key="hk1:abc",project="default",run_id="0190/0",suite="wake"})",
                                     "1")));
  EXPECT_THAT(samples, Contains(Pair(R"(benchfleet_subject_info{digest="sk1:def",host="h1",project="default",)"
                                     R"(subject="epoll",suite="wake"})",
                                     "1")));
  EXPECT_THAT(samples,
              Contains(Pair(R"(benchfleet_capability_info{compiler="gfortran",host="h1",mode="link",)"
                            R"(outcome="accepted",probe="f2008block",project="default",suite="wake",version="12.2.0"})",
                            "1")));
  EXPECT_THAT(samples, Contains(Pair(HasSubstr(R"(,cpu_model="Some \"CPU\" \\ 9",)"), "1")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_dropped_series", "0")));
}

TEST_F(ResultCollectorTest, WhatDoesNotExistIsAbsent) {
  ResultRow row = FullRow("h1", clock_.now);
  row.figures.summaries.resize(1);
  row.figures.summaries[0].median_interval.reset();
  row.figures.summaries[0].counters.clear();
  row.figures.comparisons[0].ratio.reset();
  row.figures.comparisons[0].ratio_interval.reset();
  row.subjects.clear();
  row.capabilities.clear();
  source_.rows = std::vector<ResultRow>{row};
  const Samples samples = Collect();
  for (const char* name : {"benchfleet_median_seconds_lower", "benchfleet_median_seconds_upper",
                           "benchfleet_median_ratio", "benchfleet_counts_per_operation", "benchfleet_comparison_ratio",
                           "benchfleet_subject_info", "benchfleet_capability_info"}) {
    EXPECT_THAT(samples, Each(Key(Not(StartsWith(name)))));
  }
  EXPECT_THAT(samples, Contains(Key(StartsWith("benchfleet_comparison_verdict"))));
  EXPECT_THAT(samples, Each(Key(Not(StartsWith("benchfleet_queue_oldest")))));
}

TEST_F(ResultCollectorTest, RowsThatDifferInOneLabelDoNotCollide) {
  const ResultRow row = FullRow("h1", clock_.now);
  std::vector<ResultRow> rows(4, row);
  rows[1].project = "other";
  rows[2].suite = "compile";
  rows[3].host = HostName("h2");
  Comparison turned = row.figures.comparisons[0];
  std::swap(turned.base, turned.contender);
  Comparison other_kind = row.figures.comparisons[0];
  other_kind.kind = "in_loop_against_outside";
  rows[0].figures.comparisons.push_back(turned);
  rows[0].figures.comparisons.push_back(other_kind);
  source_.rows = rows;
  Collect();  // expects no duplicates
}

TEST_F(ResultCollectorTest, ResultsExpireAtTheirTtl) {
  const ResultCollectorOptions options{.result_ttl = absl::Hours(1)};
  source_.rows = std::vector<ResultRow>{FullRow("h1", clock_.now)};
  clock_.now += absl::Hours(1) - absl::Nanoseconds(1);
  EXPECT_THAT(Collect(options), Contains(Key(StartsWith("benchfleet_median_seconds{"))));
  clock_.now += absl::Nanoseconds(1);
  const Samples samples = Collect(options);
  EXPECT_THAT(samples, Each(Key(Not(HasSubstr("h1")))));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_dropped_series", "0"))) << "expired, not dropped";
}

size_t SeriesOf(const std::map<std::string, std::string>& samples, const std::string& host) {
  size_t count = 0;
  for (const auto& [series, value] : samples)
    count += series.find("host=\"" + host + "\"") == std::string::npos ? 0 : 1;
  return count;
}

TEST_F(ResultCollectorTest, TheCapLeavesOutWholeGroupsNewestFirst) {
  std::vector<ResultRow> rows = {FullRow("young", clock_.now), FullRow("old", clock_.now - absl::Hours(3)),
                                 FullRow("middle", clock_.now - absl::Hours(2))};
  rows[1].end_time = clock_.now + absl::Minutes(1);  // what counts is when the group appeared
  source_.rows = rows;
  const size_t group = SeriesOf(Collect(), "old");
  ASSERT_GT(group, 10u);

  Samples samples = Collect({.max_series = 3 * group});
  EXPECT_EQ(SeriesOf(samples, "young"), group);
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_dropped_series", "0")));

  samples = Collect({.max_series = 3 * group - 1});
  EXPECT_EQ(SeriesOf(samples, "young"), 0u);
  EXPECT_EQ(SeriesOf(samples, "middle"), group);
  EXPECT_EQ(SeriesOf(samples, "old"), group);
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_dropped_series", std::to_string(group - 1))));

  samples = Collect({.max_series = group});
  EXPECT_EQ(SeriesOf(samples, "middle"), 0u);
  EXPECT_EQ(SeriesOf(samples, "old"), group);
}

TEST_F(ResultCollectorTest, ASmallYoungGroupDoesNotSlipPastALargeOneThatWasLeftOut) {
  ResultRow small = FullRow("small", clock_.now);
  small.figures = {};
  source_.rows = std::vector<ResultRow>{FullRow("large", clock_.now - absl::Hours(1)), small};
  EXPECT_EQ(SeriesOf(Collect({.max_series = 10}), "small"), 0u);
}

// One probe of one compiler is one series; what it became is told by a label.
TEST_F(ResultCollectorTest, EveryCapabilityIsASeriesOfItsGroupAndCountsIntoTheCap) {
  ResultRow row = FullRow("h1", clock_.now);
  source_.rows = std::vector<ResultRow>{row};
  const size_t with_one = SeriesOf(Collect(), "h1");
  const Capability first = row.capabilities[0];
  const auto add = [&](auto change) { change(row.capabilities.emplace_back(first)); };
  add([](Capability& capability) { capability.compiler = "flang"; });
  add([](Capability& capability) { capability.version = "13.2.0"; });
  add([](Capability& capability) { capability.mode = "compile"; });
  add([](Capability& capability) { capability.probe = "f2018teams"; });
  source_.rows = std::vector<ResultRow>{row};
  EXPECT_EQ(SeriesOf(Collect({.max_series = with_one + 4}), "h1"), with_one + 4);
  const Samples samples = Collect({.max_series = with_one + 3});
  EXPECT_EQ(SeriesOf(samples, "h1"), 0u) << "a table of capabilities is not cut in two";
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_dropped_series", std::to_string(with_one + 3))));
}

TEST_F(ResultCollectorTest, EveryOutcomeHasAWord) {
  ResultRow row = FullRow("h1", clock_.now);
  row.capabilities.clear();
  const std::vector<std::pair<CompileOutcome, std::string>> words = {
      {CompileOutcome::kAccepted, "accepted"}, {CompileOutcome::kRefused, "refused"},
      {CompileOutcome::kCrashed, "crashed"},   {CompileOutcome::kKilled, "killed"},
      {CompileOutcome::kTimeout, "timeout"},   {CompileOutcome::kInfrastructure, "infrastructure"}};
  for (const auto& [outcome, word] : words) row.capabilities.push_back({"gcc", "12.2.0", "link", word, outcome});
  source_.rows = std::vector<ResultRow>{row};
  const Samples samples = Collect();
  for (const auto& [outcome, word] : words) {
    EXPECT_THAT(samples, Contains(Key(HasSubstr("outcome=\"" + word + "\",probe=\"" + word + "\""))));
  }
}

TEST_F(ResultCollectorTest, ASummaryOfAnUnknownUnitIsLeftOutAndCounted) {
  ResultRow row = FullRow("h1", clock_.now);
  row.figures.summaries[0].unit = "furlongs";
  source_.rows = std::vector<ResultRow>{row};
  const Samples samples = Collect();
  EXPECT_THAT(samples, Each(Key(Not(HasSubstr("furlongs")))));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_dropped_series", "6")));
}

TEST_F(ResultCollectorTest, HostInfoIsOfTheHostsNewestRun) {
  std::vector<ResultRow> rows(2, FullRow("h1", clock_.now));
  rows[0].suite = "a";
  rows[0].host_key.digest = "hk1:new";
  rows[1].suite = "b";
  rows[1].host_key.digest = "hk1:old";
  rows[1].end_time -= absl::Seconds(1);
  source_.rows = rows;
  const Samples samples = Collect();
  std::vector<std::string> infos;
  for (const auto& [series, value] : samples) {
    if (series.find("benchfleet_host_info") == 0) infos.push_back(series);
  }
  EXPECT_THAT(infos, ::testing::ElementsAre(HasSubstr("host_key=\"hk1:new\"")));
}

TEST_F(ResultCollectorTest, ExportsTheState) {
  source_.state = ServiceState{.jobs_queued = 1,
                               .jobs_running = 2,
                               .workers_idle = 3,
                               .workers_busy = 4,
                               .workers_offline = 5,
                               .leases = 6,
                               .oldest_queued = absl::FromUnixSeconds(7)};
  const Samples samples = Collect();
  EXPECT_THAT(samples, Contains(Pair("benchfleet_jobs{state=\"queued\"}", "1")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_jobs{state=\"running\"}", "2")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_workers{state=\"idle\"}", "3")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_workers{state=\"busy\"}", "4")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_workers{state=\"offline\"}", "5")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_leases", "6")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_queue_oldest_timestamp_seconds", "7")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_collect_errors", "0")));
}

TEST_F(ResultCollectorTest, ASourceThatFailsIsCountedAndTheRestGoesOn) {
  source_.rows = absl::UnavailableError("disk");
  Samples samples = Collect();
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_collect_errors", "1")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_leases", "0")));
  source_.state = absl::UnavailableError("disk");
  samples = Collect();
  EXPECT_THAT(samples, Contains(Pair("benchfleet_metrics_collect_errors", "2")));
  EXPECT_THAT(samples, Each(Key(StartsWith("benchfleet_metrics_")))) << "unknown is absent, not 0";
}

}  // namespace
}  // namespace benchfleet
