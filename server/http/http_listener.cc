#include "server/http/http_listener.h"

#include <fcntl.h>
#include <microhttpd.h>

#include <cerrno>
#include <exception>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/base/status_macros.h"
#include "server/http/gzip.h"
#include "server/http/socket_address.h"

namespace benchfleet {
namespace {

constexpr char kAllowedMethods[] = "GET, HEAD";
// Pages are self-contained: nothing is loaded from elsewhere.
constexpr char kDefaultPolicy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

HttpResponse PlainText(int code, absl::string_view text) {
  return {code, "text/plain; charset=utf-8", absl::StrCat(text, "\n")};
}

std::string HeaderOf(MHD_Connection* connection, const char* name) {
  const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value == nullptr ? "" : value;
}

size_t HeaderBytes(MHD_Connection* connection) {
  size_t bytes = 0;
  MHD_get_connection_values_n(
      connection, MHD_HEADER_KIND,
      [](void* sum, MHD_ValueKind, const char*, size_t key_size, const char*, size_t value_size) {
        *static_cast<size_t*>(sum) += key_size + value_size;
        return MHD_YES;
      },
      &bytes);
  return bytes;
}

MHD_Result Send(MHD_Connection* connection, HttpResponse page) {
  bool compressed = false;
  if (page.body.size() > kMinGzipBytes && AcceptsGzip(HeaderOf(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING))) {
    if (std::optional<std::string> smaller = Gzip(page.body)) {
      page.body = *std::move(smaller);
      compressed = true;
    }
  }
  const std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)> response(
      MHD_create_response_from_buffer(page.body.size(), page.body.data(), MHD_RESPMEM_MUST_COPY),
      &MHD_destroy_response);
  if (response == nullptr) return MHD_NO;
  const char* policy = page.content_security_policy.empty() ? kDefaultPolicy : page.content_security_policy.c_str();
  const auto add = [&](const char* name, const char* value) {
    return MHD_add_response_header(response.get(), name, value) == MHD_YES;
  };
  if (!add(MHD_HTTP_HEADER_CONTENT_TYPE, page.content_type.c_str()) ||
      !add(MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") || !add("X-Content-Type-Options", "nosniff") ||
      !add("Content-Security-Policy", policy) || (compressed && !add(MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip")) ||
      (page.code == MHD_HTTP_METHOD_NOT_ALLOWED && !add(MHD_HTTP_HEADER_ALLOW, kAllowedMethods))) {
    return MHD_NO;
  }
  return MHD_queue_response(connection, static_cast<unsigned>(page.code), response.get());
}

HttpResponse Answer(const HttpHandlers& handlers, MHD_Connection* connection, absl::string_view path,
                    absl::string_view method) {
  if (method != MHD_HTTP_METHOD_GET && method != MHD_HTTP_METHOD_HEAD) {
    return PlainText(MHD_HTTP_METHOD_NOT_ALLOWED, "method not allowed");
  }
  if (path.size() > kMaxHttpPathBytes) return PlainText(MHD_HTTP_URI_TOO_LONG, "path too long");
  if (HeaderBytes(connection) > kMaxHttpHeaderBytes) {
    return PlainText(MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, "headers too large");
  }
  const HttpHandler* handler = FindHandler(handlers, path);
  if (handler == nullptr) return PlainText(MHD_HTTP_NOT_FOUND, "not found");
  // An exception must not cross the C library that calls us.
  try {
    return (*handler)({std::string(path), HeaderOf(connection, MHD_HTTP_HEADER_ACCEPT)});
  } catch (const std::exception&) {
    return PlainText(MHD_HTTP_INTERNAL_SERVER_ERROR, "internal error");
  }
}

// Called once when the headers are there and again when the request is complete.
MHD_Result OnRequest(void* handlers, MHD_Connection* connection, const char* path, const char* method,
                     const char* /*version*/, const char* /*upload_data*/, size_t* /*upload_size*/,
                     void** request_state) {
  static int headers_seen;
  const bool first_call = std::exchange(*request_state, &headers_seen) == nullptr;
  const bool may_have_body =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH) != nullptr ||
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) != nullptr;
  // An answer to the first call closes the connection without reading a body; an answer
  // to the second lets the client use the connection again.
  if (first_call && !may_have_body) return MHD_YES;
  return Send(connection, Answer(*static_cast<const HttpHandlers*>(handlers), connection, path, method));
}

absl::Status CheckOptions(const HttpOptions& options) {
  if (options.connection_limit < 1 || options.connection_limit > kMaxHttpConnections) {
    return absl::InvalidArgumentError(
        absl::StrCat("HTTP connection_limit: must be 1 to ", kMaxHttpConnections, ", is ", options.connection_limit));
  }
  if (options.connection_timeout < kMinHttpTimeout || options.connection_timeout > kMaxHttpTimeout) {
    return absl::InvalidArgumentError(
        absl::StrCat("HTTP connection_timeout: must be ", absl::FormatDuration(kMinHttpTimeout), " to ",
                     absl::FormatDuration(kMaxHttpTimeout), ", is ", absl::FormatDuration(options.connection_timeout)));
  }
  return absl::OkStatus();
}

}  // namespace

struct HttpListener::Daemon {
  explicit Daemon(HttpHandlers pages) : handlers(std::move(pages)) {}
  ~Daemon() {
    if (mhd != nullptr) MHD_stop_daemon(mhd);
  }

  const HttpHandlers handlers;
  MHD_Daemon* mhd = nullptr;
};

HttpListener::HttpListener(std::unique_ptr<Daemon> daemon, uint16_t port) : daemon_(std::move(daemon)), port_(port) {}
HttpListener::~HttpListener() = default;

absl::StatusOr<std::unique_ptr<HttpListener>> HttpListener::Start(HttpOptions options, HttpHandlers handlers) {
  BF_RETURN_IF_ERROR(CheckOptions(options));
  BF_ASSIGN_OR_RETURN(const ListeningSocket socket, Listen(options.address));
  const int fd = ::fcntl(socket.fd.get(), F_DUPFD_CLOEXEC, 0);  // the daemon owns and closes the one it is given
  if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("HTTP address \"", options.address, "\": dup"));
  auto daemon = std::make_unique<Daemon>(std::move(handlers));
  const auto timeout_seconds =
      static_cast<unsigned>(absl::ToInt64Seconds(absl::Ceil(options.connection_timeout, absl::Seconds(1))));
  daemon->mhd =
      MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC, /*port=*/0, nullptr, nullptr, &OnRequest,
                       const_cast<HttpHandlers*>(&daemon->handlers), MHD_OPTION_LISTEN_SOCKET, fd,
                       MHD_OPTION_CONNECTION_LIMIT, options.connection_limit, MHD_OPTION_CONNECTION_TIMEOUT,
                       timeout_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kHttpConnectionBytes, MHD_OPTION_END);
  if (daemon->mhd == nullptr) {
    return absl::InternalError(absl::StrCat("HTTP address \"", options.address, "\": the listener does not start"));
  }
  return std::unique_ptr<HttpListener>(new HttpListener(std::move(daemon), socket.port));
}

}  // namespace benchfleet
