#include "server/metrics/process_metrics.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Pair;

std::map<std::string, double> Values(const ProcessCollector& collector) {
  std::map<std::string, double> values;
  for (const prometheus::MetricFamily& family : collector.Collect()) {
    const prometheus::ClientMetric& metric = family.metric.at(0);
    values[family.name] = family.type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value;
  }
  return values;
}

class ProcessCollectorTest : public ::testing::Test {
 protected:
  ProcessCollectorTest() { std::filesystem::create_directories(proc_ + "/self/fd"); }
  ~ProcessCollectorTest() override { std::filesystem::remove_all(proc_); }
  void Write(const std::string& file, const std::string& text) const { std::ofstream(proc_ + file) << text; }

  const std::string proc_ = ::testing::TempDir() + "benchfleet_proc_" + std::to_string(::getpid());
};

TEST_F(ProcessCollectorTest, ReadsEachField) {
  const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  Write("/self/stat",
        "42 (a) S (b c) S 1 42 42 0 -1 4194560 100 0 0 0 200 50 0 0 20 0 7 0 1000 123456 33 18446744073709551615 1\n");
  Write("/stat", "cpu  1 2 3\nbtime 1600000000\nprocesses 5\n");
  Write("/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
        "Max open files            1024                 4096                 files\n");
  Write("/self/fd/0", "");
  Write("/self/fd/1", "");
  std::map<std::string, double> values = Values(ProcessCollector({}, proc_));
  EXPECT_DOUBLE_EQ(values["process_cpu_seconds_total"], 250 / ticks);
  EXPECT_EQ(values["process_threads"], 7);
  EXPECT_EQ(values["process_virtual_memory_bytes"], 123456);
  EXPECT_EQ(values["process_resident_memory_bytes"], 33.0 * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  EXPECT_DOUBLE_EQ(values["process_start_time_seconds"], 1600000000 + 1000 / ticks);
  EXPECT_EQ(values["process_open_fds"], 2);
  EXPECT_EQ(values["process_max_fds"], 1024);
}

TEST_F(ProcessCollectorTest, WhatCannotBeReadIsAbsent) {
  std::filesystem::remove_all(proc_);
  EXPECT_THAT(Values(ProcessCollector({}, proc_)), ElementsAre(Key("benchfleet_build_info")));
}

TEST_F(ProcessCollectorTest, CutFilesAreNoFault) {
  Write("/self/stat", "42 (name) S 1 2");
  Write("/self/limits", "Max open files ");
  Write("/stat", "btime ");
  EXPECT_THAT(Values(ProcessCollector({}, proc_)),
              ElementsAre(Key("benchfleet_build_info"), Pair("process_open_fds", 0)));
}

TEST_F(ProcessCollectorTest, TheRealProcessHasThemAll) {
  std::map<std::string, double> values = Values(ProcessCollector({}));
  EXPECT_EQ(values.size(), 8u);
  EXPECT_GE(values["process_threads"], 1);
  EXPECT_GT(values["process_resident_memory_bytes"], 1 << 16);
  EXPECT_GE(values["process_open_fds"], 3);
  EXPECT_GT(values["process_start_time_seconds"], 1.6e9);
}

TEST_F(ProcessCollectorTest, SaysWhatItWasBuiltFrom) {
  const prometheus::MetricFamily build = ProcessCollector({"1.2.3", "abc", "GNU 12", "1.51.1"}).Collect().at(0);
  EXPECT_EQ(build.name, "benchfleet_build_info");
  using Label = prometheus::ClientMetric::Label;
  EXPECT_THAT(build.metric.at(0).label, ElementsAre(Label{"version", "1.2.3"}, Label{"revision", "abc"},
                                                    Label{"compiler", "GNU 12"}, Label{"grpc", "1.51.1"}));
}

}  // namespace
}  // namespace benchfleet
