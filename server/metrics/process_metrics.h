// The usual process_* metrics of this process, and what it was built from.
#ifndef BENCHFLEET_SERVER_METRICS_PROCESS_METRICS_H_
#define BENCHFLEET_SERVER_METRICS_PROCESS_METRICS_H_

#include <string>
#include <utility>
#include <vector>

#include "prometheus/collectable.h"
#include "prometheus/metric_family.h"
#include "server/metrics/build_info.h"

namespace benchfleet {

// Reads /proc below `proc` at each scrape; what cannot be read is absent.
// Thread-safety: safe.
class ProcessCollector final : public prometheus::Collectable {
 public:
  explicit ProcessCollector(BuildInfo build, std::string proc = "/proc")
      : build_(std::move(build)), proc_(std::move(proc)) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const BuildInfo build_;
  const std::string proc_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_PROCESS_METRICS_H_
