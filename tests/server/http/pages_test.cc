#include "server/http/pages.h"

#include <regex>
#include <string>
#include <vector>

#include "common/report/render_html.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/counter.h"
#include "prometheus/registry.h"
#include "server/http/http_listener.h"
#include "server/http/report_pages.h"
#include "tests/server/http/http_client.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kJob[] = "01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12";

// Knows one job, kJob.
class FakeReports final : public ReportSource {
 public:
  absl::StatusOr<std::vector<JobLine>> NewestJobs(int limit) override {
    asked_limit = limit;
    if (!status.ok()) return status;
    return jobs;
  }
  absl::StatusOr<v1::Report> ReadReport(absl::string_view id) override {
    if (!status.ok()) return status;
    if (id != kJob) return absl::NotFoundError("no job");
    v1::Report report;
    report.mutable_job()->set_id(kJob);
    report.mutable_job()->set_suite("wake");
    report.mutable_job()->set_state(state);
    return report;
  }

  std::vector<JobLine> jobs;
  absl::Status status;
  std::string state = "succeeded";
  int asked_limit = 0;
};

class PagesTest : public ::testing::Test {
 protected:
  PagesTest() {
    prometheus::BuildCounter().Name("a_total").Help("Help.").Register(registry_).Add({}).Increment();
    pages_ = StandardPages({.build = {"1.2.3<b>", "abc\"\\\n\xFF", "GNU 12.2.0", "1.51.1"},
                            .ready = [this] { return ready_; },
                            .scraper = &scraper_,
                            .reports = &reports_});
  }
  HttpResponse Get(const std::string& path, const std::string& accept = "") {
    const HttpHandler* handler = FindHandler(pages_, path);
    return handler == nullptr ? HttpResponse{404, "", ""} : (*handler)({path, accept});
  }

  absl::Status ready_;
  prometheus::Registry registry_;
  Scraper scraper_{{&registry_}};
  FakeReports reports_;
  HttpHandlers pages_;
};

TEST_F(PagesTest, HealthzSaysThatTheProcessLivesEvenWhenNotReady) {
  ready_ = absl::UnavailableError("no database");
  EXPECT_EQ(Get("/healthz").code, 200);
}

TEST_F(PagesTest, ReadyzSaysWhyNot) {
  EXPECT_EQ(Get("/readyz").code, 200);
  EXPECT_EQ(Get("/readyz").body, "ready\n");
  ready_ = absl::UnavailableError("no database");
  EXPECT_EQ(Get("/readyz").code, 503);
  EXPECT_EQ(Get("/readyz").body, "not ready: no database\n");
}

TEST_F(PagesTest, VersionIsJson) {
  const HttpResponse page = Get("/version");
  EXPECT_EQ(page.content_type, "application/json");
  EXPECT_EQ(page.body,
            "{\"version\":\"1.2.3<b>\",\"revision\":\"abc\\\"\\\\\\u000a\xEF\xBF\xBD\",\"compiler\":\"GNU 12.2.0\","
            "\"grpc\":\"1.51.1\"}\n");
}

