#include <glob.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/os/digest.h"
#include "common/os/host_probe.h"
#include "common/os/kernel_files.h"

namespace benchfleet {
namespace {

constexpr char kUnknown[] = "unknown";
constexpr double kLeastQuotaCpus = 0.001;  // 1 ms in the longest period, 1 s

bool Exists(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0;
}

// x86 names its model; ARM gives numbers only.
std::string CpuModel(const std::string& cpuinfo) {
  if (const auto name = FindValue(cpuinfo, "model name", ':')) return *name;
  const auto implementer = FindValue(cpuinfo, "CPU implementer", ':');
  const auto part = FindValue(cpuinfo, "CPU part", ':');
  if (!implementer.has_value() || !part.has_value()) return kUnknown;
  return absl::StrCat("implementer ", *implementer, " part ", *part, " variant ",
                      FindValue(cpuinfo, "CPU variant", ':').value_or(kUnknown));
}

std::string Smt(const std::string& root) {
  const std::optional<int64_t> active = ReadNumber(absl::StrCat(root, "/sys/devices/system/cpu/smt/active"));
  return active.has_value() ? (*active != 0 ? "on" : "off") : kUnknown;
}

// Every governor in use: CPUs may differ.
std::string Governors(const std::string& root) {
  glob_t found = {};
  const std::string pattern = absl::StrCat(root, "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor");
  std::set<std::string> governors;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) governors.insert(ReadText(found.gl_pathv[i]).value_or(kUnknown));
  }
  ::globfree(&found);
  return governors.empty() ? kUnknown : absl::StrJoin(governors, ",");
}

std::string Boost(const std::string& root) {
  if (const auto boost = ReadNumber(absl::StrCat(root, "/sys/devices/system/cpu/cpufreq/boost"))) {
    return *boost != 0 ? "on" : "off";
  }
  if (const auto no_turbo = ReadNumber(absl::StrCat(root, "/sys/devices/system/cpu/intel_pstate/no_turbo"))) {
    return *no_turbo != 0 ? "off" : "on";
  }
  return kUnknown;
}

// What the CPU and the firmware say of a hypervisor, and whether a container is around us.
std::string Virtualization(const std::string& root, const std::string& cpuinfo) {
  std::string machine = kUnknown;
  if (const auto type = ReadText(absl::StrCat(root, "/sys/hypervisor/type"))) {
    machine = *type;
  } else if (const auto flags = FindValue(cpuinfo, "flags", ':')) {
    const std::set<std::string> words = absl::StrSplit(*flags, ' ');
    const bool virtual_machine = words.count("hypervisor") > 0;
    machine = virtual_machine
                  ? absl::StrCat("vm ", ReadText(absl::StrCat(root, "/sys/class/dmi/id/sys_vendor")).value_or(kUnknown))
                  : "none";
  }
  const bool container = Exists(absl::StrCat(root, "/.dockerenv")) ||
                         Exists(absl::StrCat(root, "/run/.containerenv")) ||
                         Exists(absl::StrCat(root, "/run/systemd/container"));
  return container ? absl::StrCat(machine, ", container") : machine;
}

struct Quota {
  bool known = false;
  double cpus = -1;  // below 0: none
};

Quota ReadQuota(const std::string& folder, bool v2) {
  std::string quota_text;
  std::string period_text;
  if (v2) {
    std::pair<std::string, std::string> parts =
        absl::StrSplit(ReadText(absl::StrCat(folder, "/cpu.max")).value_or(""), absl::MaxSplits(' ', 1));
    quota_text = std::move(parts.first);
    period_text = std::move(parts.second);
    if (quota_text == "max") return {true, -1};
  } else {
    quota_text = ReadText(absl::StrCat(folder, "/cpu.cfs_quota_us")).value_or("");
    period_text = ReadText(absl::StrCat(folder, "/cpu.cfs_period_us")).value_or("");
  }
  double quota = 0;
  double period = 0;
  if (!absl::SimpleAtod(quota_text, &quota) || !absl::SimpleAtod(period_text, &period) || period <= 0) return {};
  return {true, quota < 0 ? -1 : quota / period};
}

