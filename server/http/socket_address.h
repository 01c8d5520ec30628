// A listening socket from an address as people write it.
#ifndef BENCHFLEET_SERVER_HTTP_SOCKET_ADDRESS_H_
#define BENCHFLEET_SERVER_HTTP_SOCKET_ADDRESS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

struct ListeningSocket {
  UniqueFd fd;
  uint16_t port = 0;
};

// Listens on "127.0.0.1:7481" or "[::1]:7481"; port 0 takes a free one, and "[::]:7481"
// takes IPv4 connections as well. Names are not resolved: what is listened on is what
// was written.
// Errors name the address: kInvalidArgument, not such an address; else the system's
// reason, for example kFailedPrecondition "Address already in use".
absl::StatusOr<ListeningSocket> Listen(absl::string_view address);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_SOCKET_ADDRESS_H_
