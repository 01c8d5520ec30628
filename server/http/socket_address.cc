#include "server/http/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

constexpr int kListenBacklog = 1024;

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
  int family = AF_INET;
};

absl::StatusOr<SocketAddress> ParseSocketAddress(absl::string_view text) {
  const absl::Status refusal = absl::InvalidArgumentError(
      absl::StrCat("HTTP address \"", text, "\": must be an IP address and a port, as 127.0.0.1:7481 or [::1]:7481"));
  const size_t colon = text.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(text.substr(colon + 1), &port) || port > 65535) {
    return refusal;
  }
  absl::string_view host = text.substr(0, colon);
  SocketAddress address;
  if (absl::ConsumePrefix(&host, "[")) {
    if (!absl::ConsumeSuffix(&host, "]")) return refusal;
    auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<uint16_t>(port));
    address.family = AF_INET6;
    address.size = sizeof(v6);
    if (::inet_pton(AF_INET6, std::string(host).c_str(), &v6.sin6_addr) != 1) return refusal;
    return address;
  }
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  v4.sin_family = AF_INET;
  v4.sin_port = htons(static_cast<uint16_t>(port));
  address.size = sizeof(v4);
  if (::inet_pton(AF_INET, std::string(host).c_str(), &v4.sin_addr) != 1) return refusal;
  return address;
}

uint16_t PortOf(const sockaddr_storage& storage) {
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

}  // namespace

absl::StatusOr<ListeningSocket> Listen(absl::string_view address) {
  BF_ASSIGN_OR_RETURN(const SocketAddress parsed, ParseSocketAddress(address));
  const auto failed = [&](absl::string_view call) {
    return absl::ErrnoToStatus(errno, absl::StrCat("HTTP address \"", address, "\": ", call));
  };
  ListeningSocket listening;
  listening.fd = UniqueFd(::socket(parsed.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listening.fd.valid()) return failed("socket");
  const int fd = listening.fd.get();
  const int yes = 1;
  const int no = 0;
  // A restart must not wait for the connections of the process before.
  if (::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0) return failed("setsockopt");
  if (parsed.family == AF_INET6 && ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no)) != 0) {
    return failed("setsockopt");
  }
  sockaddr_storage bound = parsed.storage;
  socklen_t size = parsed.size;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&bound), size) != 0) return failed("bind");
  if (::listen(fd, kListenBacklog) != 0) return failed("listen");
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return failed("getsockname");
  listening.port = PortOf(bound);
  return listening;
}

}  // namespace benchfleet
