#include "server/metrics/service_metrics.h"

#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/registry.h"
#include "server/metrics/exposition.h"
#include "tests/server/metrics/exposition_checker.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

class ServiceMetricsTest : public ::testing::Test {
 protected:
  std::map<std::string, std::string> Samples() const {
    const Exposition arranged = Arrange(registry_.Collect());
    EXPECT_EQ(arranged.duplicates_dropped, 0u);
    CheckedExposition checked =
        CheckExposition(Serialise(arranged.families, ExpositionFormat::kText), ExpositionFormat::kText);
    EXPECT_THAT(checked.findings, IsEmpty());
    return std::move(checked.samples);
  }

  prometheus::Registry registry_;
  ServiceMetrics metrics_{registry_, {"wake"}, {{"s.W", "Sync", "unary"}, {"s.B", "WatchJob", "server_stream"}}};
};

TEST_F(ServiceMetricsTest, EverySeriesStartsAtZero) {
  const std::map<std::string, std::string> samples = Samples();
  EXPECT_THAT(samples, Each(Pair(::testing::_, "0")));
  for (const char* series :
       {"benchfleet_jobs_submitted_total{suite=\"wake\"}",
        "benchfleet_jobs_finished_total{outcome=\"partial\",suite=\"wake\"}", "benchfleet_idempotent_replays_total",
        "benchfleet_admission_rejections_total{reason=\"no_host\"}", "benchfleet_lease_offers_total",
        "benchfleet_lease_expirations_total{cause=\"session_ended\"}", "benchfleet_chunks_total{outcome=\"late\"}",
        "benchfleet_log_messages_total{level=\"error\"}", "benchfleet_db_commit_seconds_count",
        "grpc_server_started_total{grpc_method=\"Sync\",grpc_service=\"s.W\",grpc_type=\"unary\"}",
        "grpc_server_handled_total{grpc_code=\"Unauthenticated\",grpc_method=\"WatchJob\",grpc_service=\"s.B\","
        "grpc_type=\"server_stream\"}"}) {
    EXPECT_THAT(samples, Contains(Key(series)));
  }
  EXPECT_THAT(samples, Each(Key(Not(HasSubstr("handling_seconds_count{grpc_method=\"WatchJob\"")))));
}

TEST_F(ServiceMetricsTest, CountsByLabels) {
  metrics_.jobs_finished.At({"wake", "failed"}).Increment();
  metrics_.lease_renewals.Increment(2);
  const std::map<std::string, std::string> samples = Samples();
  EXPECT_THAT(samples, Contains(Pair("benchfleet_jobs_finished_total{outcome=\"failed\",suite=\"wake\"}", "1")));
  EXPECT_THAT(samples, Contains(Pair("benchfleet_lease_renewals_total", "2")));
}

TEST_F(ServiceMetricsTest, UnexpectedValuesMakeOneSeriesOnly) {
  metrics_.jobs_submitted.At({"a"}).Increment();
  metrics_.jobs_submitted.At({"b"}).Increment();
  EXPECT_THAT(Samples(), Contains(Pair("benchfleet_jobs_submitted_total{suite=\"other\"}", "2")));
}

TEST_F(ServiceMetricsTest, CountsCalls) {
  metrics_.grpc.Started("/s.W/Sync");
  metrics_.grpc.Handled("/s.W/Sync", 10, absl::Milliseconds(2));
  metrics_.grpc.Handled("/s.W/Sync", 99, absl::Milliseconds(2));
  metrics_.grpc.Handled("/s.B/WatchJob", 0, absl::Hours(1));
  metrics_.grpc.Started("/made/Up");
  metrics_.grpc.Started("nonsense");
  const std::map<std::string, std::string> samples = Samples();
  const std::string sync = "grpc_method=\"Sync\",grpc_service=\"s.W\",grpc_type=\"unary\"";
  EXPECT_THAT(samples, Contains(Pair("grpc_server_started_total{" + sync + "}", "1")));
  EXPECT_THAT(samples, Contains(Pair("grpc_server_handled_total{grpc_code=\"Aborted\"," + sync + "}", "1")));
  EXPECT_THAT(samples, Contains(Pair("grpc_server_handled_total{grpc_code=\"Unknown\"," + sync + "}", "1")));
  EXPECT_THAT(samples, Contains(Pair("grpc_server_handling_seconds_bucket{" + sync + ",le=\"0.001\"}", "0")));
  EXPECT_THAT(samples, Contains(Pair("grpc_server_handling_seconds_bucket{" + sync + ",le=\"0.0025\"}", "2")));
  EXPECT_THAT(samples,
              Contains(Pair(
                  "grpc_server_started_total{grpc_method=\"other\",grpc_service=\"other\",grpc_type=\"other\"}", "2")));
}

}  // namespace
}  // namespace benchfleet
