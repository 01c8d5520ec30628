// What a pass's record file says, in figures.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_RECORDS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet {

struct PassRecords {
  PassHeader header;
  std::vector<PassRecord> compiles;  // 0 is the conditioning
};

// Of the timed compiles.
struct PassFigures {
  int64_t wall_ns = 0;      // first launch to last reap
  int64_t cpu_ns = 0;       // the compiles' and the strategy's
  int64_t overhead_ns = 0;  // the strategy's
  int64_t launch_ns = 0;    // median time a launch takes
  int64_t longest_ns = 0;   // the longest compile, launch to reap
  int peak = 0;             // most compiles between launch and reap at once
};

// The file before a pass.
std::string UnsetRecords(int compiles);

// kDataLoss: not the size of so many compiles.
absl::StatusOr<PassRecords> ParseRecords(absl::string_view data, int compiles);

// Of a pass that ended by itself. kDataLoss names the compile, from 0, that has no launch,
// no end, or times that run backwards, or the figure nobody gave.
absl::StatusOr<PassFigures> FiguresOf(const PassRecords& records);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_RECORDS_H_
