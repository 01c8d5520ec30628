#include "worker/suites/compile/judgement.h"

#include <string.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/model/compile.h"
#include "common/model/states.h"
#include "worker/suites/compile/outcome.h"

namespace benchfleet {

namespace {

struct Ruling {
  SampleOutcome outcome = SampleOutcome::kOk;
  std::string failure;
  std::string output;
};

std::string End(const std::string& text) {
  return text.size() <= kMaxFailureOutputBytes ? text : text.substr(text.size() - kMaxFailureOutputBytes);
}

// Those that ran when the pass was killed.
std::vector<std::string> Unended(const PassResult& pass) {
  std::vector<std::string> running;
  const auto runs = [](const CompileResult& c) { return c.started && c.outcome == CompileOutcome::kTimeout; };
  if (runs(pass.conditioning)) running.push_back(absl::StrCat(pass.conditioning.probe, " (conditioning)"));
  for (const CompileResult& compile : pass.compiles) {
    if (runs(compile)) running.emplace_back(compile.probe);
  }
  return running;
}

std::string Named(std::vector<std::string> probes) {
  const size_t more = probes.size() - std::min(probes.size(), kMaxNamedProbes);
  if (more > 0) probes.resize(kMaxNamedProbes);
  return absl::StrCat(absl::StrJoin(probes, ", "), more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

std::string TimeoutText(const PassResult& pass, absl::Duration timeout) {
  const std::vector<std::string> unended = Unended(pass);
  return absl::StrCat("timeout: ", unended.empty() ? "the pass program" : Named(unended), " had not ended after ",
                      absl::FormatDuration(timeout));
}

// What says most about it; begins with "; " unless it is empty.
std::string Detail(const std::string& log, const std::string& end = "") {
  std::string line = TellingLine(log);
  if (line.empty()) line = end;
  return line.empty() ? "" : absl::StrCat("; ", line);
}

// What the program that ran the pass had to say, its errors first.
std::string ProgramOutput(const ProcessResult& process) { return process.err.empty() ? process.out : process.err; }

// The end of the program that ran the pass, and of what it left.
Ruling OfProgram(const PassResult& pass, absl::Duration timeout) {
  const ProcessResult& process = pass.process;
  if (process.timed_out) return {SampleOutcome::kTimedOut, TimeoutText(pass, timeout), ProgramOutput(process)};
  if (process.cancelled) return {SampleOutcome::kFailed, "cancelled", ""};
  if (process.end.signal.has_value()) {
    const int signal = *process.end.signal;
    return {SampleOutcome::kSignalled,
            absl::StrCat("the pass program was killed by signal ", signal, " (", strsignal(signal), ")"),
            ProgramOutput(process)};
  }
  if (process.end.exit_code.value_or(0) != 0) {
    return {SampleOutcome::kFailed,
            absl::StrCat("infrastructure: the pass program ended with exit code ", *process.end.exit_code,
                         Detail(ProgramOutput(process))),
            ProgramOutput(process)};
  }
  if (process.survivors > 0) {
    return {SampleOutcome::kFailed,
            absl::StrCat("infrastructure: ", process.survivors, process.survivors == 1 ? " process" : " processes",
                         " outlived the pass and ", process.survivors == 1 ? "was" : "were", " killed"),
            ""};
  }
  if (!pass.figures.ok()) {
    return {SampleOutcome::kFailed, absl::StrCat("infrastructure: ", pass.figures.status().message()), ""};
  }
  return {};
}

// The first compile that ended otherwise than in the reference pass.
Ruling OfCompiles(const PassResult& pass, const std::vector<CompileResult>& reference) {
  for (size_t i = 0; i < pass.compiles.size(); ++i) {
    const CompileResult& found = pass.compiles[i];
    const CompileResult& expected = reference[i];
    if (found.outcome != expected.outcome) {
      return {SampleOutcome::kFailed,
              absl::StrCat(Word(found.outcome), ": ", found.probe, ": expected ", Word(expected.outcome),
                           Detail(found.log, found.end)),
              found.log};
    }
    if (found.outcome == CompileOutcome::kAccepted && found.output_bytes != expected.output_bytes) {
      return {SampleOutcome::kFailed,
              absl::StrCat("infrastructure: ", found.probe, ": its output has ", found.output_bytes,
                           " bytes, in the reference pass it had ", expected.output_bytes),
              found.log};
    }
  }
  return {};
}

Ruling OfPeak(const PassResult& pass, int limit) {
  const int peak = pass.figures->peak;
  if (peak > limit) {
    return {SampleOutcome::kBrokenPromise, absl::StrCat(peak, " compiles ran at once, promised are at most ", limit),
            ""};
  }
  if (limit > 1 && peak < 2 && pass.compiles.size() >= kFewestForPeak) {
    return {SampleOutcome::kBrokenPromise, absl::StrCat("never two compiles ran at once, allowed are ", limit), ""};
  }
  return {};
}

void AddFigures(const PassResult& pass, Sample* sample) {
  const PassFigures& figures = *pass.figures;
  sample->batch_ns = {figures.wall_ns};
  sample->measures_ns = {{"cpu", figures.cpu_ns},
                         {"overhead", figures.overhead_ns},
                         {"launch", figures.launch_ns},
                         {"longest", figures.longest_ns},
                         {"runner_cpu", pass.runner_cpu_ns}};
  sample->counters["compiles"] = static_cast<int64_t>(pass.compiles.size());
  sample->counters["peak_children"] = figures.peak;
  for (const CompileResult& compile : pass.compiles) ++sample->counters[std::string(Word(compile.outcome))];
}

// What a probe's kind says of its outcome; empty when it is as it must be.
std::string WrongOutcome(const Probe& probe, CompileOutcome outcome, absl::string_view mode) {
  const bool decided = outcome == CompileOutcome::kAccepted || outcome == CompileOutcome::kRefused ||
                       outcome == CompileOutcome::kCrashed;
  if (!decided) return absl::StrCat(Word(outcome), ": ", probe.name);
  const bool must_refuse =
      probe.kind == ProbeKind::kControl || (probe.kind == ProbeKind::kLinkControl && mode == compile::kLink);
  if (must_refuse && outcome != CompileOutcome::kRefused) {
    return absl::StrCat(Word(outcome), ": ", probe.name, ", which every compiler must refuse");
  }
  if (probe.kind == ProbeKind::kMinimal && outcome != CompileOutcome::kAccepted) {
    return absl::StrCat(Word(outcome), ": ", probe.name, ", which every compiler must accept");
  }
  return "";
}

}  // namespace

void JudgePass(const PassResult& pass, const PassExpectation& expected, Sample* sample) {
  sample->usage = pass.process.end.usage;
  sample->elapsed = pass.process.elapsed;
  if (pass.figures.ok()) AddFigures(pass, sample);
  Ruling ruling = OfProgram(pass, expected.timeout);
  if (ruling.outcome == SampleOutcome::kOk) ruling = OfCompiles(pass, expected.reference);
  if (ruling.outcome == SampleOutcome::kOk) ruling = OfPeak(pass, expected.limit);
  sample->outcome = ruling.outcome;
  sample->failure = std::move(ruling.failure);
  sample->output = End(ruling.output);
}

absl::Status CheckReference(const PassResult& pass, absl::string_view language, absl::string_view mode,
                            absl::Duration timeout) {
  if (const Ruling ruling = OfProgram(pass, timeout); ruling.outcome != SampleOutcome::kOk) {
    return absl::FailedPreconditionError(ruling.failure);
  }
  const std::vector<Probe> probes = ProbesOf(language);
  for (size_t i = 0; i < probes.size(); ++i) {
    const CompileResult& compile = pass.compiles[i];
    const std::string wrong = WrongOutcome(probes[i], compile.outcome, mode);
    if (!wrong.empty()) return absl::FailedPreconditionError(absl::StrCat(wrong, Detail(compile.log, compile.end)));
  }
  const Ruling peak = OfPeak(pass, /*limit=*/1);
  return peak.outcome == SampleOutcome::kOk ? absl::OkStatus() : absl::FailedPreconditionError(peak.failure);
}

}  // namespace benchfleet