// The least of our cgroup and all above it; the top of v2 has none and says nothing.
std::string CpuQuota(const std::string& root) {
  const CgroupFolders cgroup = FindCgroup(root, "cpu");
  bool known = cgroup.v2 && !cgroup.folders.empty();
  std::optional<double> least;
  for (const std::string& folder : cgroup.folders) {
    const Quota quota = ReadQuota(folder, cgroup.v2);
    known |= quota.known;
    if (quota.known && quota.cpus >= 0) least = std::min(least.value_or(quota.cpus), quota.cpus);
  }
  if (!known) return kUnknown;
  return least.has_value() ? absl::StrCat(*least) : "none";
}

int CountCpus(const std::optional<std::string>& online, const std::optional<std::string>& allowed) {
  const std::optional<std::set<int>> online_set = online.has_value() ? ParseCpuList(*online) : std::nullopt;
  const std::optional<std::set<int>> allowed_set = allowed.has_value() ? ParseCpuList(*allowed) : std::nullopt;
  if (!online_set.has_value() || !allowed_set.has_value()) {
    return static_cast<int>(online_set.value_or(allowed_set.value_or(std::set<int>())).size());
  }
  return static_cast<int>(
      std::count_if(allowed_set->begin(), allowed_set->end(), [&](int cpu) { return online_set->count(cpu) > 0; }));
}

// "16326148 kB"
int64_t MemoryBytes(const std::string& root) {
  const std::string text = ReadText(absl::StrCat(root, "/proc/meminfo")).value_or("");
  const std::string total = FindValue(text, "MemTotal", ':').value_or("");
  int64_t kilobytes = 0;
  return absl::SimpleAtoi(total.substr(0, total.find(' ')), &kilobytes) ? kilobytes * 1024 : 0;
}

std::string Architecture() {
  utsname names;
  return uname(&names) == 0 ? names.machine : kUnknown;
}

}  // namespace

HostFacts ReadHostFacts(const std::string& root) {
  const std::string cpuinfo = ReadText(absl::StrCat(root, "/proc/cpuinfo")).value_or("");
  const std::string status = ReadText(absl::StrCat(root, "/proc/self/status")).value_or("");
  const std::optional<std::string> online = ReadText(absl::StrCat(root, "/sys/devices/system/cpu/online"));
  const std::optional<std::string> allowed = FindValue(status, "Cpus_allowed_list", ':');
  HostFacts facts;
  facts.boot_id = ReadText(absl::StrCat(root, "/proc/sys/kernel/random/boot_id")).value_or("");
  facts.cpus = CountCpus(online, allowed);
  facts.memory_bytes = MemoryBytes(root);
  facts.arch = Architecture();
  facts.host_key =
      MakeKey("hk1", {
                         {"cpu_model", CpuModel(cpuinfo)},
                         {"microcode", FindValue(cpuinfo, "microcode", ':').value_or(kUnknown)},
                         {"cpus_online", online.value_or(kUnknown)},
                         {"smt", Smt(root)},
                         {"governor", Governors(root)},
                         {"boost", Boost(root)},
                         {"kernel", ReadText(absl::StrCat(root, "/proc/sys/kernel/osrelease")).value_or(kUnknown)},
                         {"virtualization", Virtualization(root, cpuinfo)},
                         {"cpuset", allowed.value_or(kUnknown)},
                         {"cpu_quota", CpuQuota(root)},
                     });
  return facts;
}

double EffectiveCpus(const HostFacts& facts) {
  const double cpus = std::max(facts.cpus, 1);
  const auto quota = facts.host_key.parts.find("cpu_quota");
  double quota_cpus = 0;
  // "none" and "unknown" are no numbers, and bound nothing.
  if (quota == facts.host_key.parts.end() || !absl::SimpleAtod(quota->second, &quota_cpus)) return cpus;
  return std::min(cpus, std::max(quota_cpus, kLeastQuotaCpus));
}

Key MakeKey(absl::string_view prefix, std::map<std::string, std::string> parts) {
  std::string text;
  for (const auto& [name, value] : parts) absl::StrAppend(&text, name, "=", value, "\n");
  return Key{absl::StrCat(prefix, ":", Sha256Hex(text)), std::move(parts)};
}

}  // namespace benchfleet
