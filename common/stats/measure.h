// The measures a sample has, by the names that plans, figures and metrics call them.
#ifndef BENCHFLEET_COMMON_STATS_MEASURE_H_
#define BENCHFLEET_COMMON_STATS_MEASURE_H_

#include <array>

#include "absl/strings/string_view.h"

namespace benchfleet {

// Time per operation; in a round, the median batch. Every ok sample has it.
inline constexpr absl::string_view kMeasureWall = "wall";

// Of a whole measurement, where the subject takes them (Sample.measures_ns).
inline constexpr absl::string_view kMeasureCpu = "cpu";               // of everything that ran
inline constexpr absl::string_view kMeasureOverhead = "overhead";     // CPU of the strategy itself
inline constexpr absl::string_view kMeasureLaunch = "launch";         // to start one program
inline constexpr absl::string_view kMeasureLongest = "longest";       // the longest single program
inline constexpr absl::string_view kMeasureRunnerCpu = "runner_cpu";  // CPU of the runner meanwhile
inline constexpr std::array<absl::string_view, 5> kMeasuresInOrder = {kMeasureCpu, kMeasureOverhead, kMeasureLaunch,
                                                                      kMeasureLongest, kMeasureRunnerCpu};

// Physical limit / wall, where the plan knows the CPUs that a case can use (physical_limit.h).
inline constexpr absl::string_view kMeasureEfficiency = "efficiency";

// The counter of the programs that one pass ran.
inline constexpr absl::string_view kCounterCompiles = "compiles";

inline constexpr absl::string_view kUnitSeconds = "seconds";
inline constexpr absl::string_view kUnitRatio = "ratio";

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_MEASURE_H_
