// The coordinator's log: one line per message on standard error, counted by level.
#ifndef BENCHFLEET_SERVER_LOG_H_
#define BENCHFLEET_SERVER_LOG_H_

#include <string>

#include "server/metrics/service_metrics.h"

namespace benchfleet {

// `level`: "debug", "info", "warn" or "error".
void StartLog(const std::string& level);

// From now on messages are counted under "debug", "info", "warning" and "error", until
// the returned counting ends; `counter` must live as long.
class LogCounting {
 public:
  explicit LogCounting(CounterByLabels& counter);
  ~LogCounting();
  LogCounting(const LogCounting&) = delete;
  LogCounting& operator=(const LogCounting&) = delete;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_LOG_H_
