#include "common/base/uuid.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

using Bytes = std::array<uint8_t, 16>;

Bytes RandomBytes() {
  Bytes bytes;
  // 16 bytes come whole or not at all once the kernel's pool is ready; without
  // randomness ids could collide, so there is no way on.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  return bytes;
}

std::string Format(Bytes bytes, int version) {
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0f) | (version << 4));
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3f) | 0x80);
  const std::string hex =
      absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return absl::StrCat(hex.substr(0, 8), "-", hex.substr(8, 4), "-", hex.substr(12, 4), "-", hex.substr(16, 4), "-",
                      hex.substr(20));
}

}  // namespace

std::string UuidV7(absl::Time now) {
  Bytes bytes = RandomBytes();
  const uint64_t ms = static_cast<uint64_t>(absl::ToUnixMillis(now));
  for (int i = 0; i < 6; ++i) bytes[i] = static_cast<uint8_t>(ms >> (8 * (5 - i)));
  return Format(bytes, 7);
}

std::string UuidV4() { return Format(RandomBytes(), 4); }

bool IsUuid(absl::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !absl::ascii_isxdigit(text[i])) return false;
  }
  return true;
}

}  // namespace benchfleet
