// What a host is, as its worker found it.
#ifndef BENCHFLEET_COMMON_MODEL_HOST_H_
#define BENCHFLEET_COMMON_MODEL_HOST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/model/plan.h"

namespace benchfleet {

struct Interpreter {
  std::string path;     // the real executable, no shim
  std::string version;  // "3.11.2"
  std::string digest;   // SHA-256 of the executable, hex
  friend bool operator==(const Interpreter&, const Interpreter&) = default;
};

struct HostFacts {
  std::string boot_id;
  Key host_key;
  std::vector<Interpreter> interpreters;  // by version, then path
  int cpus = 0;                           // online and allowed
  int64_t memory_bytes = 0;
  std::vector<std::string> suites;
  std::string arch;  // as the kernel names it, "x86_64"
  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_HOST_H_
