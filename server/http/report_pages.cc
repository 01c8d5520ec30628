#include "server/http/report_pages.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/base/uuid.h"
#include "common/report/render_html.h"
#include "server/http/page_frame.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kBackLink = "<p><a href=\"/\">All jobs</a></p>\n";

HttpResponse Refusal(int code, absl::string_view title, absl::string_view detail) {
  return FramedPage(code, title, absl::StrCat("<h1>", HtmlEscape(title), "</h1>\n<p>", detail, "</p>\n", kBackLink));
}

std::string Code(absl::string_view text) { return absl::StrCat("<code>", HtmlEscape(text), "</code>"); }

}  // namespace

std::string JobTable(ReportSource& source) {
  const absl::StatusOr<std::vector<JobLine>> jobs = source.NewestJobs(kMaxListedJobs);
  if (!jobs.ok()) return absl::StrCat("<p>Jobs cannot be listed: ", HtmlEscape(jobs.status().message()), "</p>\n");
  if (jobs->empty()) return "<p>No jobs yet.</p>\n";
  std::string html =
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Newest jobs\">\n<table>\n"
      "<thead><tr><th>job</th><th>suite</th><th>project</th><th>state</th><th>created, UTC</th>"
      "<th class=\"number\">hosts</th></tr></thead>\n<tbody>\n";
  for (const JobLine& job : *jobs) {
    absl::StrAppend(&html, "<tr><td><a href=\"", kJobsPath, HtmlEscape(job.id), "\">", Code(job.id), "</a></td><td>",
                    HtmlEscape(job.suite), "</td><td>", HtmlEscape(job.project), "</td><td class=\"",
                    HtmlEscape(job.state), "\">", HtmlEscape(job.state), "</td><td>",
                    absl::FormatTime("%Y-%m-%d %H:%M", job.create_time, absl::UTCTimeZone()),
                    "</td><td class=\"number\">", job.hosts, "</td></tr>\n");
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

HttpResponse ReportPage(ReportSource& source, absl::string_view path) {
  const absl::string_view id = absl::StripPrefix(path, kJobsPath);
  if (!IsUuid(id)) {
    return Refusal(400, "Not a job id",
                   absl::StrCat("This is no job id: ", Code(id),
                                ". One looks like "
                                "<code>01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12</code>."));
  }
  const absl::StatusOr<v1::Report> report = source.ReadReport(id);
  if (absl::IsNotFound(report.status()))
    return Refusal(404, "No such job", absl::StrCat("There is no job ", Code(id), "."));
  if (!report.ok()) {
    const int code = absl::IsUnavailable(report.status()) ? 503 : 500;
    return Refusal(code, "No report now", HtmlEscape(report.status().message()));
  }
  return {.code = 200,
          .content_type = kHtmlContentType,
          .body = RenderHtmlPage(*report, {.reload_after = kReportReload}),
          .content_security_policy = std::string(HtmlReportPolicy())};
}

}  // namespace benchfleet
