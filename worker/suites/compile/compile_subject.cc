#include "worker/suites/compile/compile_subject.h"

#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/status_macros.h"
#include "common/os/digest.h"
#include "common/os/host_probe.h"
#include "worker/suites/compile/choices.h"
#include "worker/suites/compile/judgement.h"
#include "worker/suites/compile/pass.h"
#include "worker/suites/compile/scratch.h"

namespace benchfleet {

namespace {

// A compiler in one mode, and what it made of each probe.
struct Bench {
  Compiler compiler;
  std::string mode;
  Key subject_key;
  std::vector<CompileResult> reference;
};

std::string Title(const Compiler& compiler, absl::string_view mode) {
  return absl::StrCat(compiler.name, "@", compiler.version, "/", mode);
}

int64_t MaxDescriptors() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<int64_t>::max();
  }
  return static_cast<int64_t>(limit.rlim_cur);
}

// The parts that every case has: the programs that measure.
absl::StatusOr<std::map<std::string, std::string>> ProgramParts(const std::vector<ChosenStrategy>& strategies,
                                                                const CompilePrograms& programs) {
  std::map<std::string, std::string> parts = {{"suite_version", absl::StrCat(compile::kSuiteVersion)}};
  BF_ASSIGN_OR_RETURN(parts["pass_program_digest"], Sha256HexOfFile(programs.pass_program));
  for (const ChosenStrategy& strategy : strategies) {
    if (!strategy.interpreter.has_value()) continue;
    const Interpreter& interpreter = *strategy.interpreter;
    BF_ASSIGN_OR_RETURN(parts["driver_digest"], Sha256HexOfFile(programs.python_driver));
    // "asyncio@3.11.7+2" and its like share one interpreter, whose name is what follows the strategy's.
    parts[absl::StrCat("interpreter", strategy.variant.substr(strategy.name.size()))] = interpreter.digest;
  }
  return parts;
}

absl::StatusOr<Key> SubjectKey(std::map<std::string, std::string> parts, const Compiler& compiler,
                               const std::string& mode, const CompilePrograms& programs) {
  BF_ASSIGN_OR_RETURN(parts["probes_digest"], ProbeSetDigest(programs.probes_folder, compiler.language));
  parts["compiler"] = compiler.name;
  parts["compiler_version"] = compiler.version;
  parts["compiler_digest"] = compiler.digest;
  parts["version_text"] = compiler.version_text;
  parts["target"] = compiler.target;
  parts["language"] = compiler.language;
  parts["mode"] = mode;
  for (const auto& [stage, digest] : compiler.stage_digests) parts[absl::StrCat("stage_", stage)] = digest;
  return MakeKey("sk1", std::move(parts));
}

// What all passes of an attempt have in common.
struct Workplace {
  ProcessSpawner& spawner;
  CompilePrograms programs;
  std::string attempt_token;
  absl::Duration pass_timeout;
  std::unique_ptr<Scratch> scratch;

  PassOrder MakeOrder(const Compiler& compiler, const std::string& mode) const {
    PassOrder order;
    order.compiler = compiler;
    order.mode = mode;
    order.probes_folder = programs.probes_folder;
    order.attempt_token = attempt_token;
    return order;
  }
};

// Fills the reference of `bench`; kFailedPrecondition when the compiler is void in that mode.
absl::Status RunReferencePass(const Workplace& workplace, const std::atomic<bool>& cancelled, Bench* bench) {
  PassOrder order = workplace.MakeOrder(bench->compiler, bench->mode);
  order.program = {workplace.programs.pass_program};
  order.strategy = std::string(compile::kSerial);
  RunOptions options;
  options.timeout = workplace.pass_timeout;
  options.cancelled = &cancelled;
  BF_ASSIGN_OR_RETURN(PassResult pass, RunPass(order, *workplace.scratch, workplace.spawner, options));
  if (pass.process.cancelled) return absl::CancelledError("cancelled");
  BF_RETURN_IF_ERROR(CheckReference(pass, bench->compiler.language, bench->mode, options.timeout));
  bench->reference = std::move(pass.compiles);
  return absl::OkStatus();
}

class CompileSubject final : public Subject {
 public:
  CompileSubject(Workplace workplace, std::vector<Bench> benches, std::vector<ChosenStrategy> strategies,
                 const std::vector<int>& limits, double effective_cpus)
      : workplace_(std::move(workplace)), benches_(std::move(benches)), strategies_(std::move(strategies)) {
    std::vector<std::string> variants;
    for (const ChosenStrategy& strategy : strategies_) variants.push_back(strategy.variant);
    for (const Bench& bench : benches_) {
      for (const int limit : limits) {
        cases_.push_back({absl::StrCat(Title(bench.compiler, bench.mode), "/j", limit), variants, bench.subject_key,
                          /*whole_operation=*/true, std::min<double>(limit, effective_cpus)});
        measured_.push_back({&bench, limit});
      }
    }
  }

  const std::vector<SubjectCase>& cases() const override { return cases_; }

  std::vector<ComparisonPlan> comparisons() const override {
    std::vector<ComparisonPlan> plans;
    for (const SubjectCase& subject_case : cases_) {
      for (const absl::string_view base : compile::kBaselines) AddVariants(subject_case, base, &plans);
    }
    return plans;
  }

  std::vector<Capability> capabilities() const override {
    std::vector<Capability> capabilities;
    for (const Bench& bench : benches_) {
      for (const CompileResult& result : bench.reference) {
        capabilities.push_back(
            {bench.compiler.name, bench.compiler.version, bench.mode, std::string(result.probe), result.outcome});
      }
    }
    return capabilities;
  }

