// The parameters of each suite on the wire; the inner part of job_spec_wire.
#ifndef BENCHFLEET_COMMON_WIRE_SUITE_SPEC_WIRE_H_
#define BENCHFLEET_COMMON_WIRE_SUITE_SPEC_WIRE_H_

#include "benchfleet/v1/job.pb.h"
#include "common/model/compile.h"
#include "common/model/wake.h"
#include "common/wire/field_checks.h"

namespace benchfleet {

// Each adds what is wrong to the checks; the result counts only when nothing was.
WakeSpec ParseWakeSpec(const FieldChecks& checks, const v1::WakeSpec& proto);
CompileSpec ParseCompileSpec(const FieldChecks& checks, const v1::CompileSpec& proto);

// Every field written out, lists in the suite's order.
v1::WakeSpec ToProto(const WakeSpec& spec);
v1::CompileSpec ToProto(const CompileSpec& spec);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_SUITE_SPEC_WIRE_H_
