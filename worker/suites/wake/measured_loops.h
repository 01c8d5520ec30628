// Which event loops of a host a job measures.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_MEASURED_LOOPS_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_MEASURED_LOOPS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/model/host.h"
#include "common/model/plan.h"
#include "common/model/wake.h"
#include "worker/suites/wake/wake_programs.h"

namespace benchfleet {

struct MeasuredLoop {
  std::string loop;               // "asyncio"
  std::string path;               // "asyncio@3.11.2", the first part of its case paths
  std::vector<std::string> argv;  // of its program, the measurement's own arguments excluded
  Key subject_key;
};

// Errors as in OpenWakeSubject().
absl::StatusOr<std::vector<MeasuredLoop>> FindMeasuredLoops(const WakeSpec& spec, const HostFacts& host,
                                                            const WakePrograms& programs);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_MEASURED_LOOPS_H_
