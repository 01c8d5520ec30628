#include "server/http/gzip.h"

#include <zlib.h>

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace benchfleet {
namespace {

// A scrape must be quick, and level 1 takes most of its repetition out already.
constexpr int kLevel = 1;
constexpr int kGzipWindowBits = 15 + 16;
constexpr int kMemoryLevel = 8;

}  // namespace

bool AcceptsGzip(absl::string_view accept_encoding) {
  for (const absl::string_view element : absl::StrSplit(accept_encoding, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(element, absl::MaxSplits(';', 1));
    if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(parts.first), "gzip")) continue;
    absl::string_view parameter = absl::StripAsciiWhitespace(parts.second);
    double quality = 1;
    if (absl::ConsumePrefix(&parameter, "q=") && !absl::SimpleAtod(parameter, &quality)) return false;
    return quality > 0;
  }
  return false;
}

std::optional<std::string> Gzip(absl::string_view data) {
  z_stream stream = {};
  if (::deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
    return std::nullopt;
  }
  std::string out(::deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (result != Z_STREAM_END) return std::nullopt;
  return out;
}

}  // namespace benchfleet
