#include "common/stats/physical_limit.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "common/stats/measure.h"

namespace benchfleet {
namespace {

constexpr double kSecondsPerNanosecond = 1e-9;

std::optional<double> Find(const std::map<std::string, int64_t>& numbers, absl::string_view name) {
  const auto found = numbers.find(std::string(name));
  if (found == numbers.end()) return std::nullopt;
  return static_cast<double>(found->second);
}

std::optional<double> LaunchesNs(const Sample& pass) {
  const std::optional<double> compiles = Find(pass.counters, kCounterCompiles);
  const std::optional<double> launch = Find(pass.measures_ns, kMeasureLaunch);
  if (!compiles.has_value() || !launch.has_value()) return std::nullopt;
  return *compiles * *launch;
}

void KeepLeast(std::optional<double> value, std::optional<double>& least) {
  if (value.has_value()) least = std::min(*value, least.value_or(*value));
}

}  // namespace

std::optional<double> PhysicalLimitSeconds(absl::Span<const Sample* const> passes, double usable_cpus) {
  std::optional<double> cpu_ns;
  std::optional<double> longest_ns;
  std::optional<double> launches_ns;
  for (const Sample* pass : passes) {
    KeepLeast(Find(pass->measures_ns, kMeasureCpu), cpu_ns);
    KeepLeast(Find(pass->measures_ns, kMeasureLongest), longest_ns);
    KeepLeast(LaunchesNs(*pass), launches_ns);
  }
  if (!cpu_ns.has_value()) return std::nullopt;
  return std::max({*cpu_ns / usable_cpus, longest_ns.value_or(0), launches_ns.value_or(0)}) * kSecondsPerNanosecond;
}

}  // namespace benchfleet
