// What this host is and how it is doing.
#ifndef BENCHFLEET_COMMON_OS_HOST_PROBE_H_
#define BENCHFLEET_COMMON_OS_HOST_PROBE_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "common/model/host.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

// The port; tests/fakes has the fake. Never fails: what cannot be read is "unknown" in
// a key and absent in a state.
// Thread-safety: safe.
class HostProbe {
 public:
  virtual ~HostProbe() = default;
  // Signals to be read before and after a round. Costs some 100 us, so never in a timed section.
  virtual HostState ReadState() = 0;
};

// Reads /proc and /sys below `root` ("" is the real ones; tests pass a directory).
class ProcHostProbe final : public HostProbe {
 public:
  explicit ProcHostProbe(std::string root = "") : root_(std::move(root)) {}
  HostState ReadState() override;

 private:
  std::string root_;
};

// Boot id, host key, CPUs and memory; interpreters and suites are left empty.
// Host key parts: cpu_model, microcode, cpus_online, smt, governor, boost, kernel,
// virtualization, cpuset, cpu_quota.
HostFacts ReadHostFacts(const std::string& root = "");

// The CPUs the host really gives: those online and allowed, or the cgroup's quota when
// it is less. Counting CPUs alone promises two where half of one may be used. At least
// the smallest quota the kernel takes; one CPU when their number is unknown.
double EffectiveCpus(const HostFacts& facts);

// "<prefix>:" and the SHA-256 of the sorted parts, each as "name=value\n".
Key MakeKey(absl::string_view prefix, std::map<std::string, std::string> parts);

// Median and minimum cost of 10,000 back-to-back CLOCK_MONOTONIC reads, and the
// smallest nonzero step (METHOD: never a mean, a busy host spoils it).
ClockFacts MeasureClock();

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_HOST_PROBE_H_
