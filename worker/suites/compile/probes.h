// The feature probes: small sources, each of which a compiler accepts or refuses.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PROBES_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PROBES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

enum class ProbeKind {
  kFeature,      // accepted or refused: that is what is found out
  kMinimal,      // the smallest program: who refuses it compiles nothing
  kControl,      // not the language: who accepts it does not look
  kLinkControl,  // calls what nobody defines: must be refused by who links
};

struct Probe {
  absl::string_view language;
  absl::string_view name;
  absl::string_view file;  // below the folder of probes: "fortran/minimal.f90"
  absl::string_view flag;  // one more than its language's; may be empty
  ProbeKind kind;
};

// In the order in which they are compiled, the minimal one first. Empty for another language.
std::vector<Probe> ProbesOf(absl::string_view language);

// A digest over the sources of a language's probes as they are in `folder`.
// kNotFound, kPermissionDenied or kUnavailable, naming the path.
absl::StatusOr<std::string> ProbeSetDigest(const std::string& folder, absl::string_view language);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PROBES_H_
