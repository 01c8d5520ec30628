#include "server/http/pages.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "server/metrics/exposition.h"

namespace benchfleet {
namespace {

constexpr char kPlainText[] = "text/plain; charset=utf-8";

constexpr absl::string_view kLandingHead = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Benchfleet</title>
<style>
:root { color-scheme: light dark; --text: #1b1f24; --muted: #57606a; --page: #ffffff; --line: #d0d7de; --link: #0a58ca; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --muted: #9198a1; --page: #0d1117; --line: #30363d; --link: #79b8ff; }
}
body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem; background: var(--page); color: var(--text);
       font: 1rem/1.5 system-ui, sans-serif; }
p, dd { color: var(--muted); }
a { color: var(--link); }
dl { border-top: 1px solid var(--line); }
dt { padding-top: .75rem; }
dd { margin: 0; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
</style>
</head>
<body>
<h1>Benchfleet</h1>
)html";

constexpr absl::string_view kLandingLinks = R"html(<dl>
<dt><a href="/metrics">/metrics</a></dt><dd>Results and the service's own figures, for Prometheus</dd>
<dt><a href="/readyz">/readyz</a></dt><dd>Whether requests can be served, and why not</dd>
<dt><a href="/healthz">/healthz</a></dt><dd>Whether the process lives</dd>
<dt><a href="/version">/version</a></dt><dd>What this program was built from, as JSON</dd>
</dl>
</body>
</html>
)html";

std::string HtmlEscape(absl::string_view text) {
  return absl::StrReplaceAll(ReplaceBadUtf8(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

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

HttpResponse LandingPage(const BuildInfo& build) {
  return {200, "text/html; charset=utf-8",
          absl::StrCat(kLandingHead, "<p>Coordinator, version ", HtmlEscape(build.version), "</p>\n", kLandingLinks)};
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
  pages["/"] = [build = options.build](const HttpRequest&) { return LandingPage(build); };
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
