// The wake suite: what an event loop pays to resume a parked future.
//
// Case paths are `epoll/<case>` and `asyncio@<version>/<case>`. Where a host has several
// interpreters of one version, the second in its list is `asyncio@<version>+2`, and so on,
// whichever of them a job asks for.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_WAKE_SUBJECT_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_WAKE_SUBJECT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/model/host.h"
#include "common/model/wake.h"
#include "common/os/process.h"
#include "worker/core/subject.h"
#include "worker/suites/wake/wake_programs.h"

namespace benchfleet {

// Measures with fresh processes that carry BENCHFLEET_ATTEMPT=`attempt_token`.
//
// Ownership: `spawner` outlives the subject.
// Errors: kNotFound, the host has no interpreter of an asked version, or no interpreter at
// all where asyncio is asked for, or a program is missing; kPermissionDenied and
// kUnavailable, a program cannot be read.
absl::StatusOr<std::unique_ptr<Subject>> OpenWakeSubject(const WakeSpec& spec, const HostFacts& host,
                                                         ProcessSpawner& spawner, const WakePrograms& programs,
                                                         const std::string& attempt_token);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_WAKE_SUBJECT_H_
