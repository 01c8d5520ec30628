#include "common/report/render_html_table.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace benchfleet::html {

Table::Table(const std::string& caption) : caption_(caption) {}

void Table::TextColumn(const std::string& name) { absl::StrAppend(&head_, "<th scope=\"col\">", name, "</th>"); }

void Table::NumberColumn(const std::string& name) {
  absl::StrAppend(&head_, "<th scope=\"col\" class=\"number\">", name, "</th>");
}

void Table::Row(const std::string& css_class) {
  absl::StrAppend(&body_, body_.empty() ? "" : "</tr>\n", "<tr",
                  css_class.empty() ? "" : absl::StrCat(" class=\"", css_class, "\""), ">");
}

void Table::Name(const std::string& content) { absl::StrAppend(&body_, "<th scope=\"row\">", content, "</th>"); }

void Table::Cell(const std::string& content) { absl::StrAppend(&body_, "<td>", content, "</td>"); }

void Table::Number(const std::string& content, std::optional<double> value) {
  absl::StrAppend(&body_, "<td class=\"number\"", value ? absl::StrFormat(" data-value=\"%.9g\"", *value) : "", ">",
                  content.empty() ? "\u2013" : content, "</td>");
}

std::string Table::Finish() {
  return absl::StrCat("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", caption_,
                      "\">\n<table class=\"sortable\">\n<caption>", caption_, "</caption>\n<thead><tr>", head_,
                      "</tr></thead>\n<tbody>\n", body_, body_.empty() ? "" : "</tr>\n",
                      "</tbody>\n</table>\n</div>\n");
}

}  // namespace benchfleet::html
