// The HTTP listener: a few small pages for people, probes and Prometheus.
#ifndef BENCHFLEET_SERVER_HTTP_HTTP_LISTENER_H_
#define BENCHFLEET_SERVER_HTTP_HTTP_LISTENER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/http/http.h"

namespace benchfleet {

inline constexpr size_t kMaxHttpPathBytes = 1024;          // decoded; more is answered with 414
inline constexpr size_t kMaxHttpHeaderBytes = 8 * 1024;    // names and values; more is answered with 431
inline constexpr size_t kHttpConnectionBytes = 32 * 1024;  // memory of a connection; a request must fit
inline constexpr unsigned kMaxHttpConnections = 65535;
inline constexpr absl::Duration kMinHttpTimeout = absl::Seconds(1);
inline constexpr absl::Duration kMaxHttpTimeout = absl::Hours(1);

struct HttpOptions {
  // "127.0.0.1:7481", "[::1]:0", "[::]:7481" (IPv4 too).
  std::string address = "127.0.0.1:7481";
  // Connections above it wait in the kernel until another ends. 1,000 silent ones leave room.
  unsigned connection_limit = 1200;  // 1 to kMaxHttpConnections
  // A connection on which nothing moves for so long is closed. Rounded up to seconds.
  absl::Duration connection_timeout = absl::Seconds(10);
};

// Serves GET and HEAD: 405 for other methods, 404 for paths without a handler. One thread
// and epoll, so silent or slow clients cost a descriptor and no time. No request has a body
// that is read, no connection outlives the listener.
//
// Thread-safety: safe. Ownership: keeps the handlers; the destructor waits for a handler
// that runs and closes every connection.
class HttpListener {
 public:
  // Errors as of Listen() in socket_address.h; kInvalidArgument names a wrong option;
  // kInternal when the listener cannot start.
  static absl::StatusOr<std::unique_ptr<HttpListener>> Start(HttpOptions options, HttpHandlers handlers);
  ~HttpListener();
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  uint16_t port() const { return port_; }

 private:
  struct Daemon;
  HttpListener(std::unique_ptr<Daemon> daemon, uint16_t port);

  const std::unique_ptr<Daemon> daemon_;
  const uint16_t port_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_HTTP_LISTENER_H_
