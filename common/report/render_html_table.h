// Tables of the HTML report. Each scrolls in a box of its own where it is too wide.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_TABLE_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_TABLE_H_

#include <optional>
#include <string>

namespace benchfleet::html {

// Builds a table from left to right, row by row. Arguments are HTML, `caption` too.
class Table {
 public:
  explicit Table(const std::string& caption);

  // Columns, before any row. The page's script sorts by those of a sortable table.
  void TextColumn(const std::string& name);
  void NumberColumn(const std::string& name);

  void Row(const std::string& css_class = "");
  void Name(const std::string& content);  // the header of the row
  void Cell(const std::string& content);
  // Sorted by its value, whatever its text; without one, a dash where there is no text.
  void Number(const std::string& content, std::optional<double> value);

  std::string Finish();

 private:
  std::string caption_;
  std::string head_;
  std::string body_;
};

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_TABLE_H_
