// Which CPython interpreters of a host a job measures, and what its arms call them.
#ifndef BENCHFLEET_WORKER_SUITES_INTERPRETER_CHOICE_H_
#define BENCHFLEET_WORKER_SUITES_INTERPRETER_CHOICE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/model/host.h"

namespace benchfleet {

struct ChosenInterpreter {
  Interpreter interpreter;
  std::string suffix;  // "@3.11.2"; of a host's second one of a version "@3.11.2+2"
};

// Those whose version one of `prefixes` names; all when there is none. In the host's order.
// `wanted_by` says who asks, for the message: "loops: asyncio".
// kNotFound: the host has no interpreter at all, or none that a prefix names.
absl::StatusOr<std::vector<ChosenInterpreter>> ChooseInterpreters(const std::vector<std::string>& prefixes,
                                                                  const HostFacts& host, absl::string_view wanted_by);

// Whether `prefix` names `version`: whole numbers only, so "3.1" does not name "3.11.2".
bool NamesVersion(absl::string_view prefix, absl::string_view version);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_INTERPRETER_CHOICE_H_
