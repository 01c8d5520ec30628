// Small reports whose texts the tests know.
#ifndef BENCHFLEET_TESTS_COMMON_REPORT_EXAMPLES_H_
#define BENCHFLEET_TESTS_COMMON_REPORT_EXAMPLES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/report/report_builder.h"
#include "common/wire/job_spec_wire.h"

namespace benchfleet {

inline constexpr char kReady[] = "epoll/frame.ready";
inline constexpr char kWoken[] = "asyncio@3.11.2/frame.woken.same_thread";

inline ReportJobInput ExampleJob() {
  v1::JobSpec proto;
  proto.set_commit("abc123");
  proto.set_branch("main");
  (*proto.mutable_labels())["pr"] = "17";
  proto.mutable_wake();
  return {.id = "local",
          .spec = *ParseJobSpec(proto),
          .state = JobState::kSucceeded,
          .create_time = absl::FromUnixSeconds(1'700'000'000)};
}

inline RunPlan ExamplePlan() {
  RunPlan plan;
  plan.suite = "wake";
  plan.seed = 42;
  plan.schedule = Schedule::kRandom;
  plan.rounds = 9;
  plan.margin = 0.02;
  plan.host_key = {"hk1:ab", {{"cpu_model", "Example CPU @ 2.20GHz"}, {"kernel", "6.1.0"}, {"cpus_online", "0-2,7"}}};
  return plan;
}

inline Summary MakeSummary(const char* case_path, const char* variant, double median, double min, double max,
                           std::map<std::string, double> counters) {
  return {.arm = {case_path, variant},
          .measure = "wall",
          .unit = "seconds",
          .rounds = 9,
          .median = median,
          .median_interval = Interval{min, max},
          .min = min,
          .max = max,
          .counters = std::move(counters)};
}

inline RunFigures ExampleFigures() {
  RunFigures figures;
  figures.rounds = 9;
  figures.failed_samples = 1;
  figures.summaries = {
      MakeSummary(kReady, "socket", 80.25e-9, 79.9e-9, 84e-9, {{"lookups", 0}, {"direct_wakes", 0}}),
      MakeSummary(kReady, "lookup", 101e-9, 99.96e-9, 1.04e-7, {{"lookups", 2}, {"direct_wakes", 0}}),
      MakeSummary(kWoken, "socket", 4.2e-6, 4.1e-6, 1.23456e-5, {{"socket_bytes_written", 1.0 / 3}, {"lookups", 0}}),
      MakeSummary(kWoken, "lookup", 9.5e-7, 9.2e-7, 9.9e-7, {{"socket_bytes_written", 0}, {"lookups", 1}})};
  figures.comparisons = {{.kind = "variant",
                          .base = {kReady, "lookup"},
                          .contender = {kReady, "socket"},
                          .measure = "wall",
                          .rounds = 9,
                          .ratio = 0.795,
                          .ratio_interval = Interval{0.781, 0.812},
                          .level = 0.95,
                          .verdict = Verdict::kFaster},
                         {.kind = "variant",
                          .base = {kWoken, "lookup"},
                          .contender = {kWoken, "socket"},
                          .measure = "wall",
                          .rounds = 9,
                          .ratio = 4.42,
                          .ratio_interval = Interval{4.3, 12.5},
                          .level = 0.95,
                          .verdict = Verdict::kSlower},
                         {.kind = "in_loop_against_outside",
                          .base = {"asyncio@3.11.2/frame.ready", "lookup"},
                          .contender = {kWoken, "lookup"},
                          .measure = "wall",
                          .rounds = 4,
                          .ratio = 1.001,
                          .level = 0.95,
                          .verdict = Verdict::kInconclusive,
                          .notes = {"too_few_rounds"}},
                         {.kind = "other",
                          .base = {"asyncio@3.11.2/frame.ready", "lookup"},
                          .contender = {kReady, "counted"},
                          .measure = "wall",
                          .level = 0.95,
                          .verdict = Verdict::kInconclusive,
                          .notes = {"no_common_round"}}};
  return figures;
}

inline ReportRunInput ExampleRun() {
  return {.id = "local/0",
          .host = "lab-1",
          .state = RunState::kSucceeded,
          .attempts = 1,
          .plan = ExamplePlan(),
          .figures = ExampleFigures(),
          .rounds = {.load1_min = 0.125,
                     .load1_max = 0.5,
                     .steal_ratio = 0.0,
                     .failures = {"round 3: epoll/frame.ready socket: timed_out: after 60 s"}}};
}

inline v1::Report ExampleReport() { return BuildReport(ExampleJob(), {ExampleRun()}); }

// One operation of it is a pass: all probes, compiled once.
inline Summary PassSummary(const Arm& arm, const char* measure, const char* unit, double median,
                           std::map<std::string, double> counters) {
  return {.arm = arm,
          .measure = measure,
          .unit = unit,
          .rounds = 9,
          .median = median,
          .min = median * 0.95,
          .max = median * 1.1,
          .counters = std::move(counters)};
}

// All measures of one arm whose pass took `wall` seconds.
inline void AddPass(const Arm& arm, double wall, double peak, std::vector<Summary>& summaries) {
  const std::map<std::string, double> counters = {
      {"compiles", 4}, {"accepted", 2}, {"refused", 2}, {"peak_children", peak}};
  summaries.push_back(PassSummary(arm, "wall", "seconds", wall, counters));
  summaries.push_back(PassSummary(arm, "cpu", "seconds", 1.5, counters));
  summaries.push_back(PassSummary(arm, "overhead", "seconds", 0.0125 / peak, counters));
  summaries.push_back(PassSummary(arm, "launch", "seconds", 0.000512, counters));
  summaries.push_back(PassSummary(arm, "longest", "seconds", 0.0941, counters));
  summaries.push_back(PassSummary(arm, "runner_cpu", "seconds", 0.002, counters));
  summaries.push_back(PassSummary(arm, "efficiency", "ratio", 0.75 / wall, counters));
}

inline Comparison PassComparison(const std::string& path, const char* base, const char* contender, double ratio,
                                 Verdict verdict) {
  return {.kind = "variant",
          .base = {path, base},
          .contender = {path, contender},
          .measure = "wall",
          .rounds = 9,
          .ratio = ratio,
          .ratio_interval = Interval{ratio * 0.98, ratio * 1.03},
          .level = 0.95,
          .verdict = verdict};
}

// Two compilers, two modes, three strategies.
inline ReportRunInput CompileRun() {
  RunPlan plan = ExamplePlan();
  plan.suite = "compile";
  plan.suite_version = 3;
  RunFigures figures;
  figures.rounds = 9;
  for (const char* compiler : {"gfortran", "flang"}) {
    const bool is_flang = compiler == std::string("flang");
    for (const char* mode : {"compile", "link"}) {
      const bool is_link = mode == std::string("link");
      const std::string path = absl::StrCat(compiler, is_flang ? "@19.1.7/" : "@12.2.0/", mode, "/j2");
      plan.cases.push_back({path, {"serial", "threads", "event_loop"}, 1, 1, {}});
      plan.cases.back().subject_key = {absl::StrCat("sk1:", compiler), {{"target", "x86_64-linux-gnu"}}};
      const double wall = (is_flang ? 2 : 1) * (is_link ? 1.6 : 0.79);
      AddPass({path, "serial"}, wall, 1, figures.summaries);
      AddPass({path, "threads"}, wall / 2, 2, figures.summaries);
      AddPass({path, "event_loop"}, wall / 1.9, 2, figures.summaries);
      figures.comparisons.push_back(PassComparison(path, "threads", "serial", 2, Verdict::kSlower));
      figures.comparisons.push_back(PassComparison(path, "threads", "event_loop", 1.053, Verdict::kInconclusive));
      figures.comparisons.push_back(PassComparison(path, "serial", "threads", 0.5, Verdict::kFaster));
      figures.comparisons.push_back(PassComparison(path, "serial", "event_loop", 0.526, Verdict::kFaster));
      for (const char* probe : {"minimal", "f2023sinpi", "f2003pdt", "neg_link", "neg_syntax"}) {
        const std::string name = probe;
        const bool only_compiles = name == "f2023sinpi" || name == "neg_link";
        CompileOutcome outcome = CompileOutcome::kAccepted;
        if (name == "neg_syntax" || (only_compiles && is_link)) outcome = CompileOutcome::kRefused;
        if (name == "f2003pdt" && is_flang) outcome = CompileOutcome::kCrashed;
        plan.capabilities.push_back({compiler, is_flang ? "19.1.7" : "12.2.0", mode, name, outcome});
      }
    }
  }
  return {.id = "local/0",
          .host = "lab-1",
          .state = RunState::kSucceeded,
          .attempts = 1,
          .plan = std::move(plan),
          .figures = std::move(figures)};
}

inline v1::Report CompileReport() {
  ReportJobInput job = ExampleJob();
  job.spec.suite = CompileSpec();
  return BuildReport(job, {CompileRun()});
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_COMMON_REPORT_EXAMPLES_H_
