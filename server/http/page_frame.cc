#include "server/http/page_frame.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "server/metrics/exposition.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kHead = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b2026; --quiet: #56606b; --line: #dde1e6; --link: #0b5cad; --bad: #a13f08;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #11151a; --ink: #e3e7ec; --quiet: #a0abb7; --line: #2d3640; --link: #82bdf8; --bad: #f3a768; }
}
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.25; letter-spacing: -0.015em; font-weight: 650; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.0625rem; font-weight: 650; }
p, dd, .quiet { color: var(--quiet); }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.15em; }
code { font: 0.9em/1.4 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.scroll { position: relative; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 1.5rem 0.3rem 0; text-align: left; white-space: nowrap; }
th { font-weight: 550; border-bottom: 1px solid var(--ink); }
td { border-bottom: 1px solid var(--line); }
.number { text-align: right; }
.succeeded { color: var(--link); }
.failed, .cancelled, .expired { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.3rem 1.5rem; margin: 0; }
dd { margin: 0; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
@media (max-width: 40rem) {
  main { padding: 1.25rem 1rem 3rem; }
  dl { display: block; }
  dd { margin-bottom: 0.5rem; }
}
</style>
)html";

}  // namespace

std::string HtmlEscape(absl::string_view text) {
  return absl::StrReplaceAll(ReplaceBadUtf8(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

HttpResponse FramedPage(int code, absl::string_view title, absl::string_view body) {
  return {.code = code,
          .content_type = kHtmlContentType,
          .body = absl::StrCat(kHead, "<title>", HtmlEscape(title), "</title>\n</head>\n<body>\n<main>\n", body,
                               "</main>\n</body>\n</html>\n")};
}

}  // namespace benchfleet
