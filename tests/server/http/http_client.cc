#include "tests/server/http/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstdlib>
#include <sstream>

namespace benchfleet {

UniqueFd Connect(const std::string& ip, uint16_t port) {
  const bool v6 = ip.find(':') != std::string::npos;
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_in);
  if (v6) {
    auto& address = reinterpret_cast<sockaddr_in6&>(storage);
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    ::inet_pton(AF_INET6, ip.c_str(), &address.sin6_addr);
    size = sizeof(address);
  } else {
    auto& address = reinterpret_cast<sockaddr_in&>(storage);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ::inet_pton(AF_INET, ip.c_str(), &address.sin_addr);
  }
  UniqueFd fd(::socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience = {20, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0) fd.reset();
  return fd;
}

void SendAll(int fd, const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;  // the listener may refuse before it has read everything
    sent += static_cast<size_t>(count);
  }
}

std::string ReadToEnd(int fd) {
  std::string bytes;
  char buffer[65536];
  for (ssize_t count; (count = ::recv(fd, buffer, sizeof(buffer), 0)) > 0;) {
    bytes.append(buffer, static_cast<size_t>(count));
  }
  return bytes;
}

Reply ParseReply(const std::string& bytes) {
  Reply reply;
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos || bytes.rfind("HTTP/1.1 ", 0) != 0) return reply;
  reply.code = std::atoi(bytes.c_str() + 9);
  std::istringstream head(bytes.substr(0, end));
  for (std::string line; std::getline(head, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) reply.headers[line.substr(0, colon)] = line.substr(colon + 2);
  }
  reply.body = bytes.substr(end + 4);
  return reply;
}

Reply Fetch(uint16_t port, const std::string& target, const std::string& headers, const std::string& method,
            const std::string& ip) {
  const UniqueFd fd = Connect(ip, port);
  if (!fd.valid()) return {};
  SendAll(fd.get(), method + " " + target + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n" + headers + "\r\n");
  return ParseReply(ReadToEnd(fd.get()));
}

}  // namespace benchfleet
