// Words, numbers and marks of the HTML report.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_TEXT_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchfleet/v1/report.pb.h"

namespace benchfleet::html {

// Text from elsewhere, for the content of an element or a quoted attribute.
std::string Text(absl::string_view text);
// A name such as "too_few_rounds" as words.
std::string Words(absl::string_view name);
// A case path or variant that may be broken between its words, not within them or a version.
std::string Name(absl::string_view name);

// "0.795", "12.5".
std::string RatioText(double ratio);
// "−20.5 %".
std::string ChangeText(double ratio);
// "0.781–0.812"; empty without an interval.
std::string RatioIntervalText(const v1::Comparison& comparison);
// "2 %".
std::string PercentText(double share);
// "1 round", "18 rounds".
std::string Counted(int count, absl::string_view noun);

// "faster", "slower", "same" or "inconclusive": the class of everything with that verdict,
// whatever the report says.
absl::string_view VerdictClass(absl::string_view verdict);
// Its shape, which says the same as its colour.
std::string VerdictMark(absl::string_view verdict);
// Shape and word.
std::string VerdictLabel(absl::string_view verdict);
// The shapes, once per page; VerdictMark() and plots refer to them.
absl::string_view MarkDefinitions();

// Notes that every one of them has.
std::vector<std::string> CommonNotes(const std::vector<const v1::Comparison*>& comparisons);
// Those as words between commas.
std::string NotesText(const std::vector<std::string>& notes);
// The others of one comparison, the same way.
std::string OwnNotes(const v1::Comparison& comparison, const std::vector<std::string>& common);

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_TEXT_H_
