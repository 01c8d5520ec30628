// Digests.
#ifndef BENCHFLEET_COMMON_OS_DIGEST_H_
#define BENCHFLEET_COMMON_OS_DIGEST_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

// Lower-case hex.
std::string Sha256Hex(absl::string_view data);
// kNotFound, kPermissionDenied or kUnavailable, naming the path.
absl::StatusOr<std::string> Sha256HexOfFile(const std::string& path);

// CRC-32C (Castagnoli) of `data`, continued from `crc` of what came before it (0 at the start).
uint32_t Crc32c(absl::string_view data, uint32_t crc = 0);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_DIGEST_H_
