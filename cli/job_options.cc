#include "cli/job_options.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/jobfile/job_file.h"
#include "common/os/file.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

absl::StatusOr<JobFile> ReadTarget(const std::string& target) {
  if (target == "wake" || target == "compile") {
    JobFile file;
    target == "wake" ? (void)file.spec.mutable_wake() : (void)file.spec.mutable_compile();
    return file;
  }
  absl::StatusOr<std::string> text = ReadFile(target, kMaxJobFileBytes);
  if (absl::IsOutOfRange(text.status())) {
    return absl::InvalidArgumentError(absl::StrCat(target, ": over ", kMaxJobFileBytes, " bytes"));
  }
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(absl::StrCat(Quoted(target), " is neither a suite (wake, compile) nor a job file"));
  }
  // Whatever keeps a file from being read, the command line is what names it.
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  return ParseJobFile(*text, target);
}

absl::Status SetMargin(const std::string& text, v1::MethodSpec& method) {
  absl::string_view number = text;
  const bool percent = absl::ConsumeSuffix(&number, "%");
  double value;
  if (!absl::SimpleAtod(number, &value)) {
    return absl::InvalidArgumentError(absl::StrCat("--margin: must be like 2% or 0.02, is ", Quoted(text)));
  }
  method.set_margin(percent ? value / 100 : value);
  return absl::OkStatus();
}

absl::Status SetLabels(const std::vector<std::string>& labels, v1::JobSpec& spec) {
  for (const std::string& label : labels) {
    const size_t equals = label.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("--label: must be KEY=VALUE, is ", Quoted(label)));
    }
    (*spec.mutable_labels())[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return absl::OkStatus();
}

template <typename Values, typename Field>
void SetList(const Values& values, Field& field) {
  if (!values.empty()) field.Assign(values.begin(), values.end());
}

// A flag of the other suite would be lost in silence.
absl::Status RefuseOthers(absl::string_view suite, const std::vector<std::pair<absl::string_view, bool>>& others) {
  for (const auto& [flag, given] : others) {
    if (given) return absl::InvalidArgumentError(absl::StrCat(flag, ": is no option of the suite ", suite));
  }
  return absl::OkStatus();
}

absl::Status ApplyWakeFlags(const JobFlags& flags, v1::WakeSpec& wake) {
  SetList(flags.variants, *wake.mutable_variants());
  SetList(flags.interpreters, *wake.mutable_interpreters());
  SetList(flags.loops, *wake.mutable_loops());
  SetList(flags.cases, *wake.mutable_cases());
  return RefuseOthers(
      "wake",
      {{"--compiler", !flags.compilers.empty()}, {"--mode", !flags.modes.empty()}, {"--limit", !flags.limits.empty()}});
}

absl::Status ApplyCompileFlags(const JobFlags& flags, v1::CompileSpec& compile) {
  SetList(flags.variants, *compile.mutable_variants());
  SetList(flags.interpreters, *compile.mutable_interpreters());
  SetList(flags.compilers, *compile.mutable_compilers());
  SetList(flags.modes, *compile.mutable_modes());
  SetList(flags.limits, *compile.mutable_limits());
  return RefuseOthers("compile", {{"--loop", !flags.loops.empty()}, {"--case", !flags.cases.empty()}});
}

absl::Status ApplyFlags(const JobFlags& flags, v1::JobSpec& spec) {
  if (flags.hosts.has_value()) spec.set_host_selector(*flags.hosts);
  if (flags.all_hosts) spec.set_fan_out(v1::FAN_OUT_ALL);
  if (flags.project.has_value()) spec.set_project(*flags.project);
  if (flags.commit.has_value()) spec.set_commit(*flags.commit);
  if (flags.branch.has_value()) spec.set_branch(*flags.branch);
  BF_RETURN_IF_ERROR(SetLabels(flags.labels, spec));
  v1::MethodSpec& method = *spec.mutable_method();
  if (flags.rounds.has_value()) method.set_rounds(*flags.rounds);
  if (flags.seed.has_value()) method.set_seed(*flags.seed);
  if (flags.margin.has_value()) BF_RETURN_IF_ERROR(SetMargin(*flags.margin, method));
  if (flags.budget.has_value()) {
    BF_ASSIGN_OR_RETURN(const absl::Duration budget, ParseDurationFlag("--budget", *flags.budget));
    *method.mutable_budget() = ToProto(budget);
  }
  // A file without a suite is refused as such.
  if (spec.has_wake()) return ApplyWakeFlags(flags, *spec.mutable_wake());
  if (spec.has_compile()) return ApplyCompileFlags(flags, *spec.mutable_compile());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<absl::Duration> ParseDurationFlag(absl::string_view flag, const std::string& text) {
  absl::Duration duration;
  if (absl::ParseDuration(text, &duration) && duration > absl::ZeroDuration() && duration < absl::InfiniteDuration()) {
    return duration;
  }
  return absl::InvalidArgumentError(absl::StrCat(flag, ": must be a duration like 90s or 1h30m, is ", Quoted(text)));
}

absl::StatusOr<RequestedJob> RequestJob(const JobFlags& flags) {
  BF_ASSIGN_OR_RETURN(JobFile file, ReadTarget(flags.target));
  BF_RETURN_IF_ERROR(ApplyFlags(flags, file.spec));
  absl::StatusOr<JobSpec> spec = ParseJobSpec(file.spec, "");
  if (!spec.ok()) return LocateInFile(spec.status(), file);
  return RequestedJob{std::move(file.spec), *std::move(spec)};
}

}  // namespace benchfleet
