// What a user asks for, valid by construction (common/wire parses and refuses).
#ifndef BENCHFLEET_COMMON_MODEL_JOB_SPEC_H_
#define BENCHFLEET_COMMON_MODEL_JOB_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/model/compile.h"
#include "common/model/selector.h"
#include "common/model/wake.h"

namespace benchfleet {

enum class FanOut { kAny, kAll };

struct MethodSpec {
  std::optional<int> rounds;  // absent: whole blocks that fit the budget
  absl::Duration budget = absl::Minutes(3);
  double margin = 0.02;  // ratio - 1
  double level = 0.95;
  std::optional<uint64_t> seed;
  absl::Duration round_timeout = absl::Seconds(60);  // of wake; the parser gives other suites theirs
};

struct JobSpec {
  std::string project = "default";
  Labels labels;
  std::string commit;
  std::string branch;
  Selector host_selector;
  FanOut fan_out = FanOut::kAny;
  absl::Duration queue_timeout = absl::Hours(24);
  MethodSpec method;
  std::variant<WakeSpec, CompileSpec> suite;
};

// "wake", "compile".
absl::string_view SuiteName(const JobSpec& spec);

// Limits of the fields above, in one place for the parser, the documents and the tests.
inline constexpr int kMinRounds = 1;
inline constexpr int kMaxRounds = 1000;
inline constexpr int kMaxBudgetRounds = 30;  // with absent `rounds`
inline constexpr absl::Duration kMinBudget = absl::Seconds(1);
inline constexpr absl::Duration kMaxBudget = absl::Hours(24);
inline constexpr absl::Duration kMinRoundTimeout = absl::Seconds(1);
inline constexpr absl::Duration kMaxRoundTimeout = absl::Hours(1);
inline constexpr absl::Duration kMinQueueTimeout = absl::Seconds(1);
inline constexpr absl::Duration kMaxQueueTimeout = absl::Hours(24 * 7);
inline constexpr size_t kMaxProjectBytes = 63;
inline constexpr size_t kMaxCommitBytes = 64;
inline constexpr size_t kMaxBranchBytes = 255;
inline constexpr size_t kMaxInterpreters = 32;

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_JOB_SPEC_H_