TEST_F(PagesTest, MetricsComeInTheFormatAskedFor) {
  EXPECT_EQ(Get("/metrics").content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(Get("/metrics").body, HasSubstr("\na_total 1\n"));
  const HttpResponse page = Get("/metrics", "application/openmetrics-text; version=1.0.0");
  EXPECT_EQ(page.content_type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("\n# EOF\n"));
}

TEST_F(PagesTest, TheLandingPageIsSelfContainedAndItsLinksWork) {
  reports_.jobs = {{kJob, "wake", "demo", "succeeded", absl::FromUnixSeconds(1'700'000'000), 3}};
  const HttpResponse page = Get("/");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("1.2.3&lt;b&gt;"));
  EXPECT_THAT(page.body, HasSubstr("name=\"viewport\""));
  EXPECT_THAT(page.body, HasSubstr("prefers-color-scheme: dark"));
  for (const char* outside : {"http:", "https:", "<script", "stylesheet", "src=", "url("}) {
    EXPECT_THAT(page.body, Not(HasSubstr(outside)));
  }
  const std::regex link("<a href=\"([^\"]*)\"");
  int links = 0;
  for (std::sregex_iterator it(page.body.begin(), page.body.end(), link), end; it != end; ++it, ++links) {
    EXPECT_EQ(Get((*it)[1]).code, 200) << (*it)[1];
  }
  EXPECT_EQ(links, 5);
}

TEST_F(PagesTest, TheLandingPageListsTheNewestJobs) {
  EXPECT_THAT(Get("/").body, HasSubstr("No jobs yet."));
  EXPECT_EQ(reports_.asked_limit, kMaxListedJobs);
  reports_.jobs = {{kJob, "wake", "<demo>", "running", absl::FromUnixSeconds(1'700'000'000), 3}};
  const std::string body = Get("/").body;
  EXPECT_THAT(body, HasSubstr("<a href=\"/jobs/01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12\">"));
  for (const char* cell :
       {"<td>wake</td>", "<td>&lt;demo&gt;</td>", ">running</td>", "<td>2023-11-14 22:13</td>", ">3</td>"}) {
    EXPECT_THAT(body, HasSubstr(cell));
  }
}

TEST_F(PagesTest, TheLandingPageSaysWhyThereAreNoJobs) {
  reports_.status = absl::UnavailableError("disk <full>");
  EXPECT_EQ(Get("/").code, 200);
  EXPECT_THAT(Get("/").body, HasSubstr("Jobs cannot be listed: disk &lt;full&gt;"));
}

TEST_F(PagesTest, AJobsPageIsItsReportUnderTheReportsPolicy) {
  const HttpResponse page = Get(std::string("/jobs/") + kJob);
  EXPECT_EQ(page.code, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(page.content_security_policy, HtmlReportPolicy());
  EXPECT_THAT(page.body, HasSubstr(kJob));
  EXPECT_THAT(page.body, Not(HasSubstr("http-equiv=\"refresh\"")));
}

TEST_F(PagesTest, AJobsPageLoadsItselfAnewUntilTheJobHasEnded) {
  for (const char* state : {"queued", "running"}) {
    reports_.state = state;
    EXPECT_THAT(Get(std::string("/jobs/") + kJob).body, HasSubstr("<meta http-equiv=\"refresh\" content=\"15\">"));
  }
}

struct RefusedJobCase {
  const char* path;
  absl::Status status;  // of the source
  int code;
  const char* says;
};

TEST_F(PagesTest, AJobThatCannotBeShownIsRefusedByName) {
  const RefusedJobCase cases[] = {
      {"/jobs/", absl::OkStatus(), 400, "<code></code>"},
      {"/jobs/<script>", absl::OkStatus(), 400, "&lt;script&gt;"},
      {"/jobs/01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12/", absl::OkStatus(), 400, "4d12/"},
      {"/jobs/01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d13", absl::OkStatus(), 404, "01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d13"},
      {"/jobs/01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12", absl::UnavailableError("disk <full>"), 503, "disk &lt;full&gt;"},
      {"/jobs/01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12", absl::InternalError("torn"), 500, "torn"},
      {"/jobs", absl::OkStatus(), 404, ""},
  };
  for (const RefusedJobCase& refused : cases) {
    reports_.status = refused.status;
    const HttpResponse page = Get(refused.path);
    EXPECT_EQ(page.code, refused.code) << refused.path;
    EXPECT_THAT(page.body, HasSubstr(refused.says)) << refused.path;
    EXPECT_THAT(page.body, Not(HasSubstr("<script"))) << refused.path;
  }
}

TEST_F(PagesTest, AreServed) {
  HttpOptions options;
  options.address = "127.0.0.1:0";
  const absl::StatusOr<std::unique_ptr<HttpListener>> listener = HttpListener::Start(options, pages_);
  ASSERT_TRUE(listener.ok()) << listener.status();
  for (const char* path : {"/", "/healthz", "/readyz", "/version", "/metrics"}) {
    EXPECT_EQ(Fetch((*listener)->port(), path).code, 200) << path;
  }
  EXPECT_EQ(Fetch((*listener)->port(), "/metrics").headers.at("Content-Type"),
            "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace
}  // namespace benchfleet
