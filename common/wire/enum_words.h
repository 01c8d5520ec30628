// Values of protobuf enums as the lower-case words that people read and write.
#ifndef BENCHFLEET_COMMON_WIRE_ENUM_WORDS_H_
#define BENCHFLEET_COMMON_WIRE_ENUM_WORDS_H_

#include <string>

#include "google/protobuf/descriptor.h"

namespace benchfleet {

// "all" for FAN_OUT_ALL: the name without its type's prefix.
std::string EnumWord(const google::protobuf::EnumValueDescriptor& value);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_WIRE_ENUM_WORDS_H_
