// The command line of benchfleet-worker.
#ifndef BENCHFLEET_WORKER_AGENT_WORKER_FLAGS_H_
#define BENCHFLEET_WORKER_AGENT_WORKER_FLAGS_H_

#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/model/selector.h"

namespace benchfleet {

struct WorkerFlags {
  std::string server;     // host:port
  std::string name;       // valid
  std::string state_dir;  // empty: choose
  Labels labels;
  std::vector<std::string> interpreters;
  std::vector<std::string> compilers;
  bool once = false;
  std::string log_level;
};

// What to print on stdout before exit 0: help or the version.
struct PrintAndExit {
  std::string text;
};

// In lower case, then IsWorkerName(). kInvalidArgument names it.
absl::StatusOr<std::string> CheckWorkerName(absl::string_view name);

// "key=value" each; no reserved key (host, arch, os), none twice. kInvalidArgument names it.
absl::StatusOr<Labels> ParseLabelFlags(const std::vector<std::string>& flags);

// kInvalidArgument: one line for a person. `hostname` is the default name; it is cut to
// what a name may be at its end.
absl::StatusOr<std::variant<WorkerFlags, PrintAndExit>> ParseWorkerFlags(int argc, const char* const* argv,
                                                                         const std::string& hostname,
                                                                         const std::string& version);

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_WORKER_FLAGS_H_
