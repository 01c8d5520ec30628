// Pages of lists (AIP-158): sizes and opaque tokens.
#ifndef BENCHFLEET_SERVER_RPC_PAGING_H_
#define BENCHFLEET_SERVER_RPC_PAGING_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

inline constexpr int kMaxPageSize = 1000;
// A page ends early, at the entry that passes this: clients take 4 MiB by default.
inline constexpr size_t kMaxPageBytes = 2 * 1024 * 1024;

// 0 is `default_size`, more than kMaxPageSize is that. kInvalidArgument: negative.
absl::StatusOr<int> ParsePageSize(int32_t page_size, int default_size);

// A token holds the list's own position and a digest of the rest of the request (`query`),
// so that it cannot go on with another list.
std::string MakePageToken(absl::string_view position, absl::string_view query);
// The position; "" for an empty token. kInvalidArgument: not one of ours, or of another query.
absl::StatusOr<std::string> ParsePageToken(absl::string_view token, absl::string_view query);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_PAGING_H_
