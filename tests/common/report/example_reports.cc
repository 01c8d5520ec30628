#include "tests/common/report/example_reports.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/model/states.h"
#include "common/stats/order_statistics.h"
#include "common/stats/paired.h"

namespace benchfleet {
namespace {

constexpr double kLevel = 0.95;
constexpr double kMargin = 0.02;

// A number of rounds of one arm.
using Values = std::vector<double>;

class ReportMaker {
 public:
  ReportMaker(const char* suite, const char* project, int rounds) : rounds_(rounds) {
    v1::ReportJob& job = *report_.mutable_job();
    job.set_id("01933c5e-8a4f-7c21-9d3e-5b7f0a6c4d12");
    job.set_suite(suite);
    job.set_project(project);
    job.set_state("succeeded");
    job.set_commit("4f1c2a9be07d");
    job.set_branch("main");
    (*job.mutable_labels())["pr"] = "17";
    (*job.mutable_labels())["trigger"] = "nightly";
    job.set_create_time("2026-02-17T09:30:00Z");
    v1::ReportRun& run = *report_.add_runs();
    run.set_id(job.id() + "/0");
    run.set_host("lab-1");
    run.set_host_key("hk1:9c4be1c1d67e9f2f0a3d5b8e7c6a4f10");
    run.set_state("succeeded");
    run.set_attempts(1);
    run.set_rounds(rounds);
    run.set_schedule("random");
    run.set_seed("15742305981177092864");
    run.set_suite_version(1);
    run.set_load1_min(0.12);
    run.set_load1_max(0.94);
    run.set_steal_ratio(0.0004);
    for (const auto& [name, value] : std::map<std::string, std::string>{{"boost", "off"},
                                                                        {"cpu_model", "Example CPU @ 2.20GHz"},
                                                                        {"cpus_online", "0-3"},
                                                                        {"governor", "performance"},
                                                                        {"kernel", "6.1.0-28-amd64"},
                                                                        {"microcode", "0x2007006"},
                                                                        {"smt", "on"},
                                                                        {"virtualisation", "kvm"}}) {
      (*run.mutable_host_facts())[name] = value;
    }
  }

  // Rounds around `typical`, a few of them disturbed, the host a little slower with time.
  Values Draw(double typical, double noise) {
    Values values;
    std::normal_distribution<double> normal(0, noise);
    for (int round = 0; round < rounds_; ++round) {
      const double drift = 1 + 0.4 * noise * round / rounds_;
      const double disturbed = random_() % 40 == 0 ? 1.25 : 1;
      values.push_back(typical * drift * disturbed * std::exp(normal(random_)));
    }
    return values;
  }

  v1::Summary& AddSummary(const std::string& case_path, const std::string& variant, const char* measure,
                          const char* unit, const Values& values) {
    Values sorted = values;
    std::sort(sorted.begin(), sorted.end());
    v1::Summary& summary = *report_.add_summaries();
    summary.set_run_id(report_.runs(0).id());
    summary.set_host("lab-1");
    summary.set_case_(case_path);
    summary.set_variant(variant);
    summary.set_measure(measure);
    summary.set_unit(unit);
    summary.set_rounds(rounds_);
    summary.set_median(Median(sorted));
    if (const std::optional<Interval> interval = MedianInterval(sorted, kLevel)) {
      summary.set_median_lower(interval->lower);
      summary.set_median_upper(interval->upper);
    }
    summary.set_min(sorted.front());
    summary.set_max(sorted.back());
    for (int round = 0; round < rounds_; ++round) {
      summary.add_round_values(values[round]);
      summary.add_round_indices(round + 1);
    }
    if (std::string(measure) == "wall") walls_[{case_path, variant}] = values;
    return summary;
  }

