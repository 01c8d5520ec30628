// The coordinator's flags, checked.
#ifndef BENCHFLEET_SERVER_FLAGS_H_
#define BENCHFLEET_SERVER_FLAGS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace benchfleet {

inline constexpr absl::Duration kMinSyncHang = absl::Milliseconds(100);
inline constexpr absl::Duration kMaxSyncHang = absl::Minutes(5);
inline constexpr absl::Duration kMaxLeaseTtl = absl::Hours(1);

struct ServerFlags {
  std::string listen = "127.0.0.1:7480";
  std::string http = "127.0.0.1:7481";
  std::string state_dir;
  std::string port_file;
  bool insecure = false;
  absl::Duration sync_hang = absl::Seconds(20);
  absl::Duration lease_ttl = absl::Seconds(90);
  std::string log_level = "info";
};

// How the command line ended: flags to serve with, or an exit code, everything there is
// to say being said already.
struct ParsedFlags {
  ServerFlags flags;
  int exit_code = -1;  // >= 0: exit with it
};
ParsedFlags ParseServerFlags(int argc, char** argv, const std::string& version);

// kInvalidArgument naming the flag: an address that is not a loopback one without
// `insecure`, a lease that lives shorter than three hanging calls take, a limit passed.
absl::Status CheckServerFlags(const ServerFlags& flags);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_FLAGS_H_
