// Finds the Fortran and C compilers of this host.
#ifndef BENCHFLEET_COMMON_OS_COMPILERS_H_
#define BENCHFLEET_COMMON_OS_COMPILERS_H_

#include <string>
#include <vector>

#include "common/model/host.h"
#include "common/os/process.h"

namespace benchfleet {

// Searches `extra` (paths the operator named), then PATH and /usr/local/bin for programs
// named like a compiler, with or without a version ("gcc", "gcc-12", "flang-new-16"),
// follows links, and asks each file once what it is by preprocessing a few lines: names
// lie (gcc is clang on some systems), predefined macros do not. Leaves out caches and
// distributors that pose as compilers (ccache, distcc, ...), cross compilers, what fails,
// takes more than 10 s for an answer or gives one over 64 KiB, and all but the first of
// equal name and version. By name, in the order of compile::kCompilers, then version. Asks at most
// kMaxCompilerCandidates files.
//
// Compilers are asked in a private folder that is also their HOME and is gone afterwards;
// of our environment they see PATH and the mark of our attempt only. Without such a
// folder there is no compiler.
inline constexpr size_t kMaxCompilerCandidates = 128;
std::vector<Compiler> FindCompilers(ProcessSpawner& spawner, const std::vector<std::string>& extra);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_COMPILERS_H_
