// The time that a set of compiles needs at least, whatever runs them.
//
//   limit = max( least cpu / usable CPUs, least longest, least (compiles x launch) )
//
// No strategy can be faster than the CPU work spread evenly over the CPUs it may use, nor
// than the longest member of the set: the two lower bounds on the makespan of independent
// jobs on identical machines (R. L. Graham, "Bounds on multiprocessing timing anomalies",
// SIAM J. Appl. Math. 17(2), 1969). The third term is ours: one thread that launches every
// compile, and is blocked while a launch lasts, needs at least all the launches in a row.
// Only a strategy that launches from several threads can beat it, and so have an
// efficiency above 1.
//
// Each term is the least that any arm of the case needed in that round: what one arm did
// with less, the others could have done with less. A strategy's own waste thus lowers its
// efficiency instead of raising the limit.
#ifndef BENCHFLEET_COMMON_STATS_PHYSICAL_LIMIT_H_
#define BENCHFLEET_COMMON_STATS_PHYSICAL_LIMIT_H_

#include <optional>

#include "absl/types/span.h"
#include "common/model/sample.h"

namespace benchfleet {

// In seconds, of the passes of one case in one round: ok samples, none of whose measures
// is negative. A term whose measure no pass has is left out; absent without any "cpu",
// because the other terms alone are far below what the work needs. `usable_cpus` is
// positive.
std::optional<double> PhysicalLimitSeconds(absl::Span<const Sample* const> passes, double usable_cpus);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_PHYSICAL_LIMIT_H_
