// What the compilers of a run made of the feature probes.
#ifndef BENCHFLEET_COMMON_REPORT_CAPABILITY_TABLES_H_
#define BENCHFLEET_COMMON_REPORT_CAPABILITY_TABLES_H_

#include <string>
#include <vector>

#include "common/report/grid.h"
#include "common/report/run_results.h"

namespace benchfleet {

// The compilers that were given the same probes, so those of one language.
struct CapabilitySet {
  Grid grid;             // a row per probe, a column per compiler and mode; raw text
  bool has_marks;        // some outcomes are marked: another mode of the compiler disagrees
  std::string controls;  // one line about the probes that must be refused; empty without any
};

inline constexpr char kModeMarkLegend[] = "* another mode of the same compiler answers otherwise";

std::vector<CapabilitySet> CapabilitySets(const RunResults& results);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_CAPABILITY_TABLES_H_
