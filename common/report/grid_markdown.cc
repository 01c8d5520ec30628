#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/report/grid.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kMarks = "\\`*[]|~#$";

bool IsRight(Column::Kind kind) { return kind == Column::Kind::kNumber || kind == Column::Kind::kFigures; }

std::string HeadOf(const Column& column) {
  if (column.subhead.empty()) return MarkdownText(column.head);
  return absl::StrCat(MarkdownText(column.head), " (", MarkdownText(column.subhead), ")");
}

std::string CellOf(const Cell& cell) {
  return absl::StrCat(MarkdownText(cell.value), cell.detail.empty() ? "" : " ", MarkdownText(cell.detail));
}

std::string Line(const Grid& grid, const std::vector<std::string>& cells, const std::vector<int>& widths) {
  std::string line = "|";
  for (size_t c = 0; c < cells.size(); ++c) {
    absl::StrAppend(&line, " ",
                    IsRight(grid.columns[c].kind) ? PadLeft(cells[c], widths[c]) : PadRight(cells[c], widths[c]), " |");
  }
  return line + "\n";
}

}  // namespace

std::string MarkdownText(absl::string_view text) {
  const std::string printable = Printable(text);
  std::string result;
  for (size_t i = 0; i < printable.size(); ++i) {
    const char c = printable[i];
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '_') {
      // Within a word it means nothing, and names are full of it.
      const bool in_word = i > 0 && i + 1 < printable.size() && absl::ascii_isalnum(printable[i - 1]) &&
                           absl::ascii_isalnum(printable[i + 1]);
      absl::StrAppend(&result, in_word ? "_" : "\\_");
    } else if (kMarks.find(c) != absl::string_view::npos) {
      absl::StrAppend(&result, "\\", std::string(1, c));
    } else {
      result.push_back(c);
    }
  }
  return result;
}

std::string GridToMarkdown(const Grid& grid) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : grid.columns) lines[0].push_back(HeadOf(column));
  for (const std::vector<Cell>& row : grid.rows) {
    lines.emplace_back();
    for (const Cell& cell : row) lines.back().push_back(CellOf(cell));
  }
  std::vector<int> widths(grid.columns.size(), 3);
  for (const auto& line : lines) {
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], DisplayWidth(line[c]));
  }
  std::string rule = "|";
  for (size_t c = 0; c < grid.columns.size(); ++c) {
    const bool right = IsRight(grid.columns[c].kind);
    absl::StrAppend(&rule, " ", std::string(widths[c] - (right ? 1 : 0), '-'), right ? ": |" : " |");
  }
  std::string text = absl::StrCat(Line(grid, lines[0], widths), rule, "\n");
  for (size_t i = 1; i < lines.size(); ++i) text += Line(grid, lines[i], widths);
  return text;
}

}  // namespace benchfleet
