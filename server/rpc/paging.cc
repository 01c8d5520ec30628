#include "server/rpc/paging.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/os/digest.h"
#include "server/rpc/rpc_support.h"

namespace benchfleet {
namespace {

constexpr size_t kDigestBytes = 16;
constexpr size_t kMaxTokenBytes = 1024;

std::string QueryDigest(absl::string_view query) { return Sha256Hex(query).substr(0, kDigestBytes); }

}  // namespace

absl::StatusOr<int> ParsePageSize(int32_t page_size, int default_size) {
  if (page_size < 0) return FieldError("page_size", absl::StrCat("must not be negative, is ", page_size));
  if (page_size == 0) return default_size;
  return std::min<int>(page_size, kMaxPageSize);
}

std::string MakePageToken(absl::string_view position, absl::string_view query) {
  return absl::WebSafeBase64Escape(absl::StrCat(QueryDigest(query), position));
}

absl::StatusOr<std::string> ParsePageToken(absl::string_view token, absl::string_view query) {
  if (token.empty()) return "";
  std::string text;
  if (token.size() > kMaxTokenBytes || !absl::WebSafeBase64Unescape(token, &text) || text.size() < kDigestBytes) {
    return FieldError("page_token", "is not a token of this service");
  }
  if (text.substr(0, kDigestBytes) != QueryDigest(query)) {
    return FieldError("page_token", "belongs to a request with other fields");
  }
  return text.substr(kDigestBytes);
}

}  // namespace benchfleet
