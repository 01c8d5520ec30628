#include "common/report/render_html_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/report/text_format.h"

namespace benchfleet::html {
namespace {

constexpr absl::string_view kVerdicts[] = {"faster", "slower", "same", "inconclusive"};

bool Has(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

std::string Text(absl::string_view text) {
  return absl::StrReplaceAll(Printable(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string Words(absl::string_view name) { return Text(absl::StrReplaceAll(name, {{"_", " "}})); }

std::string Name(absl::string_view name) {
  const std::string text = Text(name);
  std::string html;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_word_next = i + 1 < text.size() && absl::ascii_isalpha(static_cast<unsigned char>(text[i + 1]));
    if (text[i] == '@' || (text[i] == '.' && is_word_next)) html += "<wbr>";
    html.push_back(text[i]);
    if (text[i] == '/' || text[i] == '_') html += "<wbr>";
  }
  return html;
}

std::string RatioText(double ratio) { return absl::StrFormat("%.*f", ratio < 10 ? 3 : 1, ratio); }

std::string ChangeText(double ratio) {
  const double change = (ratio - 1) * 100;
  const std::string digits = absl::StrFormat("%.*f", std::abs(change) < 10 ? 2 : 1, std::abs(change));
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  return absl::StrCat(is_zero ? "\u00B1" : change < 0 ? "\u2212" : "+", digits, "\u00A0%");
}

std::string RatioIntervalText(const v1::Comparison& comparison) {
  if (!comparison.has_ratio_lower() || !comparison.has_ratio_upper()) return "";
  return absl::StrCat(RatioText(comparison.ratio_lower()), "\u2013", RatioText(comparison.ratio_upper()));
}

std::string PercentText(double share) { return absl::StrFormat("%.3g\u00A0%%", share * 100); }

std::string Counted(int count, absl::string_view noun) { return absl::StrCat(count, " ", noun, count == 1 ? "" : "s"); }

absl::string_view VerdictClass(absl::string_view verdict) {
  for (const absl::string_view known : kVerdicts) {
    if (known == verdict) return known;
  }
  return "inconclusive";
}

std::string VerdictMark(absl::string_view verdict) {
  const absl::string_view name = VerdictClass(verdict);
  return absl::StrCat("<svg class=\"mark ", name, "\" aria-hidden=\"true\"><use href=\"#mark-", name, "\"/></svg>");
}

std::string VerdictLabel(absl::string_view verdict) {
  return absl::StrCat("<span class=\"verdict ", VerdictClass(verdict), "\">", VerdictMark(verdict), Text(verdict),
                      "</span>");
}

absl::string_view MarkDefinitions() {
  return R"html(<svg class="defs" aria-hidden="true" focusable="false"><defs>
<path id="mark-faster" d="M-6 0L4 -5.5V5.5Z"/>
<path id="mark-slower" d="M6 0L-4 -5.5V5.5Z"/>
<path id="mark-same" d="M-4.5 -4.5H4.5V4.5H-4.5Z"/>
<path id="mark-inconclusive" d="M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z"/>
</defs></svg>
)html";
}

std::vector<std::string> CommonNotes(const std::vector<const v1::Comparison*>& comparisons) {
  std::vector<std::string> common;
  if (comparisons.empty()) return common;
  for (const std::string& note : comparisons.front()->notes()) {
    const bool all_have_it = std::all_of(comparisons.begin(), comparisons.end(), [&](const v1::Comparison* comparison) {
      return std::find(comparison->notes().begin(), comparison->notes().end(), note) != comparison->notes().end();
    });
    if (all_have_it) common.push_back(note);
  }
  return common;
}

std::string NotesText(const std::vector<std::string>& notes) { return Words(absl::StrJoin(notes, ", ")); }

std::string OwnNotes(const v1::Comparison& comparison, const std::vector<std::string>& common) {
  std::vector<std::string> own;
  for (const std::string& note : comparison.notes()) {
    if (!Has(common, note)) own.push_back(note);
  }
  return NotesText(own);
}

}  // namespace benchfleet::html
