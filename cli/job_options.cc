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
  if (target == "wake") {
    JobFile file;
    file.spec.mutable_wake();
    return file;
  }
  absl::StatusOr<std::string> text = ReadFile(target, kMaxJobFileBytes);
  if (absl::IsOutOfRange(text.status())) {
    return absl::InvalidArgumentError(absl::StrCat(target, ": over ", kMaxJobFileBytes, " bytes"));
  }
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(absl::StrCat(Quoted(target), " is neither a suite (wake) nor a job file"));
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

void SetList(const std::vector<std::string>& values, google::protobuf::RepeatedPtrField<std::string>& field) {
  if (!values.empty()) field.Assign(values.begin(), values.end());
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
  v1::WakeSpec& wake = *spec.mutable_wake();
  SetList(flags.loops, *wake.mutable_loops());
  SetList(flags.cases, *wake.mutable_cases());
  SetList(flags.variants, *wake.mutable_variants());
  SetList(flags.interpreters, *wake.mutable_interpreters());
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
  const bool has_suite = file.spec.suite_case() != v1::JobSpec::SUITE_NOT_SET;
  BF_RETURN_IF_ERROR(ApplyFlags(flags, file.spec));
  if (!has_suite) file.spec.clear_suite();  // so that the refusal says that the file lacks one
  absl::StatusOr<JobSpec> spec = ParseJobSpec(file.spec, "");
  if (!spec.ok()) return LocateInFile(spec.status(), file);
  return RequestedJob{std::move(file.spec), *std::move(spec)};
}

}  // namespace benchfleet