  void Compare(const char* kind, const Arm& base, const Arm& contender) {
    const Comparison paired = *ComparePaired(walls_.at({base.case_path, base.variant}),
                                             walls_.at({contender.case_path, contender.variant}), kLevel, kMargin);
    v1::Comparison& comparison = *report_.add_comparisons();
    comparison.set_run_id(report_.runs(0).id());
    comparison.set_host("lab-1");
    comparison.set_kind(kind);
    comparison.mutable_base()->set_case_(base.case_path);
    comparison.mutable_base()->set_variant(base.variant);
    comparison.mutable_contender()->set_case_(contender.case_path);
    comparison.mutable_contender()->set_variant(contender.variant);
    comparison.set_measure("wall");
    comparison.set_rounds(rounds_);
    comparison.set_ratio(*paired.ratio);
    if (paired.ratio_interval.has_value()) {
      comparison.set_ratio_lower(paired.ratio_interval->lower);
      comparison.set_ratio_upper(paired.ratio_interval->upper);
    }
    comparison.set_level(kLevel);
    comparison.set_margin(kMargin);
    comparison.set_verdict(std::string(Word(paired.verdict)));
    for (const std::string& note : paired.notes) comparison.add_notes(note);
  }

  void AddSubject(const std::string& name, const std::map<std::string, std::string>& parts) {
    v1::ReportSubject& subject = *report_.mutable_runs(0)->add_subjects();
    subject.set_name(name);
    subject.set_digest("sk1:5d8a60c2f1be49d7a0c3e5f7b9d1a2c4");
    for (const auto& [key, value] : parts) (*subject.mutable_parts())[key] = value;
  }

  v1::Report& report() { return report_; }

