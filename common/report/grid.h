// A table of a report, before it is written as text or as Markdown.
#ifndef BENCHFLEET_COMMON_REPORT_GRID_H_
#define BENCHFLEET_COMMON_REPORT_GRID_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace benchfleet {

// "412" with "(405-430)" behind it. Raw: the writers make it safe.
struct Cell {
  std::string value;
  std::string detail;
};

struct Column {
  enum class Kind {
    kText,
    kNumber,   // aligned at the right
    kFigures,  // the values aligned at their right, then their details
    kVerdict,  // coloured where colours are wanted
  };
  std::string head;
  std::string subhead;  // unit, or what tells columns of one head apart
  Kind kind = Kind::kText;
  int group = 0;  // columns of one group stay together; those of group 0 are in every part
};

struct Grid {
  // Where the width does not hold all columns: several tables of fewer columns, or a list
  // with the columns of each row below each other.
  enum class Narrow { kParts, kList };

  std::string title;
  std::vector<Column> columns;  // those of group 0 first, then ascending
  std::vector<std::vector<Cell>> rows;
  bool has_head = true;  // in text
  Narrow narrow = Narrow::kParts;
};

struct TextLayout {
  absl::string_view indent;
  int width = 0;
  bool color = false;
};

// The title, if any, then the table. Ends with a line end.
std::string GridToText(const Grid& grid, const TextLayout& layout);

// A table of GitHub's Markdown, without the title.
std::string GridToMarkdown(const Grid& grid);

// Text from elsewhere, so that Markdown and HTML take it literally wherever no block begins.
std::string MarkdownText(absl::string_view text);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_GRID_H_
