// JobSpec on the wire: here every refusal of a job's content happens.
#ifndef BENCHFLEET_COMMON_WIRE_JOB_SPEC_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_JOB_SPEC_WIRE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchfleet/v1/job.pb.h"
#include "common/model/job_spec.h"

namespace benchfleet {

// Defaults are filled in, empty lists become all, the baseline joins the variants, and
// lists are put into the suite's order. kInvalidArgument INVALID_FIELD with every
// violation; paths begin with `prefix` ("spec.wake.cases[1]"; without it "wake.cases[1]").
absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& spec, absl::string_view prefix = "spec");

// Every field written out. Specs that ask for the same have equal messages.
v1::JobSpec ToProto(const JobSpec& spec);

// Canonical bytes: equal for specs that ask for the same.
std::string SerializeJobSpec(const JobSpec& spec);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_JOB_SPEC_WIRE_H_
