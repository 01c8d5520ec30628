#include "common/jobfile/proto_walker.h"

#include <cmath>
#include <set>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "common/wire/enum_words.h"
#include "common/wire/text_wire.h"
#include "common/wire/time_wire.h"
#include "google/protobuf/descriptor.h"

namespace benchfleet {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::EnumDescriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::OneofDescriptor;
using ::google::protobuf::Reflection;
using Kind = YamlNode::Kind;

// The words of a type, the unspecified value apart.
std::string EnumWords(const EnumDescriptor& type) {
  std::vector<std::string> words;
  for (int i = 1; i < type.value_count(); ++i) words.push_back(EnumWord(*type.value(i)));
  return absl::StrJoin(words, ", ");
}

std::string FieldNames(const Descriptor& type) {
  std::vector<std::string> names;
  for (int i = 0; i < type.field_count(); ++i) names.push_back(type.field(i)->name());
  return absl::StrJoin(names, ", ");
}

bool IsDuration(const FieldDescriptor& field) {
  return field.message_type() != nullptr && field.message_type()->full_name() == "google.protobuf.Duration";
}

class Walker {
 public:
  WalkResult TakeResult() { return std::move(result_); }

  void Fill(const YamlNode& node, const std::string& path, Message& message) {
    const Descriptor& type = *message.GetDescriptor();
    if (node.kind == Kind::kNull) return;
    if (node.kind != Kind::kMap) return Add(node.line, path, "must be a map");
    std::map<std::string, int> seen;                       // line by key
    std::map<const OneofDescriptor*, std::string> chosen;  // key by oneof
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& key = node.keys[i];
      const int line = node.key_lines[i];
      const std::string field_path = Join(path, Printable(key));
      const auto [first, is_new] = seen.emplace(key, line);
      if (!is_new) {
        Add(line, field_path, absl::StrCat("is given twice, first in line ", first->second));
        continue;
      }
      const FieldDescriptor* field = type.FindFieldByName(key);
      if (field == nullptr) {
        Add(line, field_path, absl::StrCat("is unknown, must be one of ", FieldNames(type)));
        continue;
      }
      if (const OneofDescriptor* oneof = field->real_containing_oneof(); oneof != nullptr) {
        const auto [other, is_first] = chosen.emplace(oneof, key);
        if (!is_first) {
          Add(line, field_path, absl::StrCat("excludes ", other->second, ", which is given too"));
          continue;
        }
      }
      result_.lines[field_path] = line;
      FillField(node.values[i], line, field_path, *field, message);
    }
  }

 private:
  static std::string Join(const std::string& path, const std::string& name) {
    return path.empty() ? name : absl::StrCat(path, ".", name);
  }
  static std::string Printable(const std::string& key) { return absl::Utf8SafeCEscape(key.substr(0, 80)); }

  void Add(int line, const std::string& path, const std::string& what) { result_.errors.push_back({line, path, what}); }