  Sample Measure(const MeasureRequest& request, const std::atomic<bool>& cancelled) override {
    Sample sample;
    sample.arm = request.arm;
    sample.iterations = 1;
    const Measured* const measured = FindCase(request.arm);
    const ChosenStrategy* const strategy = FindStrategy(request.arm);
    if (measured == nullptr || strategy == nullptr) {
      return Fail(std::move(sample), absl::StrCat("the compile suite has no arm ", request.arm.case_path, " ",
                                                  request.arm.variant, " here"));
    }
    RunOptions options;
    options.timeout = std::min(request.timeout, workplace_.pass_timeout);
    options.cancelled = &cancelled;
    PassOrder order = workplace_.MakeOrder(measured->bench->compiler, measured->bench->mode);
    order.program = strategy->program;
    order.strategy = strategy->name;
    order.limit = measured->limit;
    order.environment_padding = request.environment_padding;
    const absl::StatusOr<PassResult> pass = RunPass(order, *workplace_.scratch, workplace_.spawner, options);
    if (!pass.ok()) {
      return Fail(std::move(sample), absl::StrCat("infrastructure: ", pass.status().message()));
    }
    const int limit = strategy->name == compile::kSerial ? 1 : measured->limit;
    JudgePass(*pass, {measured->bench->reference, limit, options.timeout}, &sample);
    return sample;
  }

 private:
  // What is behind the case of the same index.
  struct Measured {
    const Bench* bench;
    int limit;
  };

  static Sample Fail(Sample sample, std::string failure) {
    sample.outcome = SampleOutcome::kFailed;
    sample.failure = std::move(failure);
    return sample;
  }

  const Measured* FindCase(const Arm& arm) const {
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i].case_path == arm.case_path) return &measured_[i];
    }
    return nullptr;
  }

  const ChosenStrategy* FindStrategy(const Arm& arm) const {
    const auto found = std::find_if(strategies_.begin(), strategies_.end(),
                                    [&](const ChosenStrategy& strategy) { return strategy.variant == arm.variant; });
    return found == strategies_.end() ? nullptr : &*found;
  }

  // The two baselines are compared once: what threads are worth against none.
  static void AddVariants(const SubjectCase& subject_case, absl::string_view base, std::vector<ComparisonPlan>* plans) {
    for (const std::string& variant : subject_case.variants) {
      if (variant == base || (base == compile::kThreads && variant == compile::kSerial)) continue;
      plans->push_back({"variant", {subject_case.case_path, std::string(base)}, {subject_case.case_path, variant}});
    }
  }

  const Workplace workplace_;
  const std::vector<Bench> benches_;
  const std::vector<ChosenStrategy> strategies_;
  std::vector<SubjectCase> cases_;
  std::vector<Measured> measured_;
};

// Every usable compiler in every mode asked for.
absl::StatusOr<std::vector<Bench>> OpenBenches(const CompileSpec& spec, const std::vector<ChosenCompiler>& compilers,
                                               const std::map<std::string, std::string>& program_parts,
                                               const Workplace& workplace,
                                               const std::function<void(const std::string&)>& progress,
                                               const std::atomic<bool>& cancelled) {
  std::vector<Bench> benches;
  std::vector<std::string> voids;
  for (const ChosenCompiler& chosen : compilers) {
    for (const std::string& mode : spec.modes) {
      const std::string title = Title(chosen.compiler, mode);
      progress(absl::StrCat("finding what ", title, " can do"));
      Bench bench{chosen.compiler, mode, {}, {}};
      BF_ASSIGN_OR_RETURN(bench.subject_key, SubjectKey(program_parts, chosen.compiler, mode, workplace.programs));
      const absl::Status usable = RunReferencePass(workplace, cancelled, &bench);
      if (usable.ok()) {
        benches.push_back(std::move(bench));
        continue;
      }
      if (usable.code() != absl::StatusCode::kFailedPrecondition) return usable;
      voids.push_back(absl::StrCat(title, " is void: ", usable.message()));
      if (chosen.by_name) return absl::FailedPreconditionError(absl::StrCat("compilers: ", voids.back()));
      progress(absl::StrCat("left out: ", voids.back()));
    }
  }
  if (benches.empty()) {
    return absl::FailedPreconditionError(absl::StrCat("compilers: none is usable: ", absl::StrJoin(voids, "; ")));
  }
  return benches;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Subject>> OpenCompileSubject(const CompileSpec& spec, const HostFacts& host,
                                                            ProcessSpawner& spawner, const CompilePrograms& programs,
                                                            const std::string& attempt_token,
                                                            const std::function<void(const std::string&)>& progress,
                                                            const std::atomic<bool>& cancelled) {
  BF_ASSIGN_OR_RETURN(const std::vector<ChosenCompiler> compilers, ChooseCompilers(spec, host));
  BF_ASSIGN_OR_RETURN(std::vector<ChosenStrategy> strategies, ChooseStrategies(spec, host, programs));
  BF_ASSIGN_OR_RETURN(const std::vector<int> limits, ChooseLimits(spec, host, MaxDescriptors()));
  BF_ASSIGN_OR_RETURN(const auto program_parts, ProgramParts(strategies, programs));
  BF_ASSIGN_OR_RETURN(std::unique_ptr<Scratch> scratch, Scratch::Create());
  Workplace workplace{spawner, programs, attempt_token, spec.pass_timeout, std::move(scratch)};

  BF_ASSIGN_OR_RETURN(std::vector<Bench> benches,
                      OpenBenches(spec, compilers, program_parts, workplace, progress, cancelled));
  return std::make_unique<CompileSubject>(std::move(workplace), std::move(benches), std::move(strategies), limits,
                                          EffectiveCpus(host));
}

}  // namespace benchfleet
