// Runs one pass: every probe of a language compiled once, by one strategy.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/model/capability.h"
#include "common/model/host.h"
#include "common/os/process.h"
#include "worker/suites/compile/pass_records.h"
#include "worker/suites/compile/probes.h"
#include "worker/suites/compile/scratch.h"

namespace benchfleet {

// Of a compile's log, its end.
inline constexpr size_t kMaxLogBytes = 64 << 10;
// Of what the pass program itself prints.
inline constexpr size_t kMaxPassOutputBytes = 64 << 10;

struct PassOrder {
  std::vector<std::string> program;  // the pass program, its own arguments excluded
  std::string strategy;
  int limit = 1;
  Compiler compiler;
  std::string mode;
  std::string probes_folder;
  std::string attempt_token;
  int environment_padding = 0;
};

struct CompileResult {
  absl::string_view probe;
  CompileOutcome outcome = CompileOutcome::kTimeout;
  bool started = false;
  int64_t output_bytes = 0;
  std::string end;  // how it ended, for a person; empty while it runs
  std::string log;  // its last part
};

struct PassResult {
  ProcessResult process;                // the pass program's
  CompileResult conditioning;           // of the minimal program, before the clock started
  std::vector<CompileResult> compiles;  // of every probe
  absl::StatusOr<PassFigures> figures;  // kUnavailable: the pass did not end by itself with success
  int64_t runner_cpu_ns = 0;            // of this process meanwhile
};

// Errors: those of Scratch::Prepare() and of ProcessSpawner::Run(); kDataLoss, the record
// file is not as it was made.
absl::StatusOr<PassResult> RunPass(const PassOrder& order, const Scratch& scratch, ProcessSpawner& spawner,
                                   const RunOptions& options);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_H_
