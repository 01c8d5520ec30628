// A client that says exactly what a test wants it to say.
#ifndef BENCHFLEET_TESTS_SERVER_HTTP_HTTP_CLIENT_H_
#define BENCHFLEET_TESTS_SERVER_HTTP_HTTP_CLIENT_H_

#include <cstdint>
#include <map>
#include <string>

#include "common/os/unique_fd.h"

namespace benchfleet {

// Connects to an IPv4 or IPv6 address; invalid when refused. Reads give up after 20
// seconds, so that a test of a listener that hangs fails instead of hanging.
UniqueFd Connect(const std::string& ip, uint16_t port);

void SendAll(int fd, const std::string& bytes);
// Until the peer closes or resets, or the read gives up.
std::string ReadToEnd(int fd);

struct Reply {
  int code = 0;  // 0: no reply
  std::map<std::string, std::string> headers;
  std::string body;
};
Reply ParseReply(const std::string& bytes);

// One request on its own connection; `headers` are lines that end with CRLF.
Reply Fetch(uint16_t port, const std::string& target, const std::string& headers = "",
            const std::string& method = "GET", const std::string& ip = "127.0.0.1");

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_SERVER_HTTP_HTTP_CLIENT_H_
