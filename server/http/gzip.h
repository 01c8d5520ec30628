// Compression of responses.
#ifndef BENCHFLEET_SERVER_HTTP_GZIP_H_
#define BENCHFLEET_SERVER_HTTP_GZIP_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace benchfleet {

// Smaller bodies are sent as they are.
inline constexpr size_t kMinGzipBytes = 1024;

// Whether an Accept-Encoding header takes gzip.
bool AcceptsGzip(absl::string_view accept_encoding);

// nullopt when the compressor has no memory.
std::optional<std::string> Gzip(absl::string_view data);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_GZIP_H_
