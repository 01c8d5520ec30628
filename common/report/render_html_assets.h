// Style and script of the HTML report.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_ASSETS_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_ASSETS_H_

#include "absl/strings/string_view.h"

namespace benchfleet::html {

absl::string_view Style();

// Sorts tables by the column whose header is pressed, unfolds cases, and unfolds everything
// for the printer. Only this very text may run on the page: its digest is in the policy.
absl::string_view Script();
// SHA-256 of Script(), base64; a test computes it anew.
absl::string_view ScriptDigest();

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_ASSETS_H_
