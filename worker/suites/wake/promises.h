// What each variant promises to do, exactly: how often it looks the running loop up, how
// many wakes go through the socket. A measurement that breaks a promise is no measurement.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_PROMISES_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_PROMISES_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

// One measurement: `batches` timed batches of `iterations` operations.
struct WakeMeasurement {
  std::string loop;  // "epoll" or "asyncio", without a version
  std::string wake_case;
  std::string variant;
  int64_t iterations = 0;
  int64_t batches = 0;
};

// Every counter of the runtime with the value it must have.
// kInvalidArgument: unknown loop, case or variant, or a count that is not positive or
// whose product does not fit.
absl::StatusOr<std::map<std::string, int64_t>> PromisedCounters(const WakeMeasurement& measurement);

// kFailedPrecondition names the first counter that is not as promised, what was expected
// and what was got; also one that is missing, or that nobody promised. kInvalidArgument as above.
absl::Status CheckPromise(const WakeMeasurement& measurement, const std::map<std::string, int64_t>& counters);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_PROMISES_H_
