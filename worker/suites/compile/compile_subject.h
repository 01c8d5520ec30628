// The compile suite: what a strategy for running many compilers costs and gains, and which
// features each compiler has.
//
// Case paths are `<compiler>@<version>/<mode>/j<limit>`, variants the strategies:
// `threads`, `asyncio@3.11.2`. One measurement is one pass over every probe.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_COMPILE_SUBJECT_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_COMPILE_SUBJECT_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/model/compile.h"
#include "common/model/host.h"
#include "common/os/process.h"
#include "worker/core/subject.h"
#include "worker/suites/compile/compile_programs.h"

namespace benchfleet {

// Chooses what is measured, and finds what each compiler can do by a reference pass for
// each of its modes; one that does not stand the test is left out, with a word to
// `progress`, unless the job names it. Whatever runs carries
// BENCHFLEET_ATTEMPT=`attempt_token`.
//
// Ownership: `spawner` outlives the subject, and should end what outlives a program
// (worker/runner's does); the subject's files are removed with it.
// Errors: kFailedPrecondition, the host lacks what the job asks for, or no compiler is
// left; kNotFound, an interpreter or a program is missing; kCancelled; those of Scratch.
absl::StatusOr<std::unique_ptr<Subject>> OpenCompileSubject(const CompileSpec& spec, const HostFacts& host,
                                                            ProcessSpawner& spawner, const CompilePrograms& programs,
                                                            const std::string& attempt_token,
                                                            const std::function<void(const std::string&)>& progress,
                                                            const std::atomic<bool>& cancelled);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_COMPILE_SUBJECT_H_
