// What of a host a job measures: compilers, strategies, limits.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_CHOICES_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_CHOICES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/model/compile.h"
#include "common/model/host.h"
#include "worker/suites/compile/compile_programs.h"

namespace benchfleet {

struct ChosenCompiler {
  Compiler compiler;
  bool by_name = false;  // the job names it
};

// In the host's order. kFailedPrecondition: a choice matches nothing here, or the host has
// no compiler; names the choice and what there is.
absl::StatusOr<std::vector<ChosenCompiler>> ChooseCompilers(const CompileSpec& spec, const HostFacts& host);

struct ChosenStrategy {
  std::string name;                        // "asyncio"
  std::string variant;                     // "asyncio@3.11.2"
  std::vector<std::string> program;        // the pass program, its own arguments excluded
  std::optional<Interpreter> interpreter;  // which runs it
};

// In the job's order; CPython's, one for each interpreter. Where a host has several
// interpreters of one version, the second in its list is `@<version>+2`, and so on,
// whichever of them a job asks for. kNotFound: the host has no interpreter of an asked
// version, or none at all where a strategy needs one.
absl::StatusOr<std::vector<ChosenStrategy>> ChooseStrategies(const CompileSpec& spec, const HostFacts& host,
                                                             const CompilePrograms& programs);

// Descriptors a pass needs for each compile at once, by the most wasteful strategy, and besides.
inline constexpr int64_t kDescriptorsPerCompile = 3;
inline constexpr int64_t kDescriptorReserve = 64;

// Ascending. Default: as many as the host gives CPUs. kFailedPrecondition: a limit needs
// more descriptors than `max_descriptors`; with too few a strategy may hang, or find that a
// compiler refuses what it accepts.
absl::StatusOr<std::vector<int>> ChooseLimits(const CompileSpec& spec, const HostFacts& host, int64_t max_descriptors);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_CHOICES_H_
