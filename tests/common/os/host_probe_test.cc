#include "common/os/host_probe.h"

#include <unistd.h>

#include <string>

#include "common/os/digest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::Each;
using ::testing::Pair;

TEST(ProcHostProbe, WhatIsAbsentIsUnknown) {
  const TempFolder root;
  const HostState state = ProcHostProbe(root.path()).ReadState();
  EXPECT_EQ(state.load1, std::nullopt);
  EXPECT_EQ(state.steal_ns, std::nullopt);
  EXPECT_EQ(state.cpu_pressure_ns, std::nullopt);
  EXPECT_EQ(state.throttled_periods, std::nullopt);
  const HostFacts facts = ReadHostFacts(root.path());
  EXPECT_EQ(facts.boot_id, "");
  EXPECT_EQ(facts.cpus, 0);
  EXPECT_EQ(facts.memory_bytes, 0);
  EXPECT_EQ(facts.host_key.parts.size(), 10u);
  EXPECT_THAT(facts.host_key.parts, Each(Pair(::testing::_, "unknown")));
}

TEST(ProcHostProbe, WhatIsNoNumberIsUnknown) {
  const TempFolder root;
  root.Write("proc/loadavg", "busy\n");
  root.Write("proc/stat", "cpu  1 2 3\n");
  root.Write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=lots\n");
  const HostState state = ProcHostProbe(root.path()).ReadState();
  EXPECT_EQ(state.load1, std::nullopt);
  EXPECT_EQ(state.steal_ns, std::nullopt);
  EXPECT_EQ(state.cpu_pressure_ns, std::nullopt);
}

