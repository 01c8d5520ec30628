#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/report/grid.h"
#include "common/report/text_format.h"

namespace benchfleet {
namespace {

using Columns = std::vector<size_t>;  // indices

std::string ColoredVerdict(const std::string& verdict, bool color) {
  const char* code = verdict == "faster" ? "32" : verdict == "slower" ? "31" : verdict == "inconclusive" ? "33" : "";
  if (!color || *code == '\0') return Printable(verdict);
  return absl::StrCat("\x1b[", code, "m", Printable(verdict), "\x1b[0m");
}

std::string CellText(const Cell& cell, Column::Kind kind, int value_width, bool color) {
  std::string value = kind == Column::Kind::kVerdict ? ColoredVerdict(cell.value, color) : Printable(cell.value);
  if (cell.detail.empty()) return value;
  if (kind == Column::Kind::kFigures) value = PadLeft(value, value_width);
  return absl::StrCat(value, " ", Printable(cell.detail));
}

// How wide the values with details of a column are.
int ValueWidth(const Grid& grid, size_t column) {
  int width = 0;
  for (const std::vector<Cell>& row : grid.rows) {
    if (!row[column].detail.empty()) width = std::max(width, DisplayWidth(Printable(row[column].value)));
  }
  return width;
}

bool IsBlank(const Cell& cell) { return cell.value.empty() || cell.value == "-"; }

// Whether a part with some of the columns has nothing to say in this row.
bool IsBlankRow(const Grid& grid, const std::vector<Cell>& row, const Columns& columns) {
  return std::all_of(columns.begin(), columns.end(),
                     [&](size_t c) { return grid.columns[c].group == 0 || IsBlank(row[c]); });
}

void AddHead(const Grid& grid, const Columns& columns, TextTable& table) {
  std::vector<std::string> heads, subheads;
  bool any_subhead = false;
  const std::string* previous = nullptr;
  for (const size_t c : columns) {
    const Column& column = grid.columns[c];
    const bool goes_on = previous != nullptr && !column.subhead.empty() && *previous == column.head;
    heads.push_back(goes_on ? "" : Printable(column.head));
    subheads.push_back(Printable(column.subhead));
    any_subhead = any_subhead || !column.subhead.empty();
    previous = &column.head;
  }
  table.AddRow(std::move(heads));
  if (any_subhead) table.AddRow(std::move(subheads));
}

TextTable PartOf(const Grid& grid, const Columns& columns, bool color) {
  TextTable table;
  if (grid.has_head) AddHead(grid, columns, table);
  std::vector<int> value_widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (grid.columns[columns[i]].kind == Column::Kind::kNumber) table.AlignRight(i);
    value_widths.push_back(ValueWidth(grid, columns[i]));
  }
  // With several keys, a row may go on from the one above.
  const bool may_skip = columns.size() < grid.columns.size() && grid.columns.size() > 1 && grid.columns[1].group != 0;
  for (const std::vector<Cell>& row : grid.rows) {
    if (may_skip && IsBlankRow(grid, row, columns)) continue;
    std::vector<std::string> cells;
    for (size_t i = 0; i < columns.size(); ++i) {
      cells.push_back(CellText(row[columns[i]], grid.columns[columns[i]].kind, value_widths[i], color));
    }
    table.AddRow(std::move(cells));
  }
  return table;
}

// The tables with at most `per_part` groups of columns each.
std::vector<TextTable> PartsOf(const Grid& grid, int per_part, bool color) {
  Columns keys;
  std::map<int, Columns> groups;
  for (size_t c = 0; c < grid.columns.size(); ++c) {
    (grid.columns[c].group == 0 ? keys : groups[grid.columns[c].group]).push_back(c);
  }
  std::vector<TextTable> parts;
  for (auto group = groups.begin(); group != groups.end();) {
    Columns columns = keys;
    for (int i = 0; i < per_part && group != groups.end(); ++i, ++group) {
      columns.insert(columns.end(), group->second.begin(), group->second.end());
    }
    parts.push_back(PartOf(grid, columns, color));
  }
  if (parts.empty()) parts.push_back(PartOf(grid, keys, color));
  return parts;
}

int CountGroups(const Grid& grid) { return grid.columns.empty() ? 0 : std::max(1, grid.columns.back().group); }

// One line with the key columns of each row, then one per column.
std::string ListText(const Grid& grid, const TextLayout& layout) {
  std::string text;
  const std::string deeper = absl::StrCat(layout.indent, "  ");
  for (const std::vector<Cell>& row : grid.rows) {
    std::string keys;
    TextTable table;
    for (size_t c = 0; c < grid.columns.size(); ++c) {
      if (grid.columns[c].group == 0) {
        absl::StrAppend(&keys, keys.empty() || row[c].value.empty() ? "" : ", ", Printable(row[c].value));
      } else if (!IsBlank(row[c])) {
        table.AddRow({Printable(grid.columns[c].head), Printable(row[c].value), Printable(row[c].detail)});
      }
    }
    absl::StrAppend(&text, layout.indent, keys, "\n", table.Render(deeper));
  }
  return text;
}

}  // namespace

std::string GridToText(const Grid& grid, const TextLayout& layout) {
  std::string text;
  if (!grid.title.empty()) text = Wrap(Printable(grid.title), layout.indent, layout.width);
  const int available = layout.width - DisplayWidth(layout.indent);
  const int groups = CountGroups(grid);
  for (int count = 1; count <= groups; ++count) {
    const std::vector<TextTable> parts = PartsOf(grid, (groups + count - 1) / count, layout.color);
    const bool fits =
        std::all_of(parts.begin(), parts.end(), [&](const TextTable& part) { return part.Width() <= available; });
    if (!fits && grid.narrow == Grid::Narrow::kList) return text + ListText(grid, layout);
    if (!fits && count < groups) continue;
    for (const TextTable& part : parts)
      absl::StrAppend(&text, &part == parts.data() ? "" : "\n", part.Render(layout.indent));
    break;
  }
  return text;
}

}  // namespace benchfleet
