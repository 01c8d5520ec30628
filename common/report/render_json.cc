#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "common/report/render.h"
#include "common/report/text_format.h"
#include "common/wire/enum_words.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"
#include "google/protobuf/util/time_util.h"

namespace benchfleet {
namespace {

using ::google::protobuf::Duration;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;
using ::google::protobuf::Timestamp;
using ::google::protobuf::util::TimeUtil;

std::string JsonString(absl::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      absl::StrAppend(&json, "\\", std::string(1, c));
    } else if (c == '\n') {
      json += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      absl::StrAppendFormat(&json, "\\u%04x", static_cast<unsigned>(c));
    } else {
      json.push_back(c);
    }
  }
  return json + "\"";
}

class JsonWriter {
 public:
  std::string Take() { return std::move(json_) + "\n"; }

  void Write(const Message& message) {
    if (message.GetDescriptor() == Timestamp::descriptor()) {
      json_ += JsonString(TimeUtil::ToString(static_cast<const Timestamp&>(message)));
      return;
    }
    if (message.GetDescriptor() == Duration::descriptor()) {
      json_ += JsonString(TimeUtil::ToString(static_cast<const Duration&>(message)));
      return;
    }
    Open('{');
    const auto& type = *message.GetDescriptor();
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      const Reflection& reflection = *message.GetReflection();
      if (!field.is_repeated() && field.has_presence() && !reflection.HasField(message, &field)) continue;
      Key(field.name());
      WriteField(message, field);
    }
    Close('}');
  }

 private:
  void WriteField(const Message& message, const FieldDescriptor& field) {
    if (field.is_map()) return WriteMap(message, field);
    if (!field.is_repeated()) return WriteValue(message, field, -1);
    Open('[');
    for (int i = 0; i < message.GetReflection()->FieldSize(message, &field); ++i) {
      NextLine();
      WriteValue(message, field, i);
    }
    Close(']');
  }

  // Maps have string keys here.
  void WriteMap(const Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    std::map<std::string, const Message*> sorted;
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
      const Message& entry = reflection.GetRepeatedMessage(message, &field, i);
      sorted[entry.GetReflection()->GetString(entry, field.message_type()->map_key())] = &entry;
    }
    Open('{');
    for (const auto& [key, entry] : sorted) {
      Key(key);
      WriteValue(*entry, *field.message_type()->map_value(), -1);
    }
    Close('}');
  }

  // One value of a field; `index` is -1 where the field is not repeated.
  void WriteValue(const Message& message, const FieldDescriptor& field, int index) {
    const Reflection& r = *message.GetReflection();
    const auto get = [&](auto single, auto repeated) {
      return index < 0 ? (r.*single)(message, &field) : (r.*repeated)(message, &field, index);
    };
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Write(index < 0 ? r.GetMessage(message, &field) : r.GetRepeatedMessage(message, &field, index));
      case FieldDescriptor::CPPTYPE_STRING:
        json_ += JsonString(get(&Reflection::GetString, &Reflection::GetRepeatedString));
        return;
      case FieldDescriptor::CPPTYPE_ENUM:
        json_ += JsonString(EnumWord(*get(&Reflection::GetEnum, &Reflection::GetRepeatedEnum)));
        return;
      case FieldDescriptor::CPPTYPE_BOOL:
        json_ += get(&Reflection::GetBool, &Reflection::GetRepeatedBool) ? "true" : "false";
        return;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        json_ += ExactNumber(get(&Reflection::GetDouble, &Reflection::GetRepeatedDouble));
        return;
      case FieldDescriptor::CPPTYPE_FLOAT:
        json_ += ExactNumber(get(&Reflection::GetFloat, &Reflection::GetRepeatedFloat));
        return;
      case FieldDescriptor::CPPTYPE_INT32:
        absl::StrAppend(&json_, get(&Reflection::GetInt32, &Reflection::GetRepeatedInt32));
        return;
      case FieldDescriptor::CPPTYPE_UINT32:
        absl::StrAppend(&json_, get(&Reflection::GetUInt32, &Reflection::GetRepeatedUInt32));
        return;
      // As strings: many readers take numbers for doubles.
      case FieldDescriptor::CPPTYPE_INT64:
        absl::StrAppend(&json_, "\"", get(&Reflection::GetInt64, &Reflection::GetRepeatedInt64), "\"");
        return;
      case FieldDescriptor::CPPTYPE_UINT64:
        absl::StrAppend(&json_, "\"", get(&Reflection::GetUInt64, &Reflection::GetRepeatedUInt64), "\"");
        return;
    }
  }

  void Open(char bracket) {
    json_.push_back(bracket);
    ++depth_;
    empty_ = true;
  }
  void Close(char bracket) {
    --depth_;
    if (!std::exchange(empty_, false)) absl::StrAppend(&json_, "\n", std::string(depth_, ' '));
    json_.push_back(bracket);
  }
  void NextLine() { absl::StrAppend(&json_, std::exchange(empty_, false) ? "\n" : ",\n", std::string(depth_, ' ')); }
  void Key(absl::string_view key) {
    NextLine();
    absl::StrAppend(&json_, JsonString(key), ": ");
  }

  std::string json_;
  int depth_ = 0;
  bool empty_ = false;  // nothing stands in the innermost bracket yet
};

}  // namespace

std::string RenderJson(const Message& message) {
  JsonWriter writer;
  writer.Write(message);
  return writer.Take();
}

}  // namespace benchfleet
