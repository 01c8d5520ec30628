#include "common/report/render_html_plot.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/report/render_html_axis.h"
#include "common/report/render_html_text.h"
#include "common/report/text_format.h"

namespace benchfleet::html {
namespace {

// Heights in pixels; the style gives the drawings the same.
constexpr double kRoundsHeight = 36;
constexpr double kRoundsInset = 6;  // above the first round and below the last
constexpr double kTickLabelY = 17;
constexpr double kDotRadius = 2.75;
constexpr double kCapHeight = 8;  // of an interval's ends

constexpr int kMinRoundsToJudge = 5;   // fewer do not tell which round is far from the others
constexpr double kFarOut = 3;          // quartile distances beyond the quartiles
constexpr double kWorthCutting = 1.5;  // an axis is cut only when it would be so much longer

// A page has some ten thousand of these, so no format string is read for each.
std::string Fixed(double value, int digits) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits);
  return std::string(text.data(), end.ptr);
}

std::string Percent(double position) { return Fixed(position, 2) + "%"; }

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// Up to where the rounds of an arm belong together.
Range UsualRange(const v1::Summary& arm) {
  std::vector<double> sorted(arm.round_values().begin(), arm.round_values().end());
  if (sorted.size() < kMinRoundsToJudge) return {arm.min(), arm.max()};
  std::sort(sorted.begin(), sorted.end());
  const double first_quartile = sorted[sorted.size() / 4];
  const double third_quartile = sorted[sorted.size() - 1 - sorted.size() / 4];
  const double reach = kFarOut * (third_quartile - first_quartile);
  Range usual;
  for (const double value : sorted) {
    if (value >= first_quartile - reach && value <= third_quartile + reach) usual.Add(value);
  }
  return usual;
}

Axis AxisOfRounds(const PageCase& page_case, double factor) {
  Range usual, all;
  for (const v1::Summary* arm : page_case.arms) {
    const Range own = UsualRange(*arm);
    for (Range* range : {&usual, &all}) {
      range->Add(own.low);
      range->Add(own.high);
      range->Add(arm->median());
      if (arm->has_median_lower()) range->Add(arm->median_lower());
      if (arm->has_median_upper()) range->Add(arm->median_upper());
    }
    all.Add(arm->min());
    all.Add(arm->max());
  }
  const bool cut = all.high - all.low > kWorthCutting * (usual.high - usual.low) && usual.high > usual.low;
  const Range& shown = cut ? usual : all;
  return Axis::Linear(shown.low * factor, shown.high * factor);
}

std::string VerticalLine(const char* name, double position) {
  const std::string x = Percent(position);
  return absl::StrCat("<line class=\"", name, "\" x1=\"", x, "\" x2=\"", x, "\" y1=\"0\" y2=\"100%\"/>");
}

std::string Grid(const Axis& axis) {
  std::string svg;
  for (const Tick& tick : axis.ticks()) svg += VerticalLine("grid", axis.At(tick.value));
  return svg;
}

std::string Band(const char* name, double from, double to, const std::string& y, const std::string& height) {
  return absl::StrCat("<rect class=\"", name, "\" x=\"", Percent(from), "\" width=\"", Percent(to - from), "\" y=\"", y,
                      "\" height=\"", height, "\"/>");
}

std::string HorizontalLine(const char* name, double from, double to, double y) {
  return absl::StrCat("<line class=\"", name, "\" x1=\"", Percent(from), "\" x2=\"", Percent(to), "\" y1=\"", y,
                      "\" y2=\"", y, "\"/>");
}

// The axis as the last row of the plot.
std::string AxisRow(const Axis& axis, const std::string& words) {
  std::string svg = "<svg class=\"axis\" aria-hidden=\"true\">";
  for (const Tick& tick : axis.ticks()) {
    const std::string x = Percent(axis.At(tick.value));
    absl::StrAppend(&svg, "<line class=\"tick\" x1=\"", x, "\" x2=\"", x, "\" y1=\"0\" y2=\"4\"/><text x=\"", x,
                    "\" y=\"", kTickLabelY, "\">", tick.label, "</text>");
  }
  return absl::StrCat("<div class=\"axis-row\">", svg, "</svg>", words, "</div>\n");
}

