#include "common/wire/enum_words.h"

#include "absl/strings/ascii.h"
#include "absl/strings/strip.h"

namespace benchfleet {
namespace {

// "FAN_OUT_" of FanOut.
std::string EnumPrefix(const google::protobuf::EnumDescriptor& type) {
  std::string prefix;
  for (const char c : type.name()) {
    if (absl::ascii_isupper(c) && !prefix.empty()) prefix.push_back('_');
    prefix.push_back(absl::ascii_toupper(c));
  }
  return prefix + "_";
}

}  // namespace

std::string EnumWord(const google::protobuf::EnumValueDescriptor& value) {
  return absl::AsciiStrToLower(absl::StripPrefix(value.name(), EnumPrefix(*value.type())));
}

}  // namespace benchfleet