 private:
  const int rounds_;
  std::mt19937_64 random_{20260217};
  v1::Report report_;
  std::map<std::pair<std::string, std::string>, Values> walls_;
};

void AddCapabilities(ReportMaker& maker, const std::string& compiler, const std::string& version) {
  const std::array<const char*, 12> probes = {"f77continuation", "f90module",    "f95forall",    "f2003abstract",
                                              "f2003iso_c",      "f2008block",   "f2008coarray", "f2008submodule",
                                              "f2018team",       "f2018dotsize", "f2023enum",    "openmp"};
  for (const char* mode : {"link", "compile"}) {
    for (size_t i = 0; i < probes.size(); ++i) {
      v1::ReportCapability& capability = *maker.report().add_capabilities();
      capability.set_run_id(maker.report().runs(0).id());
      capability.set_host("lab-1");
      capability.set_compiler(compiler);
      capability.set_version(version);
      capability.set_mode(mode);
      capability.set_probe(probes[i]);
      const bool crashes = i == 8 && compiler == "gfortran";
      const bool refused = i == 10 || (i >= 6 && compiler == "flang" && i % 2 == 0) ||
                           (i == 6 && compiler == "gfortran" && std::string(mode) == "link");
      capability.set_outcome(crashes ? "crashed" : refused ? "refused" : "accepted");
    }
  }
}

}  // namespace

v1::Report ExampleWakeReport() {
  ReportMaker maker("wake", "demo", 18);
  struct Typical {
    const char* name;
    std::array<double, 3> nanoseconds;  // socket, lookup, counted
  };
  const std::array<Typical, 4> cases = {{{"handle_call.in_loop", {412, 131, 96}},
                                         {"handle_call.outside_loop", {418, 133, 97}},
                                         {"frame.ready", {80.2, 101, 101.3}},
                                         {"frame.woken.same_thread", {1480, 466, 452}}}};
  const std::array<const char*, 3> variants = {"socket", "lookup", "counted"};
  double slowness = 1;
  for (const std::string loop : {"epoll", "asyncio@3.9.2", "asyncio@3.11.2", "asyncio@3.12.7", "asyncio@3.13.1"}) {
    for (const Typical& typical : cases) {
      const std::string path = absl::StrCat(loop, "/", typical.name);
      for (size_t i = 0; i < variants.size(); ++i) {
        const double noise = loop == "epoll" ? 0.008 : 0.02;
        const Values values = maker.Draw(typical.nanoseconds[i] * slowness * 1e-9, noise);
        auto& counters = *maker.AddSummary(path, variants[i], "wall", "seconds", values).mutable_counters();
        counters["lookups"] = i == 1 ? 2 : i == 2 ? 1.0 / 3 : 0;
        counters["socket_bytes_written"] = i == 0 ? 1 : 0;
        counters["direct_wakes"] = i == 0 ? 0 : 1;
        counters["parks"] = 1;
      }
      for (const char* contender : {"socket", "counted"}) maker.Compare("variant", {path, "lookup"}, {path, contender});
    }
    maker.Compare("in_loop_against_outside", {loop + "/handle_call.outside_loop", "lookup"},
                  {loop + "/handle_call.in_loop", "lookup"});
    maker.AddSubject(loop, {{"suite_version", "1"}, {"sha256", "0f3c8d7e6b5a49382716f5e4d3c2b1a0"}});
    slowness = slowness == 1 ? 9.5 : slowness * 0.88;
  }
  maker.report().mutable_runs(0)->set_failed_samples(1);
  maker.report().mutable_runs(0)->add_failures(
      "round 7: asyncio@3.12.7/frame.ready socket: broken_promise: counter lookups is 3, promised is 0");
  return maker.report();
}

v1::Report ExampleCompileReport() {
  ReportMaker maker("compile", "fortran-probes", 9);
  struct Strategy {
    const char* name;
    double factor;  // of the pass, against threads
    double overhead_seconds;
  };
  const std::array<Strategy, 10> strategies = {{{"serial", 3.1, 0.011},
                                                {"threads", 1, 0.019},
                                                {"processes", 1.008, 0.031},
                                                {"event_loop", 0.967, 0.012},
                                                {"asyncio@3.11.2", 1.09, 0.142},
                                                {"thread_pool_executor@3.11.2", 1.06, 0.117},
                                                {"process_pool_executor@3.11.2", 1.21, 0.334},
                                                {"asyncio@3.13.1", 1.07, 0.121},
                                                {"thread_pool_executor@3.13.1", 1.045, 0.108},
                                                {"process_pool_executor@3.13.1", 1.19, 0.301}}};
  for (const auto& [compiler, version, seconds] :
       {std::tuple("gfortran", "12.2.0", 0.92), std::tuple("flang", "19.1.7", 2.35)}) {
    for (const char* mode : {"link", "compile"}) {
      const double pass = std::string(mode) == "link" ? seconds : seconds * 0.62;
      const std::string path = absl::StrCat(compiler, "@", version, "/", mode, "/j4");
      for (const Strategy& strategy : strategies) {
        const double wall = pass * strategy.factor;
        auto& counters =
            *maker.AddSummary(path, strategy.name, "wall", "seconds", maker.Draw(wall, 0.012)).mutable_counters();
        counters["compiles"] = 12;
        counters["peak_children"] = strategy.factor > 2 ? 1 : 4;
        counters["accepted"] = 10;
        maker.AddSummary(path, strategy.name, "cpu", "seconds", maker.Draw(pass * 3 + strategy.overhead_seconds, 0.01));
        maker.AddSummary(path, strategy.name, "overhead", "seconds", maker.Draw(strategy.overhead_seconds, 0.03));
        maker.AddSummary(path, strategy.name, "launch", "seconds", maker.Draw(strategy.overhead_seconds / 30, 0.05));
        maker.AddSummary(path, strategy.name, "longest", "seconds", maker.Draw(pass * 0.41, 0.02));
        maker.AddSummary(path, strategy.name, "efficiency", "ratio", maker.Draw(0.93 / strategy.factor, 0.01));
      }
      for (const Strategy& strategy : strategies) {
        const std::string name = strategy.name;
        if (name != "threads") maker.Compare("variant", {path, "threads"}, {path, name});
      }
      for (const Strategy& strategy : strategies) {
        const std::string name = strategy.name;
        if (name != "serial") maker.Compare("variant", {path, "serial"}, {path, name});
      }
    }
    AddCapabilities(maker, compiler, version);
    maker.AddSubject(absl::StrCat(compiler, "@", version), {{"path", absl::StrCat("/usr/bin/", compiler)},
                                                            {"target", "x86_64-linux-gnu"},
                                                            {"sha256", "c1d67e9f2f0a3d5b8e7c6a4f109c4be1"}});
  }
  return maker.report();
}

v1::Report ExampleLargeReport(int cases, int arms, int rounds) {
  ReportMaker maker("wake", "large", rounds);
  for (int c = 0; c < cases; ++c) {
    const std::string path = absl::StrCat("epoll/case", c);
    for (int arm = 0; arm < arms; ++arm) {
      maker.AddSummary(path, absl::StrCat("variant", arm), "wall", "seconds", maker.Draw(1e-6 * (1 + arm % 3), 0.01));
      if (arm > 0) maker.Compare("variant", {path, "variant0"}, {path, absl::StrCat("variant", arm)});
    }
  }
  return maker.report();
}

}  // namespace benchfleet
