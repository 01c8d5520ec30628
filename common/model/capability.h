// What a compiler made of a feature probe.
#ifndef BENCHFLEET_COMMON_MODEL_CAPABILITY_H_
#define BENCHFLEET_COMMON_MODEL_CAPABILITY_H_

#include <string>

namespace benchfleet {

// How one compile ended.
enum class CompileOutcome {
  kAccepted,        // exit code 0, and its output is there
  kRefused,         // the compiler refused the source
  kCrashed,         // the compiler, or a stage of it, crashed
  kKilled,          // the compiler, or a stage of it, was killed from outside
  kInfrastructure,  // the host failed it: no process, no memory, no space, no assembler
  kTimeout,         // it had not ended when its pass was killed
};

struct Capability {
  std::string compiler;  // "gfortran"
  std::string version;   // "12.2.0"
  std::string mode;      // "compile" or "link"
  std::string probe;     // "f2008block"
  CompileOutcome outcome = CompileOutcome::kAccepted;
  friend bool operator==(const Capability&, const Capability&) = default;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_CAPABILITY_H_
