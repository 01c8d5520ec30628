#include "server/http/pages.h"

#include <regex>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/counter.h"
#include "prometheus/registry.h"
#include "server/http/http_listener.h"
#include "tests/server/http/http_client.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PagesTest : public ::testing::Test {
 protected:
  PagesTest() {
    prometheus::BuildCounter().Name("a_total").Help("Help.").Register(registry_).Add({}).Increment();
    pages_ = StandardPages({.build = {"1.2.3<b>", "abc\"\\\n\xFF", "GNU 12.2.0", "1.51.1"},
                            .ready = [this] { return ready_; },
                            .scraper = &scraper_});
  }
  HttpResponse Get(const std::string& path, const std::string& accept = "") { return pages_.at(path)({path, accept}); }

  absl::Status ready_;
  prometheus::Registry registry_;
  Scraper scraper_{{&registry_}};
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
  const HttpResponse page = Get("/");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("1.2.3&lt;b&gt;"));
  EXPECT_THAT(page.body, HasSubstr("name=\"viewport\""));
  EXPECT_THAT(page.body, HasSubstr("prefers-color-scheme: dark"));
  for (const char* outside : {"http:", "https:", "<script", "<link", "src=", "url("}) {
    EXPECT_THAT(page.body, Not(HasSubstr(outside)));
  }
  const std::regex link("href=\"([^\"]*)\"");
  int links = 0;
  for (std::sregex_iterator it(page.body.begin(), page.body.end(), link), end; it != end; ++it, ++links) {
    EXPECT_EQ(pages_.count((*it)[1]), 1u) << (*it)[1];
  }
  EXPECT_EQ(links, 4);
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
