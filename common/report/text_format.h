// Numbers and tables in text.
#ifndef BENCHFLEET_COMMON_REPORT_TEXT_FORMAT_H_
#define BENCHFLEET_COMMON_REPORT_TEXT_FORMAT_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace benchfleet {

// Three significant digits, and every digit before the point: "0.0412", "4.12", "412", "4120".
std::string FormatNumber(double value);
// A whole number as one, others as above.
std::string FormatCount(double value);
// The shortest text that reads back as the same number.
std::string ExactNumber(double value);

// "95 %".
std::string Percent(double ratio);

// "2026-02-17T09:30:00Z".
std::string UtcText(absl::Time time);

// How a row of times is written.
struct Unit {
  std::string name;  // "ns", "µs", "ms", "s"
  double factor;     // from base units
};

// The largest unit in which `smallest` is at least 1. Units other than "seconds" stay.
Unit ChooseUnit(absl::string_view base_unit, double smallest);

// Columns taken on a terminal: code points, colour codes (ESC [ ... m) left out.
int DisplayWidth(absl::string_view text);
std::string PadRight(absl::string_view text, int width);
std::string PadLeft(absl::string_view text, int width);

// Text from elsewhere, made safe for a terminal: UTF-8 with control characters as spaces.
std::string Printable(absl::string_view text);

// Words in lines of at most `width` columns, each after `indent`.
std::string Wrap(absl::string_view text, absl::string_view indent, int width);

// Rows of cells, left-aligned where not asked otherwise; the columns are as wide as their
// widest cell.
class TextTable {
 public:
  void AlignRight(size_t column) { right_.insert(column); }
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Columns the widest row takes, `indent` apart.
  int Width() const;
  // One line per row, without spaces at its end.
  std::string Render(absl::string_view indent) const;

 private:
  std::vector<int> ColumnWidths() const;
  std::vector<std::vector<std::string>> rows_;
  std::set<size_t> right_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_TEXT_FORMAT_H_
