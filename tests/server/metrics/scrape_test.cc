// Everything the server exports, together: against the table, the document and promtool.
#include "server/metrics/scrape.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/registry.h"
#include "server/metrics/exposition.h"
#include "server/metrics/metric_table.h"
#include "server/metrics/process_metrics.h"
#include "server/metrics/result_collector.h"
#include "server/metrics/service_metrics.h"
#include "tests/server/metrics/exposition_checker.h"
#include "tests/server/metrics/result_fakes.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class ScrapeTest : public ::testing::Test {
 protected:
  ScrapeTest() {
    source_.rows = std::vector<ResultRow>{FullRow("h1", clock_.now), FullRow("h2\n\"\\\xFF", clock_.now)};
    source_.state->oldest_queued = clock_.now;
  }

  StandingClock clock_;
  FakeResultSource source_;
  prometheus::Registry registry_;
  ServiceMetrics service_{registry_, {"wake"}, {{"benchfleet.v1.WorkerService", "Sync", "unary"}}};
  ProcessCollector process_{{"0.1.0", "abc", "GNU 12.2.0", "1.51.1"}};
  ResultCollector results_{source_, clock_};
  Scraper scraper_{{&registry_, &process_, &results_}};
};

std::set<std::string> TableNames(ExpositionFormat format) {
  std::set<std::string> names;
  for (const MetricInfo& info : MetricTable()) {
    const bool strip = format == ExpositionFormat::kOpenMetrics && info.type == prometheus::MetricType::Counter;
    names.emplace(strip ? absl::StripSuffix(info.name, "_total") : info.name);
  }
  return names;
}

TEST_F(ScrapeTest, BothFormatsHaveExactlyTheMetricsOfTheTable) {
  for (const ExpositionFormat format : {ExpositionFormat::kText, ExpositionFormat::kOpenMetrics}) {
    const ScrapeResult scrape =
        scraper_.Scrape(format == ExpositionFormat::kOpenMetrics ? "application/openmetrics-text; version=1.0.0" : "");
    EXPECT_EQ(scrape.content_type, ContentType(format));
    const CheckedExposition checked = CheckExposition(scrape.body, format);
    EXPECT_THAT(checked.findings, IsEmpty());
    EXPECT_EQ(std::set<std::string>(checked.families.begin(), checked.families.end()), TableNames(format));
    EXPECT_EQ(TableNames(format).size(), MetricTable().size()) << "two rows have one name";
  }
}

// The labels of every series are those the table, and so the document, names.
TEST_F(ScrapeTest, LabelsAreThoseOfTheTable) {
  std::vector<prometheus::MetricFamily> families = registry_.Collect();
  for (const prometheus::Collectable* collectable : std::vector<const prometheus::Collectable*>{&process_, &results_}) {
    for (prometheus::MetricFamily& family : collectable->Collect()) families.push_back(std::move(family));
  }
  for (const prometheus::MetricFamily& family : families) {
    const MetricInfo& info = FindMetric(family.name);
    EXPECT_EQ(family.type, info.type) << family.name;
    EXPECT_EQ(family.help, info.help);
    const std::vector<std::string> names = absl::StrSplit(info.labels, ',', absl::SkipEmpty());
    for (const prometheus::ClientMetric& metric : family.metric) {
      std::set<std::string> labels;
      for (const prometheus::ClientMetric::Label& label : metric.label) labels.insert(label.name);
      EXPECT_EQ(labels, std::set<std::string>(names.begin(), names.end())) << family.name;
    }
  }
}

TEST_F(ScrapeTest, CountsItsSeriesAndDuplicates) {
  source_.rows = std::vector<ResultRow>{FullRow("h1", clock_.now)};
  const auto samples = [&] { return CheckExposition(scraper_.Scrape("").body, ExpositionFormat::kText).samples; };
  const auto before = samples();
  EXPECT_THAT(before, Contains(Pair("benchfleet_metrics_duplicate_series", "0")));
  source_.rows->push_back(FullRow("h1", clock_.now));
  const auto after = samples();
  EXPECT_EQ(after.at("benchfleet_metrics_series"), before.at("benchfleet_metrics_series"));
  EXPECT_GT(std::stoi(after.at("benchfleet_metrics_duplicate_series")), 10);
}

std::string ReadWhole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(MetricsDocument, HoldsTheTable) {
  const std::string document = ReadWhole(BENCHFLEET_SOURCE_DIR "/docs/metrics.md");
  EXPECT_NE(document.find(MetricTableMarkdown()), std::string::npos)
      << "docs/metrics.md must hold this table as it is:\n"
      << MetricTableMarkdown();
}

TEST(MetricsDocument, NamesNoMetricThatDoesNotExist) {
  std::set<std::string> known;
  for (const MetricInfo& info : MetricTable()) {
    known.emplace(info.name);
    if (info.type != prometheus::MetricType::Histogram) continue;
    for (const char* suffix : {"_bucket", "_sum", "_count"}) known.insert(absl::StrCat(info.name, suffix));
  }
  const std::string document = ReadWhole(BENCHFLEET_SOURCE_DIR "/docs/metrics.md");
  const std::regex name("(?:benchfleet|process|grpc_server)_[a-z0-9_]+");
  size_t found = 0;
  for (std::sregex_iterator it(document.begin(), document.end(), name), end; it != end; ++it, ++found) {
    EXPECT_THAT(known, Contains(it->str()));
  }
  EXPECT_GT(found, MetricTable().size()) << "the examples name some too";
}

TEST(MetricTableDeathTest, AnUnknownNameEndsTheProgram) {
  EXPECT_DEATH(FindMetric("benchfleet_nothing"), "benchfleet_nothing is not in the table");
}

// Runs promtool on `input`; its output, and the exit code as the last line.
struct PromtoolResult {
  int exit_code = -1;
  std::string output;
};
PromtoolResult RunPromtool(const std::string& promtool, const std::string& input) {
  const std::string in = absl::StrCat(::testing::TempDir(), "benchfleet_exposition_", ::getpid());
  const std::string out = in + ".out";
  std::ofstream(in) << input;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::array<std::string, 3> words = {promtool, "check", "metrics"};
  std::array<char*, 4> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t pid = -1;
  int status = -1;
  PromtoolResult result;
  if (::posix_spawn(&pid, promtool.c_str(), &actions, nullptr, argv.data(), environ) == 0 &&
      ::waitpid(pid, &status, 0) == pid && WIFEXITED(status)) {
    result = {WEXITSTATUS(status), ReadWhole(out)};
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::unlink(in.c_str());
  ::unlink(out.c_str());
  return result;
}

std::string FindPromtool() {
  for (const char* path : {"/usr/bin/promtool", "/usr/local/bin/promtool"}) {
    if (::access(path, X_OK) == 0) return path;
  }
  return "";
}

TEST_F(ScrapeTest, PromtoolFindsNothing) {
  const std::string promtool = FindPromtool();
  if (promtool.empty()) GTEST_SKIP() << "promtool is not installed (package prometheus)";
  const PromtoolResult faulty = RunPromtool(promtool, "# HELP a x\n# TYPE a counter\na 1\n");
  EXPECT_EQ(faulty.exit_code, 3) << "it must be able to find a fault";
  const PromtoolResult result = RunPromtool(promtool, scraper_.Scrape("").body);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "");
}

}  // namespace
}  // namespace benchfleet