  void FillField(const YamlNode& node, int line, const std::string& path, const FieldDescriptor& field,
                 Message& message) {
    if (field.is_map()) return FillMap(node, path, field, message);
    if (field.is_repeated()) return FillList(node, path, field, message);
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !IsDuration(field)) {
      return Fill(node, path, *message.GetReflection()->MutableMessage(&message, &field));
    }
    FillScalar(node, line, path, field, message);
  }

  // Maps of words to scalars; the entry type's fields are `key` and `value`.
  void FillMap(const YamlNode& node, const std::string& path, const FieldDescriptor& field, Message& message) {
    if (node.kind == Kind::kNull) return;
    if (node.kind != Kind::kMap) return Add(node.line, path, "must be a map");
    std::map<std::string, int> seen;
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const int line = node.key_lines[i];
      const std::string entry_path = absl::StrCat(path, "[", Printable(node.keys[i]), "]");
      const auto [first, is_new] = seen.emplace(node.keys[i], line);
      if (!is_new) {
        Add(line, entry_path, absl::StrCat("is given twice, first in line ", first->second));
        continue;
      }
      result_.lines[entry_path] = line;
      Message& entry = *message.GetReflection()->AddMessage(&message, &field);
      entry.GetReflection()->SetString(&entry, field.message_type()->map_key(), node.keys[i]);
      FillScalar(node.values[i], line, entry_path, *field.message_type()->map_value(), entry);
    }
  }

  void FillList(const YamlNode& node, const std::string& path, const FieldDescriptor& field, Message& message) {
    if (node.kind == Kind::kNull) return;
    if (node.kind != Kind::kList) return Add(node.line, path, "must be a list");
    for (size_t i = 0; i < node.values.size(); ++i) {
      const YamlNode& value = node.values[i];
      const std::string entry_path = absl::StrCat(path, "[", i, "]");
      result_.lines[entry_path] = value.line;
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !IsDuration(field)) {
        Fill(value, entry_path, *message.GetReflection()->AddMessage(&message, &field));
      } else {
        FillScalar(value, value.line, entry_path, field, message);
      }
    }
  }

  void FillScalar(const YamlNode& node, int line, const std::string& path, const FieldDescriptor& field,
                  Message& message) {
    if (node.kind == Kind::kNull) return Add(line, path, "has no value");
    if (node.kind != Kind::kScalar) {
      return Add(node.line, path,
                 absl::StrCat("must be ", TypeName(field), ", is a ", node.kind == Kind::kMap ? "map" : "list"));
    }
    if (!SetScalar(node, field, message)) {
      Add(node.line, path, absl::StrCat("must be ", TypeName(field), ", is ", Quoted(node.text)));
    }
  }

  static std::string TypeName(const FieldDescriptor& field) {
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return "a duration like 90s or 1h30m";
      case FieldDescriptor::CPPTYPE_ENUM:
        return absl::StrCat("one of ", EnumWords(*field.enum_type()));
      case FieldDescriptor::CPPTYPE_BOOL:
        return "true or false";
      case FieldDescriptor::CPPTYPE_DOUBLE:
      case FieldDescriptor::CPPTYPE_FLOAT:
        return "a number";
      case FieldDescriptor::CPPTYPE_STRING:
        return "a string";
      default:
        return "a whole number in range";
    }
  }

  // Sets or appends; false when the text is not of the field's type.
  static bool SetScalar(const YamlNode& node, const FieldDescriptor& field, Message& message) {
    const Reflection& reflection = *message.GetReflection();
    const auto store = [&](auto set, auto add, auto value) {
      field.is_repeated() ? (reflection.*add)(&message, &field, value) : (reflection.*set)(&message, &field, value);
      return true;
    };
    const std::string& text = node.text;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_STRING:
        if (field.type() == FieldDescriptor::TYPE_BYTES) return false;
        return store(&Reflection::SetString, &Reflection::AddString, text);
      case FieldDescriptor::CPPTYPE_BOOL:
        if (node.quoted || (text != "true" && text != "false")) return false;
        return store(&Reflection::SetBool, &Reflection::AddBool, text == "true");
      case FieldDescriptor::CPPTYPE_INT32: {
        int32_t value;
        return !node.quoted && absl::SimpleAtoi(text, &value) &&
               store(&Reflection::SetInt32, &Reflection::AddInt32, value);
      }
      case FieldDescriptor::CPPTYPE_UINT32: {
        uint32_t value;
        return !node.quoted && absl::SimpleAtoi(text, &value) &&
               store(&Reflection::SetUInt32, &Reflection::AddUInt32, value);
      }
      // JSON numbers are exact to 53 bits only, so its users quote the large ones.
      case FieldDescriptor::CPPTYPE_INT64: {
        int64_t value;
        return absl::SimpleAtoi(text, &value) && store(&Reflection::SetInt64, &Reflection::AddInt64, value);
      }
      case FieldDescriptor::CPPTYPE_UINT64: {
        uint64_t value;
        return absl::SimpleAtoi(text, &value) && store(&Reflection::SetUInt64, &Reflection::AddUInt64, value);
      }
      case FieldDescriptor::CPPTYPE_DOUBLE: {
        double value;
        return !node.quoted && absl::SimpleAtod(text, &value) && std::isfinite(value) &&
               store(&Reflection::SetDouble, &Reflection::AddDouble, value);
      }
      case FieldDescriptor::CPPTYPE_FLOAT: {
        float value;
        return !node.quoted && absl::SimpleAtof(text, &value) && std::isfinite(value) &&
               store(&Reflection::SetFloat, &Reflection::AddFloat, value);
      }
      case FieldDescriptor::CPPTYPE_ENUM:
        return SetEnum(text, field, message);
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return SetDuration(text, field, message);
    }
    return false;
  }

  static bool SetEnum(const std::string& text, const FieldDescriptor& field, Message& message) {
    const EnumDescriptor& type = *field.enum_type();
    for (int i = 1; i < type.value_count(); ++i) {
      if (EnumWord(*type.value(i)) != text) continue;
      field.is_repeated() ? message.GetReflection()->AddEnum(&message, &field, type.value(i))
                          : message.GetReflection()->SetEnum(&message, &field, type.value(i));
      return true;
    }
    return false;
  }

  static bool SetDuration(const std::string& text, const FieldDescriptor& field, Message& message) {
    absl::Duration duration;
    if (!absl::ParseDuration(text, &duration) || duration == absl::InfiniteDuration() ||
        duration == -absl::InfiniteDuration()) {
      return false;
    }
    Message& target = field.is_repeated() ? *message.GetReflection()->AddMessage(&message, &field)
                                          : *message.GetReflection()->MutableMessage(&message, &field);
    target.CopyFrom(ToProto(duration));
    return true;
  }

  WalkResult result_;
};

}  // namespace

WalkResult FillMessage(const YamlNode& root, Message& message) {
  Walker walker;
  walker.Fill(root, "", message);
  return walker.TakeResult();
}

}  // namespace benchfleet
