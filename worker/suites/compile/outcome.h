// What became of one compile. A compiler answers "refused" and "the host failed me" with
// the same exit code, so its own words decide.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_OUTCOME_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_OUTCOME_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "common/model/capability.h"

namespace benchfleet {

struct CompileEnd {
  std::optional<int> launch_errno;  // why it could not be started
  std::optional<int> status;        // exit code, or -signal; absent while it runs
  bool has_output = false;          // its file is there, and not empty
  std::string log;                  // the end of what it printed
};

CompileOutcome JudgeCompile(const CompileEnd& end);

// The line of a log that says most to a person: the last that speaks of an error, else the
// last. Empty when there is none.
std::string TellingLine(absl::string_view log);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_OUTCOME_H_
