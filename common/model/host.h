// What a host is, as its worker found it.
#ifndef BENCHFLEET_COMMON_MODEL_HOST_H_
#define BENCHFLEET_COMMON_MODEL_HOST_H_

#include <cstdint>
#include <map>
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

// Known by what it says of itself, not by its file's name.
struct Compiler {
  std::string name;                                  // "gfortran"
  std::string version;                               // "12.2.0"
  std::string language;                              // "fortran" or "c"
  std::string path;                                  // the real executable
  std::string digest;                                // SHA-256 of the executable, hex
  std::string target;                                // "x86_64-linux-gnu"; empty when it does not say
  std::string version_text;                          // first line, for a person
  std::map<std::string, std::string> stage_digests;  // "f951", "as", "ld": SHA-256 of what it runs
  friend bool operator==(const Compiler&, const Compiler&) = default;
};

struct HostFacts {
  std::string boot_id;
  Key host_key;
  std::vector<Interpreter> interpreters;  // by version, then path
  int cpus = 0;                           // online and allowed
  int64_t memory_bytes = 0;
  std::vector<std::string> suites;
  std::string arch;                 // as the kernel names it, "x86_64"
  std::vector<Compiler> compilers;  // by language, name, version, path
  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_HOST_H_
