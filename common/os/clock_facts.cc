#include <time.h>

#include <algorithm>
#include <vector>

#include "common/os/host_probe.h"
#include "common/os/kernel_files.h"

namespace benchfleet {
namespace {

constexpr size_t kReads = 10'000;

int64_t ReadClockNs() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

ClockFacts MeasureClock() {
  std::vector<int64_t> reads(kReads + 1);
  for (int64_t& read : reads) read = ReadClockNs();
  ClockFacts facts;
  std::vector<int64_t> costs(kReads);
  for (size_t i = 0; i < kReads; ++i) {
    costs[i] = reads[i + 1] - reads[i];
    if (costs[i] > 0 && (facts.step_ns == 0 || costs[i] < facts.step_ns)) facts.step_ns = costs[i];
  }
  std::nth_element(costs.begin(), costs.begin() + kReads / 2, costs.end());
  facts.read_median_ns = costs[kReads / 2];
  facts.read_min_ns = *std::min_element(costs.begin(), costs.end());
  facts.clock_source = ReadText("/sys/devices/system/clocksource/clocksource0/current_clocksource").value_or("unknown");
  return facts;
}

}  // namespace benchfleet
