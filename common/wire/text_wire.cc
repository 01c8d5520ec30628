#include "common/wire/text_wire.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxQuotedBytes = 80;

unsigned char Byte(absl::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

// The length of the valid sequence at the start of `text`, which is not empty; 0 when
// there is none (Unicode 15, table 3-7: no overlong forms, no surrogates).
size_t SequenceLength(absl::string_view text) {
  const unsigned char first = Byte(text, 0);
  if (first < 0x80) return 1;
  size_t length;
  unsigned char low = 0x80, high = 0xBF;  // range of the second byte
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length || Byte(text, 1) < low || Byte(text, 1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((Byte(text, i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// C0, DEL and C1 (U+0080 to U+009F), which some terminals obey.
bool HasControlCharacter(absl::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::ascii_iscntrl(Byte(text, i))) return true;
    if (Byte(text, i) == 0xC2 && i + 1 < text.size() && Byte(text, i + 1) <= 0x9F) return true;
  }
  return false;
}

}  // namespace

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string ToUtf8(absl::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    if (length == 0) {
      result.push_back('?');
      text.remove_prefix(1);
    } else {
      result.append(text.data(), length);
      text.remove_prefix(length);
    }
  }
  return result;
}

absl::Status CheckText(absl::string_view text, size_t max_bytes) {
  if (text.size() > max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("is ", text.size(), " bytes long, at most ", max_bytes, " are allowed"));
  }
  if (!IsUtf8(text)) return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " is not UTF-8"));
  if (HasControlCharacter(text)) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " holds a control character"));
  }
  return absl::OkStatus();
}

std::string Quoted(absl::string_view text) {
  const bool cut = text.size() > kMaxQuotedBytes;
  const std::string head = ToUtf8(text.substr(0, kMaxQuotedBytes));
  return absl::StrCat("'", absl::Utf8SafeCEscape(head), cut ? "...'" : "'");
}

Labels ParseLabels(const google::protobuf::Map<std::string, std::string>& labels, absl::string_view field,
                   FieldErrors& errors) {
  if (labels.size() > kMaxLabels) {
    errors.Add(std::string(field),
               absl::StrCat("has ", labels.size(), " labels, at most ", kMaxLabels, " are allowed"));
    return {};
  }
  const Labels sorted(labels.begin(), labels.end());
  for (const auto& [key, value] : sorted) {
    const std::string path =
        absl::StrCat(field, "[", absl::Utf8SafeCEscape(ToUtf8(key.substr(0, kMaxQuotedBytes))), "]");
    if (!CheckLabelKey(key).ok()) errors.Add(path, absl::StrCat(Quoted(key), " is not a label key"));
    if (!CheckLabelValue(value).ok()) errors.Add(path, absl::StrCat(Quoted(value), " is not a label value"));
  }
  return sorted;
}

}  // namespace benchfleet
