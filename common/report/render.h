// Reports for people and programs.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_H_

#include <string>

#include "benchfleet/v1/report.pb.h"
#include "google/protobuf/message.h"

namespace benchfleet {

struct RenderOptions {
  bool color = false;  // ANSI colours for the verdicts
  int width = 120;     // columns; a table that is wider becomes a list
};

// Per run: the host, a table of medians with cases as rows and variants as columns, what
// explains them, and the comparisons. In the plan's order. Ends with a line end.
std::string RenderText(const v1::Report& report, const RenderOptions& options = {});

// The protobuf JSON mapping (64-bit integers are strings, times RFC 3339) with the fields'
// snake_case names and enum values as lower-case words. Zeros and empty lists are printed,
// absent optional fields and messages are not. Keys of maps are sorted; the maps of our
// messages have string keys, and no field holds bytes. Ends with a line end.
std::string RenderJson(const google::protobuf::Message& message);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_H_
