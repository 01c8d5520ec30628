// The two files through which a pass is asked for and told. Whoever runs compiles (the
// native program, a Python driver and their helpers) only launches, waits and stamps; the
// suite reads the stamps afterwards and judges. Both sides live on one host.
//
// Commands file: for each compile its texts, each ended by NUL: the path of its log, then
// argv with an absolute program; an empty text ends the compile. Compile 0 is the
// conditioning: it is run alone, before the clock starts.
//
// Record file: kHeaderNumbers, then kRecordNumbers for each compile, in the commands'
// order, as int64 of the host's byte order. Made by the suite with every number kUnset;
// mapped shared and written in place, so that what had happened when a pass was killed can
// still be read. Times are CLOCK_MONOTONIC in ns.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_PASS_FILES_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_PASS_FILES_H_

#include <cstdint>

namespace benchfleet {

inline constexpr int64_t kUnset = -1'000'000'000'000;

// Of the whole pass; set when it is over, and only if it could be carried out.
struct PassHeader {
  int64_t children_cpu_ns;  // user and system time of every timed compile's processes; kUnset: sum the records
  // The strategy's own CPU while the clock ran. The helper_cpu_ns of the timed compiles are
  // in it already.
  int64_t own_cpu_ns;
  int64_t reserved[6];
};

// Of one compile. Written by whoever launches it. A compile that could not be started has
// its launch_errno, its three times (end_ns is launched_ns) and no status.
struct PassRecord {
  int64_t launch_ns;      // before the call that starts the process
  int64_t launched_ns;    // after it returned
  int64_t end_ns;         // after the process was reaped
  int64_t status;         // exit code, or -signal; kUnset while it runs
  int64_t launch_errno;   // why it could not be started; kUnset when it could
  int64_t cpu_ns;         // of the compile's processes; kUnset where only the header knows
  int64_t helper_cpu_ns;  // the helper process's own, for this compile; kUnset where none is used
  int64_t reserved;
};

inline constexpr int kHeaderNumbers = 8;
inline constexpr int kRecordNumbers = 8;
static_assert(sizeof(PassHeader) == kHeaderNumbers * sizeof(int64_t));
static_assert(sizeof(PassRecord) == kRecordNumbers * sizeof(int64_t));

// Largest file a compile may write, set by the program for all it starts: a compiler that
// floods its log is ended by the kernel (SIGXFSZ).
inline constexpr int64_t kMaxCompileFileBytes = 16 << 20;

// What a pass program accepts.
inline constexpr int kMaxPassCompiles = 16384;  // conditioning included
inline constexpr int kMinPassCompiles = 2;      // the conditioning and something to measure
inline constexpr int kMaxPassLimit = 256;       // compiles at once
inline constexpr int kMaxCompileArguments = 256;
inline constexpr int64_t kMaxTextBytes = 64 << 10;
inline constexpr int64_t kMaxCommandsBytes = 64 << 20;

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_PASS_FILES_H_
