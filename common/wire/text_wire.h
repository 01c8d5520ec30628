// Checks of text that came from outside.
#ifndef BENCHFLEET_COMMON_WIRE_TEXT_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_TEXT_WIRE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "common/base/error.h"
#include "common/model/selector.h"
#include "google/protobuf/map.h"

namespace benchfleet {

bool IsUtf8(absl::string_view text);
// Every byte that is not part of a valid sequence becomes '?': protobuf strings must be
// UTF-8, and what a failed program printed need not be. The size stays.
std::string ToUtf8(absl::string_view text);

// OK when `text` is UTF-8 of at most `max_bytes` without control characters; the message
// is what FieldErrors::Add wants.
absl::Status CheckText(absl::string_view text, size_t max_bytes);

// `text` between quotes for an error message: control characters escaped, at most 80 bytes.
std::string Quoted(absl::string_view text);

// Labels of a job or a worker: at most kMaxLabels, each key and value valid. Every fault
// is added to `errors` as "<field>[key]".
Labels ParseLabels(const google::protobuf::Map<std::string, std::string>& labels, absl::string_view field,
                   FieldErrors& errors);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_TEXT_WIRE_H_