TEST(ProcHostProbe, ReadsSignalsInNanoseconds) {
  const TempFolder root;
  root.Write("proc/loadavg", "0.75 0.50 0.25 1/100 4242\n");
  root.Write("proc/stat", "cpu  16790 0 5464 233202 2449 0 137 337 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  root.Write("proc/pressure/cpu",
             "some avg10=0.00 avg60=0.22 avg300=2.88 total=44200903\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
  const HostState state = ProcHostProbe(root.path()).ReadState();
  EXPECT_EQ(state.load1, 0.75);
  EXPECT_EQ(state.steal_ns, 337 * (1'000'000'000 / ::sysconf(_SC_CLK_TCK)));
  EXPECT_EQ(state.cpu_pressure_ns, 44'200'903'000);
  EXPECT_GE(state.suspended_ns.value(), 0);
}

// A quota and its throttling, wherever in the hierarchy they are.
struct CgroupCase {
  const char* name;
  std::vector<std::pair<std::string, std::string>> files;
  std::string quota;
  std::optional<int64_t> throttled;
};

class CgroupTest : public testing::TestWithParam<CgroupCase> {};

TEST_P(CgroupTest, QuotaAndThrottling) {
  const TempFolder root;
  for (const auto& [name, content] : GetParam().files) root.Write(name, content);
  EXPECT_EQ(ReadHostFacts(root.path()).host_key.parts.at("cpu_quota"), GetParam().quota);
  EXPECT_EQ(ProcHostProbe(root.path()).ReadState().throttled_periods, GetParam().throttled);
}

INSTANTIATE_TEST_SUITE_P(
    All, CgroupTest,
    testing::ValuesIn<CgroupCase>({
        {"V2Own",
         {{"proc/self/cgroup", "0::/pod/box\n"},
          {"sys/fs/cgroup/pod/box/cpu.max", "50000 100000\n"},
          {"sys/fs/cgroup/pod/box/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 4\n"},
          {"sys/fs/cgroup/cpu.stat", "usage_usec 5\n"}},
         "0.5",
         4},
        {"V2TheParentIsTighter",
         {{"proc/self/cgroup", "0::/pod/box\n"},
          {"sys/fs/cgroup/pod/box/cpu.max", "max 100000\n"},
          {"sys/fs/cgroup/pod/box/cpu.stat", "nr_throttled 4\n"},
          {"sys/fs/cgroup/pod/cpu.max", "150000 100000\n"},
          {"sys/fs/cgroup/pod/cpu.stat", "nr_throttled 3\n"}},
         "1.5",
         7},
        {"V2Top", {{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.stat", "usage_usec 5\n"}}, "none", std::nullopt},
        {"V2Namespace",
         {{"proc/self/cgroup", "0::/\n"},
          {"sys/fs/cgroup/cpu.max", "200000 100000\n"},
          {"sys/fs/cgroup/cpu.stat", "nr_throttled 0\n"}},
         "2",
         0},
        {"V1",
         {{"proc/self/cgroup", "9:name=systemd:/x\n4:cpu,cpuacct:/docker/id\n0::/\n"},
          {"sys/fs/cgroup/cpu/docker/id/cpu.cfs_quota_us", "25000\n"},
          {"sys/fs/cgroup/cpu/docker/id/cpu.cfs_period_us", "100000\n"},
          {"sys/fs/cgroup/cpu/docker/id/cpu.stat", "nr_periods 0\nnr_throttled 2\nthrottled_time 9\n"}},
         "0.25",
         2},
        {"V1SeenFromInsideAContainer",
         {{"proc/self/cgroup", "4:cpu:/docker/id\n"},
          {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
          {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
          {"sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 1\n"}},
         "none",
         1},
        {"Broken",
         {{"proc/self/cgroup", "4:cpu:/\n"},
          {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "much\n"},
          {"sys/fs/cgroup/cpu/cpu.stat", "nr_throttled often\n"}},
         "unknown",
         std::nullopt},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ReadHostFacts, ReadsWhatTheHostIs) {
  const TempFolder root;
  root.Write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: AMD EPYC\nmicrocode\t: 0x1000065\nflags\t\t: fpu hypervisor lm\n\n"
             "processor\t: 1\nmodel name\t: Other\n");
  root.Write("proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t1-2,7\n");
  root.Write("proc/meminfo", "MemTotal:       16326148 kB\nMemFree: 1 kB\n");
  root.Write("proc/sys/kernel/random/boot_id", "0b1c-boot\n");
  root.Write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  root.Write("sys/devices/system/cpu/online", "0-3\n");
  root.Write("sys/devices/system/cpu/smt/active", "1\n");
  root.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.Write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  root.Write("sys/devices/system/cpu/cpu10/cpufreq/scaling_governor", "performance\n");
  root.Write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  root.Write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.Write(".dockerenv", "");
  const HostFacts facts = ReadHostFacts(root.path());
  EXPECT_EQ(facts.boot_id, "0b1c-boot");
  EXPECT_EQ(facts.cpus, 2);  // 1 and 2; 7 is not online
  EXPECT_EQ(facts.memory_bytes, int64_t{16'326'148} * 1024);
  const std::map<std::string, std::string> want = {{"cpu_model", "AMD EPYC"},
                                                   {"microcode", "0x1000065"},
                                                   {"cpus_online", "0-3"},
                                                   {"smt", "on"},
                                                   {"governor", "performance,powersave"},
                                                   {"boost", "off"},
                                                   {"kernel", "6.1.0-18-amd64"},
                                                   {"virtualization", "vm QEMU, container"},
                                                   {"cpuset", "1-2,7"},
                                                   {"cpu_quota", "unknown"}};
  EXPECT_EQ(facts.host_key.parts, want);
  EXPECT_EQ(facts.host_key, MakeKey("hk1", want));
}

TEST(ReadHostFacts, NamesAnArmCpuByItsNumbers) {
  const TempFolder root;
  root.Write("proc/cpuinfo", "CPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n");
  EXPECT_EQ(ReadHostFacts(root.path()).host_key.parts.at("cpu_model"), "implementer 0x41 part 0xd0c variant 0x3");
}

TEST(ReadHostFacts, OfTheRealHostTwiceIsTheSame) {
  const HostFacts facts = ReadHostFacts();
  EXPECT_EQ(facts, ReadHostFacts());
  EXPECT_EQ(facts.boot_id.size(), 36u);
  EXPECT_GE(facts.cpus, 1);
  EXPECT_GT(facts.memory_bytes, 1 << 20);
  EXPECT_NE(facts.arch, "");
}

TEST(MakeKey, IsTheDigestOfTheSortedParts) {
  const Key key = MakeKey("sk1", {{"b", "2"}, {"a", "1"}});
  EXPECT_EQ(key.digest, "sk1:" + Sha256Hex("a=1\nb=2\n"));
  EXPECT_EQ(key.parts.at("b"), "2");
  EXPECT_NE(key.digest, MakeKey("sk1", {{"b", "2"}, {"a", "2"}}).digest);
}

TEST(MeasureClock, FiguresAreConsistent) {
  const ClockFacts facts = MeasureClock();
  EXPECT_GE(facts.read_min_ns, 0);
  EXPECT_LE(facts.read_min_ns, facts.read_median_ns);
  EXPECT_GT(facts.step_ns, 0);
  EXPECT_FALSE(facts.clock_source.empty());
}

struct EffectiveCpusCase {
  const char* name;
  int cpus;
  const char* quota;
  double want;
};

class EffectiveCpusTest : public testing::TestWithParam<EffectiveCpusCase> {};

TEST_P(EffectiveCpusTest, IsTheSmallerOfCpusAndQuota) {
  HostFacts facts;
  facts.cpus = GetParam().cpus;
  facts.host_key.parts["cpu_quota"] = GetParam().quota;
  EXPECT_EQ(EffectiveCpus(facts), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, EffectiveCpusTest,
                         testing::ValuesIn<EffectiveCpusCase>({
                             {"NoQuota", 2, "none", 2},
                             {"UnknownQuota", 2, "unknown", 2},
                             {"QuotaBelow", 2, "0.5", 0.5},
                             {"QuotaAbove", 2, "2.5", 2},
                             {"NoTimeAtAll", 2, "0", 0.001},
                             {"LeastQuota", 2, "0.001", 0.001},
                             {"UnknownCpus", 0, "none", 1},
                             {"UnknownCpusWithQuota", 0, "0.25", 0.25},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(EffectiveCpus, AHostKeyWithoutQuotaBoundsNothing) {
  HostFacts facts;
  facts.cpus = 4;
  EXPECT_EQ(EffectiveCpus(facts), 4);
}

}  // namespace
}  // namespace benchfleet
