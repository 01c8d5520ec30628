#include "worker/runner/arguments.h"

#include "absl/strings/str_cat.h"

namespace benchfleet {

absl::StatusOr<RunnerArguments> ParseRunnerArguments(const std::vector<std::string>& arguments) {
  RunnerArguments parsed;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i == 0 && arguments[i] == "describe") {
      parsed.describe = true;
    } else if (const std::string& name = arguments[i]; name == "--python" || name == "--compiler") {
      if (++i == arguments.size()) return absl::InvalidArgumentError(absl::StrCat(name, ": needs a path"));
      (name == "--python" ? parsed.interpreters : parsed.compilers).push_back(arguments[i]);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("unknown argument '", arguments[i], "'"));
    }
  }
  return parsed;
}

}  // namespace benchfleet
