#include "worker/suites/wake/promises.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/model/wake.h"

namespace benchfleet {

namespace {

template <typename List>
absl::Status CheckKnown(const List& known, absl::string_view what, absl::string_view word) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("unknown ", what, " '", word, "'"));
}

absl::StatusOr<int64_t> Operations(const WakeMeasurement& measurement) {
  // Twice that many is the largest promise.
  constexpr int64_t kMaxOperations = std::numeric_limits<int64_t>::max() / 2;
  const int64_t iterations = measurement.iterations;
  const int64_t batches = measurement.batches;
  if (iterations < 1 || batches < 1 || iterations > kMaxOperations / batches) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot measure ", batches, " batches of ", iterations, " iterations"));
  }
  return iterations * batches;
}

// Look-ups in one operation. The same on every loop: the promise is the variant's.
int64_t LookupsPerOperation(absl::string_view wake_case, absl::string_view variant) {
  if (variant == wake::kSocket) return 0;  // never looks: it has no use for the answer
  const bool frame = wake_case == wake::kFrameReady || wake_case == wake::kFrameWokenSameThread;
  // Every handle call: the one that is measured, or the write and the read of a frame.
  if (variant == wake::kLookup) return frame ? 2 : 1;
  // counted: the write of a frame that somebody waits for finds the count at one. The read
  // that follows finds it at zero, because the wake has counted the reader down; and where
  // nothing waits, it is zero all along.
  return wake_case == wake::kFrameWokenSameThread ? 1 : 0;
}

}  // namespace

absl::StatusOr<std::map<std::string, int64_t>> PromisedCounters(const WakeMeasurement& measurement) {
  BF_RETURN_IF_ERROR(CheckKnown(wake::kLoops, "loop", measurement.loop));
  BF_RETURN_IF_ERROR(CheckKnown(wake::kCases, "case", measurement.wake_case));
  BF_RETURN_IF_ERROR(CheckKnown(wake::kVariants, "variant", measurement.variant));
  BF_ASSIGN_OR_RETURN(const int64_t operations, Operations(measurement));

  // Only a woken frame parks, and each exactly once: handle calls have nothing to wait for,
  // and a ready frame is read without suspending.
  const int64_t woken = measurement.wake_case == wake::kFrameWokenSameThread ? operations : 0;
  const bool through_socket = measurement.variant == wake::kSocket;
  return std::map<std::string, int64_t>{
      {"lookups", operations * LookupsPerOperation(measurement.wake_case, measurement.variant)},
      // Each wake goes one way: straight to the ready list, or as one byte, written and read
      // within the operation.
      {"direct_wakes", through_socket ? 0 : woken},
      {"socket_wakes", through_socket ? woken : 0},
      {"socket_bytes_written", through_socket ? woken : 0},
      {"socket_bytes_read", through_socket ? woken : 0},
      {"parks", woken},
      {"resumes", woken},
  };
}

absl::Status CheckPromise(const WakeMeasurement& measurement, const std::map<std::string, int64_t>& counters) {
  BF_ASSIGN_OR_RETURN(const auto promised, PromisedCounters(measurement));
  const auto broken = [&](absl::string_view counter, absl::string_view expected, absl::string_view got) {
    return absl::FailedPreconditionError(absl::StrCat(measurement.loop, "/", measurement.wake_case, " ",
                                                      measurement.variant, ": counter ", counter, " is ", got,
                                                      ", promised is ", expected));
  };
  for (const auto& [counter, expected] : promised) {
    const auto got = counters.find(counter);
    if (got == counters.end()) return broken(counter, absl::StrCat(expected), "missing");
    if (got->second != expected) return broken(counter, absl::StrCat(expected), absl::StrCat(got->second));
  }
  for (const auto& [counter, got] : counters) {
    if (!promised.contains(counter)) return broken(counter, "no such counter", absl::StrCat(got));
  }
  return absl::OkStatus();
}

}  // namespace benchfleet
