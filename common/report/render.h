// Reports for people and programs.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_H_

#include <string>

#include "benchfleet/v1/report.pb.h"
#include "google/protobuf/message.h"

namespace benchfleet {

struct RenderOptions {
  bool color = false;  // ANSI colours for the verdicts
  int width = 120;     // columns; a table that is wider becomes a list, or several
};

// Per run: the host, tables of medians, what explains them, the comparisons and what the
// compilers accept, in the plan's order. Where cases are `<subject>/<setting>/...`, one
// table per setting with variants as rows and subjects as columns; else cases are rows
// and variants columns. Ends with a line end.
std::string RenderText(const v1::Report& report, const RenderOptions& options = {});

// The same for a step summary or a wiki: GitHub's Markdown, first of all how many verdicts
// there are of each kind. Text from elsewhere is shown literally. Ends with a line end.
std::string RenderMarkdown(const v1::Report& report);

// One line per figure for a spreadsheet or a data frame. The column `record` says what a
// line is: summary, comparison (`case` and `variant` are the contender's) or capability;
// columns that are not its own are empty, and a column `counter_NAME` follows for each
// counter of the summaries. Base units; every digit. RFC 4180, but lines end in LF. Text
// that begins with = + - @, tab or carriage return gets an apostrophe in front, or a
// spreadsheet would calculate it.
std::string RenderCsv(const v1::Report& report);

// One page with everything in it and nothing fetched: a plot of every round per arm (when
// the report has round values), medians, ratios with their intervals against the margin,
// host facts, counters that explain, capabilities. Light and dark, for a phone too. Reads
// well without its script, which only sorts tables.
std::string RenderHtml(const v1::Report& report);

// The protobuf JSON mapping (64-bit integers are strings, times RFC 3339) with the fields'
// snake_case names and enum values as lower-case words. Zeros and empty lists are printed,
// absent optional fields and messages are not. Keys of maps are sorted; the maps of our
// messages have string keys, and no field holds bytes. Ends with a line end.
std::string RenderJson(const google::protobuf::Message& message);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_H_
