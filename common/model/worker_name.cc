#include "common/model/worker_name.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kSuitePrefix = "suite/";
constexpr absl::string_view kCompilerPrefix = "compiler/";

bool IsNameCharacter(unsigned char c) {
  return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '.' || c == '-';
}

}  // namespace

bool IsWorkerName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxWorkerNameBytes &&
         std::all_of(name.begin(), name.end(), IsNameCharacter) && absl::ascii_isalnum(name.front()) &&
         absl::ascii_isalnum(name.back());
}

bool IsBuiltInLabel(absl::string_view key) {
  return key == "host" || key == "arch" || key == "os" || absl::StartsWith(key, kSuitePrefix) ||
         absl::StartsWith(key, kCompilerPrefix);
}

std::string SuiteLabel(absl::string_view suite) { return absl::StrCat(kSuitePrefix, suite); }
std::string CompilerLabel(absl::string_view compiler) { return absl::StrCat(kCompilerPrefix, compiler); }

}  // namespace benchfleet
