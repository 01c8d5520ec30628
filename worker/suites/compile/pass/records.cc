#include "worker/suites/compile/pass/records.h"

#include <cstdint>

namespace benchfleet::compile_pass {

namespace {

constexpr size_t FileBytes(size_t compiles) { return sizeof(PassHeader) + compiles * sizeof(PassRecord); }

}  // namespace

std::string Records::Open(const std::string& path) {
  return file_.Open(path, MappedFile::Access::kWrite, int64_t{FileBytes(kMaxPassCompiles)});
}

std::string Records::CheckSize(size_t compiles) const {
  if (file_.size() == FileBytes(compiles)) return "";
  return file_.path() + ": has " + std::to_string(file_.size()) + " bytes, must have " +
         std::to_string(FileBytes(compiles)) + " for " + std::to_string(compiles) + " compiles";
}

}  // namespace benchfleet::compile_pass