// One dot per round, from the first at the top to the last at the bottom, so that a drift
// shows as a slant; an arrow for a round beyond the axis.
std::string Dots(const v1::Summary& arm, const Axis& axis, const Unit& unit) {
  const int count = arm.round_values_size();
  std::string svg = "<g class=\"rounds\">";
  for (int i = 0; i < count; ++i) {
    const double value = arm.round_values(i) * unit.factor;
    const double y = kRoundsInset + (i + 0.5) / count * (kRoundsHeight - 2 * kRoundsInset);
    const std::string title = absl::StrCat("<title>round ", i < arm.round_indices_size() ? arm.round_indices(i) : i,
                                           ": ", FormatNumber(value), " ", Text(unit.name), "</title>");
    const std::string x = Percent(axis.At(value));
    if (axis.Holds(value)) {
      absl::StrAppend(&svg, "<circle cx=\"", x, "\" cy=\"", Fixed(y, 1), "\" r=\"", kDotRadius, "\">", title,
                      "</circle>");
    } else {
      const char* mark = axis.At(value) > axis.At(arm.median() * unit.factor) ? "slower" : "faster";
      absl::StrAppend(&svg, "<use class=\"beyond\" href=\"#mark-", mark, "\" x=\"", x, "\" y=\"", Fixed(y, 1), "\">",
                      title, "</use>");
    }
  }
  return svg + "</g>";
}

std::string RoundsDrawing(const PageCase& page_case, const v1::Summary& arm, const Axis& axis, const Unit& unit,
                          bool draw_rounds) {
  const auto at = [&](double value) { return axis.At(value * unit.factor); };
  std::string words =
      absl::StrCat(Text(arm.variant()), ": median ", FormatNumber(arm.median() * unit.factor), " ", Text(unit.name),
                   ", ", Counted(arm.rounds(), "round"), " from ", FormatNumber(arm.min() * unit.factor), " to ",
                   FormatNumber(arm.max() * unit.factor));
  std::string svg = absl::StrCat("<svg class=\"arm-rounds\" role=\"img\" aria-label=\"", words, "\">", Grid(axis));
  if (arm.has_median_lower() && arm.has_median_upper()) {
    svg += Band("interval", at(arm.median_lower()), at(arm.median_upper()), "2", absl::StrCat(kRoundsHeight - 4));
  }
  if (draw_rounds && arm.round_values_size() > 0) {
    svg += Dots(arm, axis, unit);
  } else {
    svg += HorizontalLine("span", at(arm.min()), at(arm.max()), kRoundsHeight / 2);
  }
  if (!page_case.bases.empty()) {
    const v1::Summary* base = page_case.Find(page_case.bases.front(), page_case.measure);
    if (base != nullptr) svg += VerticalLine("base", at(base->median()));
  }
  const std::string x = Percent(at(arm.median()));
  absl::StrAppend(&svg, "<line class=\"median\" x1=\"", x, "\" x2=\"", x, "\" y1=\"2\" y2=\"", kRoundsHeight - 2,
                  "\"/>");
  return svg + "</svg>";
}

Axis AxisOfRatios(const std::vector<const v1::Comparison*>& comparisons) {
  Range range;
  for (const v1::Comparison* c : comparisons) {
    range.Add(1 / (1 + c->margin()));
    range.Add(1 + c->margin());
    for (const auto& [has, value] :
         {std::pair(c->has_ratio(), c->ratio()), std::pair(c->has_ratio_lower(), c->ratio_lower()),
          std::pair(c->has_ratio_upper(), c->ratio_upper())}) {
      if (has && value > 0) range.Add(value);
    }
  }
  return Axis::Log(range.low, range.high);
}

