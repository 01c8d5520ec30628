#include "common/report/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

constexpr int kGap = 2;  // between columns

struct TimeUnit {
  const char* name;
  double factor;
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {{{"s", 1}, {"ms", 1e3}, {"\xC2\xB5s", 1e6}, {"ns", 1e9}}};

}  // namespace

std::string FormatNumber(double value) {
  if (value == 0) return "0";
  // Rounded first: 9.996 has its leading digit before the 10, and is written "10.0".
  const double exponent = std::floor(std::log10(std::abs(value)));
  const double step = std::pow(10, exponent - 2);
  const double rounded = std::abs(value) < 100 ? std::round(value / step) * step : value;
  const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9));
  return absl::StrFormat("%.*f", std::clamp(digits, 0, 15), value);
}

std::string FormatCount(double value) {
  const bool is_whole = std::abs(value) < 1e15 && value == std::floor(value);
  return is_whole ? absl::StrFormat("%.0f", value) : FormatNumber(value);
}

std::string Percent(double ratio) { return absl::StrFormat("%.3g %%", ratio * 100); }

std::string UtcText(absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone()); }

Unit ChooseUnit(absl::string_view base_unit, double smallest) {
  if (base_unit != "seconds") return {std::string(base_unit), 1};
  for (const TimeUnit& unit : kTimeUnits) {
    if (smallest * unit.factor >= 1) return {unit.name, unit.factor};
  }
  return {kTimeUnits.back().name, kTimeUnits.back().factor};
}

std::string ExactNumber(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), end.ptr);
}

int DisplayWidth(absl::string_view text) {
  int width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::StartsWith(text.substr(i), "\x1b[")) {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string PadRight(absl::string_view text, int width) {
  return absl::StrCat(text, std::string(std::max(0, width - DisplayWidth(text)), ' '));
}

std::string PadLeft(absl::string_view text, int width) {
  return absl::StrCat(std::string(std::max(0, width - DisplayWidth(text)), ' '), text);
}

std::string Printable(absl::string_view text) {
  std::string result = ToUtf8(text);
  for (size_t i = 0; i < result.size(); ++i) {
    const auto byte = static_cast<unsigned char>(result[i]);
    if (absl::ascii_iscntrl(byte)) result[i] = ' ';
    // U+0080 to U+009F are control characters too.
    if (byte == 0xC2 && static_cast<unsigned char>(result[i + 1]) < 0xA0) result[i] = result[i + 1] = ' ';
  }
  return result;
}

std::string Wrap(absl::string_view text, absl::string_view indent, int width) {
  std::string result;
  int used = 0;
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const int needed = DisplayWidth(word);
    if (used == 0 || used + 1 + needed > width) {
      absl::StrAppend(&result, used == 0 ? "" : "\n", indent, word);
      used = DisplayWidth(indent) + needed;
    } else {
      absl::StrAppend(&result, " ", word);
      used += 1 + needed;
    }
  }
  return result + "\n";
}

std::vector<int> TextTable::ColumnWidths() const {
  std::vector<int> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  return widths;
}

int TextTable::Width() const {
  int total = -kGap;
  for (const int width : ColumnWidths()) total += width + kGap;
  return std::max(0, total);
}

std::string TextTable::Render(absl::string_view indent) const {
  const std::vector<int> widths = ColumnWidths();
  std::string result;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string cell = right_.contains(i) ? PadLeft(row[i], widths[i]) : row[i];
      absl::StrAppend(&line, PadRight(cell, widths[i] + kGap));
    }
    absl::StrAppend(&result, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return result;
}

}  // namespace benchfleet
