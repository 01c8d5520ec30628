#include "worker/runner/arguments.h"

#include "absl/strings/str_cat.h"

namespace benchfleet {

absl::StatusOr<RunnerArguments> ParseRunnerArguments(const std::vector<std::string>& arguments) {
  RunnerArguments parsed;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i == 0 && arguments[i] == "describe") {
      parsed.describe = true;
    } else if (arguments[i] == "--python") {
      if (++i == arguments.size()) return absl::InvalidArgumentError("--python: needs a path");
      parsed.interpreters.push_back(arguments[i]);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("unknown argument '", arguments[i], "'"));
    }
  }
  return parsed;
}

}  // namespace benchfleet
