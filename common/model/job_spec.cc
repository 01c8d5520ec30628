#include "common/model/job_spec.h"

namespace benchfleet {

absl::string_view SuiteName(const JobSpec& spec) {
  struct Namer {
    absl::string_view operator()(const WakeSpec&) const { return "wake"; }
    absl::string_view operator()(const CompileSpec&) const { return "compile"; }
  };
  return std::visit(Namer{}, spec.suite);
}

}  // namespace benchfleet
