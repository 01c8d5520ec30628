#include "common/report/render_html_header.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "common/report/render_html_text.h"

namespace benchfleet::html {
namespace {

constexpr char kUnknown[] = "unknown";

// A list of names and values; values that are empty are left out.
class FactList {
 public:
  void Add(absl::string_view name, const std::string& html) {
    if (!html.empty()) absl::StrAppend(&items_, "<div><dt>", name, "</dt><dd>", html, "</dd></div>\n");
  }
  std::string Finish() const { return items_.empty() ? "" : absl::StrCat("<dl class=\"facts\">\n", items_, "</dl>\n"); }

 private:
  std::string items_;
};

std::string Code(absl::string_view text) { return text.empty() ? "" : absl::StrCat("<code>", Text(text), "</code>"); }

std::string Badge(absl::string_view state) {
  const absl::string_view look = state == "succeeded"                                              ? "good"
                                 : state == "failed" || state == "cancelled" || state == "expired" ? "bad"
                                                                                                   : "open";
  return absl::StrCat("<span class=\"badge ", look, "\">", Words(state), "</span>");
}

// Where it says more than "all is well".
std::string Reason(absl::string_view reason) {
  return reason.empty() ? "" : absl::StrCat(" <span class=\"reason\">", Text(reason), "</span>");
}

std::string TimeElement(const std::string& rfc3339) {
  if (rfc3339.empty()) return "";
  const std::string readable = absl::StrReplaceAll(rfc3339, {{"T", " "}, {"Z", " UTC"}});
  return absl::StrCat("<time datetime=\"", Text(rfc3339), "\">", Text(readable), "</time>");
}

std::string LabelTexts(const v1::ReportJob& job) {
  const std::map<std::string, std::string> sorted(job.labels().begin(), job.labels().end());
  std::string html;
  for (const auto& [name, value] : sorted) {
    absl::StrAppend(&html, html.empty() ? "" : " ", "<code>", Text(name), "=", Text(value), "</code>");
  }
  return html;
}

std::string Fact(const v1::ReportRun& run, const std::string& name) {
  const auto fact = run.host_facts().find(name);
  return fact == run.host_facts().end() || fact->second == kUnknown ? "" : Text(fact->second);
}

std::string LoadText(const v1::ReportRun& run) {
  if (!run.has_load1_min() || !run.has_load1_max()) return "";
  return absl::StrFormat("%.2f\u2013%.2f", run.load1_min(), run.load1_max());
}

std::string Failures(const v1::ReportRun& run) {
  if (run.failed_samples() == 0 && run.failures().empty()) return "";
  std::string html =
      absl::StrCat("<div class=\"failures\">\n<p>", Counted(run.failed_samples(), "measurement"), " failed</p>\n");
  if (!run.failures().empty()) {
    html += "<ul>\n";
    for (const std::string& failure : run.failures()) absl::StrAppend(&html, "<li>", Text(failure), "</li>\n");
    html += "</ul>\n";
  }
  return html + "</div>\n";
}

template <typename StringMap>
std::string PartsTable(const StringMap& parts, absl::string_view digest) {
  const std::map<std::string, std::string> sorted(parts.begin(), parts.end());
  std::string html = "<dl class=\"parts\">\n";
  for (const auto& [name, value] : sorted) {
    absl::StrAppend(&html, "<dt>", Words(name), "</dt><dd>", Text(value), "</dd>\n");
  }
  if (!digest.empty()) absl::StrAppend(&html, "<dt>key</dt><dd>", Code(digest), "</dd>\n");
  return html + "</dl>\n";
}

}  // namespace

bool HasEnded(const v1::ReportJob& job) { return job.state() != "queued" && job.state() != "running"; }

std::string JobTitle(const v1::ReportJob& job) { return absl::StrCat(job.suite(), " \u00B7 ", job.project()); }

std::string JobHeader(const v1::ReportJob& job) {
  FactList facts;
  facts.Add("Job", Code(job.id()));
  facts.Add("Created", TimeElement(job.create_time()));
  facts.Add("Commit", Code(job.commit()));
  facts.Add("Branch", Code(job.branch()));
  facts.Add("Labels", LabelTexts(job));
  return absl::StrCat("<header>\n<p class=\"kicker\">Benchfleet report</p>\n<h1>", Text(job.suite()),
                      " <span class=\"project\">", Text(job.project()), "</span></h1>\n<p>", Badge(job.state()),
                      Reason(job.state_reason()), "</p>\n", facts.Finish(), "</header>\n");
}

std::string RunHeader(const v1::ReportRun& run) {
  std::string html =
      absl::StrCat("<h2>", run.host().empty() ? "no host yet" : Text(run.host()), " ", Badge(run.state()), "</h2>\n");
  if (!run.end_reason().empty()) absl::StrAppend(&html, "<p class=\"reason\">", Text(run.end_reason()), "</p>\n");
  FactList facts;
  facts.Add("Run", Code(run.id()));
  if (!run.seed().empty()) {  // there was a plan
    facts.Add("Processor", Fact(run, "cpu_model"));
    facts.Add("Kernel", Fact(run, "kernel"));
    facts.Add("Rounds", absl::StrCat(run.rounds(), ", ", Text(run.schedule())));
    facts.Add("Seed", Code(run.seed()));
    facts.Add("Load", LoadText(run));
    facts.Add("CPU time stolen", run.has_steal_ratio() ? PercentText(run.steal_ratio()) : "");
    facts.Add("Attempts", run.attempts() > 1 ? absl::StrCat(run.attempts()) : "");
    facts.Add("Suite version", run.suite_version() > 0 ? absl::StrCat(run.suite_version()) : "");
  }
  return absl::StrCat(html, facts.Finish(), Failures(run));
}

std::string RunFacts(const v1::ReportRun& run) {
  std::string html;
  if (!run.host_facts().empty()) {
    absl::StrAppend(&html, "<details class=\"more\"><summary>The host</summary>\n",
                    PartsTable(run.host_facts(), run.host_key()), "</details>\n");
  }
  if (!run.subjects().empty()) {
    absl::StrAppend(&html,
                    "<details class=\"more\"><summary>What was measured: ", Counted(run.subjects_size(), "subject"),
                    "</summary>\n");
    for (const v1::ReportSubject& subject : run.subjects()) {
      absl::StrAppend(&html, "<h4>", Text(subject.name()), "</h4>\n", PartsTable(subject.parts(), subject.digest()));
    }
    html += "</details>\n";
  }
  return html;
}

}  // namespace benchfleet::html
