// Values with every field set to something of its own, for round trips.
#ifndef BENCHFLEET_TESTS_COMMON_WIRE_EXAMPLES_H_
#define BENCHFLEET_TESTS_COMMON_WIRE_EXAMPLES_H_

#include "common/model/host.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

inline RunPlan ExamplePlan() {
  return {.suite = "wake",
          .suite_version = 3,
          .seed = 0xFEDCBA9876543210,
          .schedule = Schedule::kWilliams,
          .warmup_rounds = 2,
          .rounds = 18,
          .cases = {{.case_path = "epoll/frame.ready",
                     .variants = {"socket", "lookup", "counted"},
                     .iterations = 4096,
                     .batches = 21,
                     .subject_key = {"sk1:aa", {{"suite_version", "1"}}},
                     .usable_cpus = 1.5},
                    {.case_path = "asyncio@3.11.2/frame.ready",
                     .variants = {"lookup", "socket"},
                     .iterations = 256,
                     .batches = 5,
                     .subject_key = {"sk1:bb", {{"version", "3.11.2"}, {"digest", "d"}}}}},
          .comparisons = {{.kind = "variant",
                           .base = {"epoll/frame.ready", "lookup"},
                           .contender = {"asyncio@3.11.2/frame.ready", "socket"},
                           .measure = "cpu"}},
          .margin = 0.03,
          .level = 0.99,
          .round_timeout = absl::Seconds(61),
          .budget = absl::Seconds(181),
          .expected_round = absl::Milliseconds(1234),
          .host_key = {"hk1:cc", {{"cpu_model", "Model \xC2\xB5"}, {"kernel", "6.1"}}},
          .clock = {.read_median_ns = 49, .read_min_ns = 25, .step_ns = 1, .clock_source = "tsc"},
          .capabilities = {{.compiler = "gcc",
                            .version = "12.2.0",
                            .mode = "link",
                            .probe = "c23_nullptr",
                            .outcome = CompileOutcome::kRefused}}};
}

inline Sample ExampleSample() {
  return {
      .arm = {"epoll/frame.ready", "counted"},
      .slot = 2,
      .iterations = 4096,
      .batch_ns = {300, 0, 200},
      .counters = {{"lookups", 12}, {"socket_bytes", 0}},
      .outcome = SampleOutcome::kSignalled,
      .failure = "killed by signal 9",
      .output = "line 1\nline 2\n",
      .usage = {.user_ns = 1, .system_ns = 2, .voluntary_switches = 3, .involuntary_switches = 4, .max_rss_bytes = 5},
      .elapsed = absl::Nanoseconds(600'000'001),
      .measures_ns = {{"cpu", 7}, {"launch", 0}}};
}

inline Round ExampleRound() {
  return {.index = 7,
          .warmup = true,
          .start_time = absl::FromUnixNanos(1'700'000'000'123'456'789),
          .before = {.load1 = 0.0, .steal_ns = 0, .cpu_pressure_ns = 3},
          .after = {.load1 = 1.25, .throttled_periods = 4, .suspended_ns = 5},
          .samples = {ExampleSample(), ExampleSample()}};
}

inline HostFacts ExampleHostFacts() {
  return {.boot_id = "7b9e3c1e-0000-4000-8000-000000000001",
          .host_key = {"hk1:cc", {{"kernel", "6.1"}}},
          .interpreters = {{"/usr/bin/python3.11", "3.11.2", "ab"}, {"/opt/python3.12", "3.12.1", "cd"}},
          .cpus = 8,
          .memory_bytes = 1'000'000,
          .suites = {"wake"},
          .arch = "x86_64",
          .compilers = {{.name = "gcc",
                         .version = "12.2.0",
                         .language = "c",
                         .path = "/usr/bin/x86_64-linux-gnu-gcc-12",
                         .digest = "ef",
                         .target = "x86_64-linux-gnu",
                         .version_text = "gcc (Debian) 12.2.0",
                         .stage_digests = {{"as", "01"}, {"cc1", "02"}}}}};
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_COMMON_WIRE_EXAMPLES_H_
