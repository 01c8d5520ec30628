// The HTML report, for those who serve it.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "benchfleet/v1/report.pb.h"

namespace benchfleet {

// Rounds drawn on one page, over all arms and runs. With more, none is drawn and the page
// says so: browser and server stay quick, and the medians are still there.
inline constexpr int kMaxPlottedRounds = 15'000;
// Arms shown with plots and tables of their own, over all runs. Cases above it are named.
inline constexpr int kMaxDetailedArms = 1'000;
// Comparisons listed one by one, over all runs. A run above it has its verdicts counted only.
inline constexpr int kMaxListedComparisons = 2'000;
// A page with at most so many arms shows all its cases unfolded, others only the first.
inline constexpr int kMaxUnfoldedArms = 24;

// What the page may do. It stands in its head; a server sends it as a header as well.
absl::string_view HtmlReportPolicy();

struct HtmlOptions {
  // The page loads itself anew after so long, in whole seconds, while its job has not ended.
  absl::Duration reload_after = absl::InfiniteDuration();
};

// RenderHtml() in render.h is this with the defaults.
std::string RenderHtmlPage(const v1::Report& report, const HtmlOptions& options);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_H_
