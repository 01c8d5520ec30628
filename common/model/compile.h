// The names of the compile suite.
#ifndef BENCHFLEET_COMMON_MODEL_COMPILE_H_
#define BENCHFLEET_COMMON_MODEL_COMPILE_H_

#include <array>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace benchfleet {

namespace compile {

// Grows with every change of what is measured; a digest test fails when it is forgotten.
inline constexpr int kSuiteVersion = 1;

inline constexpr absl::string_view kFortran = "fortran";
inline constexpr absl::string_view kC = "c";

// Compilers by the names their makers gave them, those for Fortran first.
inline constexpr std::array<absl::string_view, 9> kCompilers = {"gfortran", "flang", "ifx", "nvfortran", "gcc",
                                                                "clang",    "icx",   "nvc", "tcc"};

// To an object file.
inline constexpr absl::string_view kCompile = "compile";
// To a program.
inline constexpr absl::string_view kLink = "link";
inline constexpr std::array<absl::string_view, 2> kModes = {kCompile, kLink};

// One compile after the other: what parallelism is worth.
inline constexpr absl::string_view kSerial = "serial";
// Native threads that each start a compile and wait for it.
inline constexpr absl::string_view kThreads = "threads";
// Small helper processes, forked before the clock starts, that do the same.
inline constexpr absl::string_view kProcesses = "processes";
// One thread that waits for every compile at once, by pidfd and epoll.
inline constexpr absl::string_view kEventLoop = "event_loop";
// CPython's, one of each for every interpreter.
inline constexpr absl::string_view kAsyncio = "asyncio";
inline constexpr absl::string_view kThreadPoolExecutor = "thread_pool_executor";
inline constexpr absl::string_view kProcessPoolExecutor = "process_pool_executor";
inline constexpr std::array<absl::string_view, 4> kNativeStrategies = {kSerial, kThreads, kProcesses, kEventLoop};
inline constexpr std::array<absl::string_view, 7> kStrategies = {
    kSerial, kThreads, kProcesses, kEventLoop, kAsyncio, kThreadPoolExecutor, kProcessPoolExecutor};

// What the others are compared with. Both are always measured.
inline constexpr std::array<absl::string_view, 2> kBaselines = {kThreads, kSerial};

}  // namespace compile

// A compiler as a job names it.
struct CompilerChoice {
  std::string name;            // "gcc"
  std::string version_prefix;  // "12"; empty: any
  friend bool operator==(const CompilerChoice&, const CompilerChoice&) = default;
};

// Parameters of the suite; `modes` and `variants` are non-empty.
struct CompileSpec {
  std::vector<CompilerChoice> compilers;  // empty: every compiler of the host
  std::vector<std::string> modes;
  std::vector<int> limits;                // ascending; empty: the CPUs the host gives
  std::vector<std::string> variants;      // strategies, hold the baselines
  std::vector<std::string> interpreters;  // version prefixes; empty: every one of the host
  absl::Duration pass_timeout = absl::Minutes(2);
  friend bool operator==(const CompileSpec&, const CompileSpec&) = default;
};

inline constexpr int kMaxConcurrencyLimit = 256;
inline constexpr size_t kMaxConcurrencyLimits = 8;
inline constexpr size_t kMaxCompilerChoices = 32;
inline constexpr absl::Duration kDefaultCompileRoundTimeout = absl::Minutes(10);
inline constexpr absl::Duration kMinPassTimeout = absl::Seconds(1);
inline constexpr absl::Duration kMaxPassTimeout = absl::Hours(1);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_COMPILE_H_
