// One pass, from its files to its records.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_PASS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_PASS_H_

#include <string>

#include "worker/suites/compile/pass/arguments.h"

namespace benchfleet::compile_pass {

// Empty when every compile was launched, or its failure to start recorded, and all were
// reaped. Else why the pass could not be carried out.
std::string RunPass(const Arguments& arguments);

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_PASS_H_
