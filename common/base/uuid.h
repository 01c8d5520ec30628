// UUIDs as lower-case text.
#ifndef BENCHFLEET_COMMON_BASE_UUID_H_
#define BENCHFLEET_COMMON_BASE_UUID_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace benchfleet {

// Version 7 (RFC 9562): sorts by time to the millisecond; the rest is random.
std::string UuidV7(absl::Time now);
// Version 4: random.
std::string UuidV4();
// Whether `text` is a UUID of any version in the 8-4-4-4-12 form, either case.
bool IsUuid(absl::string_view text);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_BASE_UUID_H_
