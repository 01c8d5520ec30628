// Finds the CPython interpreters of this host.
#ifndef BENCHFLEET_COMMON_OS_INTERPRETERS_H_
#define BENCHFLEET_COMMON_OS_INTERPRETERS_H_

#include <string>
#include <vector>

#include "common/model/host.h"
#include "common/os/process.h"

namespace benchfleet {

// Searches `extra` (paths the operator named), PATH, /usr/local/bin and the versions of
// pyenv; asks each candidate for its real sys.executable, so that shims are seen
// through; keeps CPython >= 3.10 that can load the limited API (no free-threaded build)
// and one of each version and digest. By version, then path.
// A candidate that fails or takes more than 10 s is left out.
std::vector<Interpreter> FindInterpreters(ProcessSpawner& spawner, const std::vector<std::string>& extra);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_INTERPRETERS_H_
