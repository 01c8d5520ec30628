#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/os/host_probe.h"
#include "common/os/kernel_files.h"

namespace benchfleet {
namespace {

std::optional<double> ReadLoad(const std::string& root) {
  const std::optional<std::string> text = ReadText(absl::StrCat(root, "/proc/loadavg"));
  double load = 0;
  if (!text.has_value() || !absl::SimpleAtod(text->substr(0, text->find(' ')), &load)) return std::nullopt;
  return load;
}

std::optional<int64_t> ReadSteal(const std::string& root) {
  constexpr size_t kStealField = 8;  // "cpu user nice system idle iowait irq softirq steal ..."
  const std::optional<std::string> text = ReadText(absl::StrCat(root, "/proc/stat"));
  if (!text.has_value()) return std::nullopt;
  const std::vector<absl::string_view> fields =
      absl::StrSplit(absl::string_view(*text).substr(0, text->find('\n')), ' ', absl::SkipEmpty());
  int64_t ticks = 0;
  if (fields.size() <= kStealField || fields[0] != "cpu" || !absl::SimpleAtoi(fields[kStealField], &ticks)) {
    return std::nullopt;
  }
  return ticks * (1'000'000'000 / ::sysconf(_SC_CLK_TCK));
}

std::optional<int64_t> ReadCpuPressure(const std::string& root) {
  const std::optional<std::string> text = ReadText(absl::StrCat(root, "/proc/pressure/cpu"));
  if (!text.has_value()) return std::nullopt;
  const std::optional<std::string> some = FindValue(*text, "some avg10", '=');
  const size_t total = some.has_value() ? some->find("total=") : std::string::npos;
  int64_t microseconds = 0;
  if (total == std::string::npos || !absl::SimpleAtoi(some->substr(total + 6), &microseconds)) return std::nullopt;
  return microseconds * 1000;
}

// Over our cgroup and all above it, any of which may throttle us.
std::optional<int64_t> ReadThrottledPeriods(const std::string& root) {
  std::optional<int64_t> sum;
  for (const std::string& folder : FindCgroup(root, "cpu").folders) {
    const std::string text = ReadText(absl::StrCat(folder, "/cpu.stat")).value_or("");
    int64_t periods = 0;
    const std::optional<std::string> value = FindValue(text, "nr_throttled", ' ');
    if (value.has_value() && absl::SimpleAtoi(*value, &periods)) sum = sum.value_or(0) + periods;
  }
  return sum;
}

int64_t ReadClockNs(clockid_t id) {
  timespec now;
  ::clock_gettime(id, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// BOOTTIME - MONOTONIC. The clocks are read one after the other, so each difference is
// too small by the time between; the greatest of a few is nearest to the truth.
int64_t ReadSuspended() {
  int64_t best = 0;
  for (int i = 0; i < 5; ++i) {
    const int64_t boot = ReadClockNs(CLOCK_BOOTTIME);
    best = std::max(best, boot - ReadClockNs(CLOCK_MONOTONIC));
  }
  return best;
}

}  // namespace

HostState ProcHostProbe::ReadState() {
  HostState state;
  state.load1 = ReadLoad(root_);
  state.steal_ns = ReadSteal(root_);
  state.cpu_pressure_ns = ReadCpuPressure(root_);
  state.throttled_periods = ReadThrottledPeriods(root_);
  state.suspended_ns = ReadSuspended();
  return state;
}

}  // namespace benchfleet
