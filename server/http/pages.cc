#include "server/http/pages.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/http/page_frame.h"
#include "server/http/report_pages.h"
#include "server/metrics/exposition.h"

namespace benchfleet {
namespace {

constexpr char kPlainText[] = "text/plain; charset=utf-8";

constexpr absl::string_view kLandingLinks = R"html(<h2>For programs</h2>
<dl>
<dt><a href="/metrics">/metrics</a></dt><dd>Results and the service's own figures, for Prometheus</dd>
<dt><a href="/readyz">/readyz</a></dt><dd>Whether requests can be served, and why not</dd>
<dt><a href="/healthz">/healthz</a></dt><dd>Whether the process lives</dd>
<dt><a href="/version">/version</a></dt><dd>What this program was built from, as JSON</dd>
</dl>
)html";

std::string JsonString(absl::string_view text) {
  std::string out = "\"";
  for (const char c : ReplaceBadUtf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

HttpResponse LandingPage(const BuildInfo& build, ReportSource& reports) {
  return FramedPage(200, "Benchfleet",
                    absl::StrCat("<h1>Benchfleet</h1>\n<p>Coordinator, version ", HtmlEscape(build.version),
                                 "</p>\n<h2>Newest jobs</h2>\n", JobTable(reports), kLandingLinks));
}

HttpResponse VersionPage(const BuildInfo& build) {
  return {200, "application/json",
          absl::StrCat("{\"version\":", JsonString(build.version), ",\"revision\":", JsonString(build.revision),
                       ",\"compiler\":", JsonString(build.compiler), ",\"grpc\":", JsonString(build.grpc), "}\n")};
}

HttpResponse ReadyPage(const absl::Status& status) {
  if (status.ok()) return {200, kPlainText, "ready\n"};
  return {503, kPlainText, absl::StrCat("not ready: ", absl::string_view(status.message()), "\n")};
}

}  // namespace

HttpHandlers StandardPages(PageOptions options) {
  HttpHandlers pages;
  pages["/"] = [build = options.build, reports = options.reports](const HttpRequest&) {
    return LandingPage(build, *reports);
  };
  pages[std::string(kJobsPath)] = [reports = options.reports](const HttpRequest& request) {
    return ReportPage(*reports, request.path);
  };
  pages["/healthz"] = [](const HttpRequest&) { return HttpResponse{200, kPlainText, "alive\n"}; };
  pages["/readyz"] = [ready = options.ready](const HttpRequest&) { return ReadyPage(ready()); };
  pages["/version"] = [build = options.build](const HttpRequest&) { return VersionPage(build); };
  pages["/metrics"] = [scraper = options.scraper](const HttpRequest& request) {
    ScrapeResult result = scraper->Scrape(request.accept);
    return HttpResponse{200, std::move(result.content_type), std::move(result.body)};
  };
  return pages;
}

}  // namespace benchfleet
