// What this program is, as /version and benchfleet_build_info say it.
#ifndef BENCHFLEET_SERVER_METRICS_BUILD_INFO_H_
#define BENCHFLEET_SERVER_METRICS_BUILD_INFO_H_

#include <string>

namespace benchfleet {

struct BuildInfo {
  std::string version;   // "0.1.0"
  std::string revision;  // commit; empty when unknown
  std::string compiler;  // "GNU 12.2.0"
  std::string grpc;      // "1.51.1"
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_BUILD_INFO_H_
