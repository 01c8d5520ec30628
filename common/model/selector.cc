#include "common/model/selector.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

constexpr size_t kMaxNameBytes = 63;
constexpr size_t kMaxPrefixBytes = 253;
constexpr size_t kMaxExcerptBytes = 64;

bool IsNameChar(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; }

bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes && std::all_of(text.begin(), text.end(), IsNameChar) &&
         absl::ascii_isalnum(text.front()) && absl::ascii_isalnum(text.back());
}

// DNS subdomain: lower-case labels of [a-z0-9-] joined by dots.
bool IsPrefix(absl::string_view text) {
  if (text.empty() || text.size() > kMaxPrefixBytes) return false;
  char previous = '.';
  for (char c : text) {
    const bool alnum = absl::ascii_islower(c) || absl::ascii_isdigit(c);
    if (!alnum && c != '-' && c != '.') return false;
    if (!alnum && previous == '.') return false;
    if (c == '.' && previous == '-') return false;
    previous = c;
  }
  return previous != '.' && previous != '-';
}

// The beginning of a wrong text for a message: ASCII, whatever stood there.
std::string Excerpt(absl::string_view text) { return absl::CHexEscape(text.substr(0, kMaxExcerptBytes)); }

}  // namespace

absl::Status CheckLabelKey(absl::string_view key) {
  const size_t slash = key.find('/');
  const bool ok =
      slash == absl::string_view::npos ? IsName(key) : IsPrefix(key.substr(0, slash)) && IsName(key.substr(slash + 1));
  if (ok) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("'", Excerpt(key), "' is not a label key"));
}

absl::Status CheckLabelValue(absl::string_view value) {
  if (value.empty() || IsName(value)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("'", Excerpt(value), "' is not a label value"));
}

// Recursive descent over the text; each step knows its position for the error.
class SelectorParser {
 public:
  explicit SelectorParser(absl::string_view text) : text_(text) {}

  absl::StatusOr<Selector> Parse() {
    if (text_.size() > kMaxSelectorBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("is ", text_.size(), " bytes long, at most ", kMaxSelectorBytes, " are allowed"));
    }
    Selector selector;
    SkipSpace();
    while (!AtEnd()) {
      BF_ASSIGN_OR_RETURN(Selector::Requirement requirement, ParseRequirement());
      selector.requirements_.push_back(std::move(requirement));
      if (selector.requirements_.size() > kMaxSelectorRequirements) {
        return absl::InvalidArgumentError(absl::StrCat("has more than ", kMaxSelectorRequirements, " requirements"));
      }
      SkipSpace();
      if (AtEnd()) break;
      if (!Take(",")) return Expected("',' or the end");
      SkipSpace();
      if (AtEnd()) return Expected("a requirement");
    }
    std::vector<std::string> parts;
    for (const Selector::Requirement& r : selector.requirements_) parts.push_back(Spell(r));
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    selector.canonical_ = absl::StrJoin(parts, ",");
    return selector;
  }

 private:
  using Op = Selector::Requirement::Op;

  static std::string Spell(const Selector::Requirement& r) {
    switch (r.op) {
      case Op::kExists:
        return r.key;
      case Op::kNotExists:
        return absl::StrCat("!", r.key);
      case Op::kIn:
        if (r.values.size() == 1) return absl::StrCat(r.key, "=", r.values[0]);
        return absl::StrCat(r.key, " in (", absl::StrJoin(r.values, ","), ")");
      case Op::kNotIn:
        if (r.values.size() == 1) return absl::StrCat(r.key, "!=", r.values[0]);
        return absl::StrCat(r.key, " notin (", absl::StrJoin(r.values, ","), ")");
    }
    return "";
  }

  absl::StatusOr<Selector::Requirement> ParseRequirement() {
    Selector::Requirement r;
    const bool negated = Take("!");
    SkipSpace();
    const absl::string_view key = Word(/*slash=*/true);
    if (key.empty()) return Expected("a label key");
    if (absl::Status s = CheckLabelKey(key); !s.ok()) return s;
    r.key = std::string(key);
    SkipSpace();
    if (negated) {
      r.op = Op::kNotExists;
      return r;
    }
    if (Take("!=")) {
      r.op = Op::kNotIn;
      BF_RETURN_IF_ERROR(ParseValue(r));
    } else if (Take("==") || Take("=")) {
      r.op = Op::kIn;
      BF_RETURN_IF_ERROR(ParseValue(r));
    } else if (TakeWord("in")) {
      r.op = Op::kIn;
      BF_RETURN_IF_ERROR(ParseValueList(r));
    } else if (TakeWord("notin")) {
      r.op = Op::kNotIn;
      BF_RETURN_IF_ERROR(ParseValueList(r));
    } else {
      r.op = Op::kExists;
    }
    std::sort(r.values.begin(), r.values.end());
    r.values.erase(std::unique(r.values.begin(), r.values.end()), r.values.end());
    return r;
  }

  absl::Status ParseValue(Selector::Requirement& r) {
    SkipSpace();
    const absl::string_view value = Word(/*slash=*/false);
    BF_RETURN_IF_ERROR(CheckLabelValue(value));
    r.values.emplace_back(value);
    return absl::OkStatus();
  }

  absl::Status ParseValueList(Selector::Requirement& r) {
    SkipSpace();
    if (!Take("(")) return Expected("'('");
    do {
      BF_RETURN_IF_ERROR(ParseValue(r));
      if (r.values.size() > kMaxSelectorValues) {
        return absl::InvalidArgumentError(absl::StrCat("lists more than ", kMaxSelectorValues, " values"));
      }
      SkipSpace();
    } while (Take(","));
    if (!Take(")")) return Expected("',' or ')'");
    return absl::OkStatus();
  }

  absl::string_view Word(bool slash) {
    const size_t start = at_;
    while (!AtEnd() && (IsNameChar(text_[at_]) || (slash && text_[at_] == '/'))) ++at_;
    return text_.substr(start, at_ - start);
  }

  bool Take(absl::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  bool TakeWord(absl::string_view word) {
    const size_t end = at_ + word.size();
    if (end < text_.size() && IsNameChar(text_[end])) return false;
    return Take(word);
  }

  void SkipSpace() {
    while (!AtEnd() && absl::ascii_isspace(text_[at_])) ++at_;
  }

  bool AtEnd() const { return at_ >= text_.size(); }

  absl::Status Expected(absl::string_view what) const {
    const std::string found = AtEnd() ? std::string("the end") : absl::StrCat("'", Excerpt(text_.substr(at_)), "'");
    return absl::InvalidArgumentError(absl::StrCat("expected ", what, " at position ", at_ + 1, ", found ", found));
  }

  const absl::string_view text_;
  size_t at_ = 0;
};

absl::StatusOr<Selector> Selector::Parse(absl::string_view text) { return SelectorParser(text).Parse(); }

bool Selector::Matches(const Labels& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& r) {
    const auto label = labels.find(r.key);
    const bool present = label != labels.end();
    const bool listed = present && std::binary_search(r.values.begin(), r.values.end(), label->second);
    switch (r.op) {
      case Requirement::Op::kIn:
        return listed;
      case Requirement::Op::kNotIn:
        return !listed;
      case Requirement::Op::kExists:
        return present;
      case Requirement::Op::kNotExists:
        return !present;
    }
    return false;
  });
}

}  // namespace benchfleet
