// Whether a pass is what it had to be.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_JUDGEMENT_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_JUDGEMENT_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/model/sample.h"
#include "worker/suites/compile/pass.h"

namespace benchfleet {

// Compiles from which on a pass must show that several ran at once.
inline constexpr size_t kFewestForPeak = 4;
// Probes that a failure names.
inline constexpr size_t kMaxNamedProbes = 5;

struct PassExpectation {
  std::vector<CompileResult> reference;  // of the reference pass
  int limit = 1;                         // the strategy's
  absl::Duration timeout;
};

// Puts a pass into its sample: outcome, failure and output; measures and counters where it
// ended by itself.
void JudgePass(const PassResult& pass, const PassExpectation& expected, Sample* sample);

// Whether a pass gave what its compiler can do: it ended, nothing of it outlived it, every
// control was refused and the minimal program accepted, and nothing but the compiler decided.
// kFailedPrecondition says what was wrong.
absl::Status CheckReference(const PassResult& pass, absl::string_view language, absl::string_view mode,
                            absl::Duration timeout);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_JUDGEMENT_H_