// As tall as its row, which a long name may stretch; what is at its middle stands in a
// drawing of its own there.
std::string RatioDrawing(const v1::Comparison& c, const Axis& axis) {
  std::string svg = absl::StrCat("<div class=\"ratio\"><svg aria-hidden=\"true\">", Grid(axis),
                                 Band("margin", axis.At(1 / (1 + c.margin())), axis.At(1 + c.margin()), "0", "100%"),
                                 VerticalLine("one", axis.At(1)));
  if (!c.has_ratio()) return svg + "</svg></div>";
  absl::StrAppend(&svg, "<svg class=\"", VerdictClass(c.verdict()), "\" y=\"50%\">");
  if (c.has_ratio_lower() && c.has_ratio_upper()) {
    const double from = axis.At(c.ratio_lower());
    const double to = axis.At(c.ratio_upper());
    svg += HorizontalLine("whisker", from, to, 0);
    for (const double end : {from, to}) {
      const std::string x = Percent(end);
      absl::StrAppend(&svg, "<line class=\"whisker\" x1=\"", x, "\" x2=\"", x, "\" y1=\"", -kCapHeight / 2, "\" y2=\"",
                      kCapHeight / 2, "\"/>");
    }
  }
  absl::StrAppend(&svg, "<use href=\"#mark-", VerdictClass(c.verdict()), "\" x=\"", Percent(axis.At(c.ratio())),
                  "\"/></svg>");
  return svg + "</svg></div>";
}

// The words and numbers beside a drawing, in three columns.
std::string Figures(const std::string& mark, const std::string& value, const std::string& interval) {
  return absl::StrCat("<div class=\"figures\"><span>", mark, "</span><b>", value, "</b><span class=\"quiet\">",
                      interval, "</span></div>");
}

std::string MedianFigures(const v1::Summary& arm, const Unit& unit, bool is_base) {
  const auto number = [&](double value) { return FormatNumber(value * unit.factor); };
  return Figures(is_base ? "<span class=\"tag\">base</span>" : "", number(arm.median()),
                 arm.has_median_lower() && arm.has_median_upper()
                     ? absl::StrCat(number(arm.median_lower()), "\u2013", number(arm.median_upper()))
                     : "");
}

std::string RatioFigures(const v1::Comparison& c) {
  if (!c.has_ratio()) return Figures(VerdictLabel(c.verdict()), "\u2013", "no common round");
  const std::string interval = RatioIntervalText(c);
  return Figures(VerdictLabel(c.verdict()), RatioText(c.ratio()), interval.empty() ? "no interval" : interval);
}

}  // namespace

std::string RoundsPlot(const PageCase& page_case, bool draw_rounds) {
  double smallest = page_case.arms.front()->median();
  for (const v1::Summary* arm : page_case.arms) smallest = std::min(smallest, arm->median());
  const Unit unit = ChooseUnit(page_case.arms.front()->unit(), smallest);
  const Axis axis = AxisOfRounds(page_case, unit.factor);
  std::string html =
      absl::StrCat("<figure class=\"plot rounds-plot\">\n<figcaption>Every round, ", Text(page_case.measure), " in ",
                   Text(unit.name), "</figcaption>\n<div class=\"rows\">\n");
  for (const v1::Summary* arm : page_case.arms) {
    absl::StrAppend(&html, "<div class=\"name\">", Name(arm->variant()), "</div>",
                    MedianFigures(*arm, unit, page_case.IsBase(arm->variant())),
                    RoundsDrawing(page_case, *arm, axis, unit, draw_rounds), "\n");
  }
  absl::StrAppend(&html, AxisRow(axis, ""), "</div>\n</figure>\n");
  return html;
}

std::string RatioPlot(const std::string& caption, const std::vector<const v1::Comparison*>& comparisons,
                      const std::function<std::string(const v1::Comparison&)>& label) {
  const Axis axis = AxisOfRatios(comparisons);
  const std::vector<std::string> common = CommonNotes(comparisons);
  std::string html = absl::StrCat("<figure class=\"plot ratio-plot\">\n<figcaption>", caption,
                                  "</figcaption>\n<div class=\"rows\">\n");
  for (const v1::Comparison* c : comparisons) {
    const std::string notes = OwnNotes(*c, common);
    absl::StrAppend(&html, "<div class=\"name\">", label(*c),
                    notes.empty() ? "" : absl::StrCat(" <small>", notes, "</small>"), "</div>", RatioFigures(*c),
                    RatioDrawing(*c, axis), "\n");
  }
  html += AxisRow(axis, "<div class=\"ends\"><span>\u2190 faster</span><span>slower \u2192</span></div>");
  html += "</div>\n";
  if (!common.empty()) absl::StrAppend(&html, "<p class=\"quiet\">Every one: ", NotesText(common), "</p>\n");
  return html + "</figure>\n";
}

}  // namespace benchfleet::html
