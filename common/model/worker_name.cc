#include "common/model/worker_name.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace benchfleet {
namespace {

bool IsNameCharacter(unsigned char c) {
  return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '.' || c == '-';
}

}  // namespace

bool IsWorkerName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxWorkerNameBytes &&
         std::all_of(name.begin(), name.end(), IsNameCharacter) && absl::ascii_isalnum(name.front()) &&
         absl::ascii_isalnum(name.back());
}

bool IsBuiltInLabel(absl::string_view key) { return key == "host" || key == "arch" || key == "os"; }

}  // namespace benchfleet
