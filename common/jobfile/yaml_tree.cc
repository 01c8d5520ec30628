#include "common/jobfile/yaml_tree.h"

#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/wire/text_wire.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/parser.h"

namespace benchfleet {
namespace {

absl::Status ErrorAt(absl::string_view file_name, int line, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(file_name, ":", line, ": ", what));
}

// Builds the tree from the parser's events. Throws YAML::Exception, which ParseYaml()
// catches: the parser can be left in no other way.
class TreeBuilder final : public YAML::EventHandler {
 public:
  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Add(Make(mark, "", anchor, YamlNode::Kind::kNull));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw YAML::Exception(mark, "aliases are not supported");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = Make(mark, tag, anchor, YamlNode::Kind::kScalar);
    if (!IsUtf8(value)) throw YAML::Exception(mark, "an escape sequence makes invalid UTF-8");
    node.text = value;
    node.quoted = tag == "!";
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(mark, Make(mark, tag, anchor, YamlNode::Kind::kList));
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(mark, Make(mark, tag, anchor, YamlNode::Kind::kMap));
  }
  void OnMapEnd() override { Close(); }

 private:
  YamlNode Make(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    if (anchor != 0) throw YAML::Exception(mark, "anchors are not supported");
    // "?" is what the parser gives to plain text and "!" to quoted text.
    if (!tag.empty() && tag != "?" && tag != "!") throw YAML::Exception(mark, "tags are not supported");
    if (++nodes_ > kMaxYamlNodes) {
      throw YAML::Exception(mark, absl::StrCat("more than ", kMaxYamlNodes, " keys and values"));
    }
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    return node;
  }

  void Open(const YAML::Mark& mark, YamlNode node) {
    if (open_.size() >= kMaxYamlDepth) {
      throw YAML::Exception(mark, absl::StrCat("more than ", kMaxYamlDepth, " levels of nesting"));
    }
    if (AwaitsKey()) throw YAML::Exception(mark, "a key must be a word");
    open_.push_back(std::move(node));
  }

  void Close() {
    YamlNode node = std::move(open_.back());
    open_.pop_back();
    Add(std::move(node));
  }

  bool AwaitsKey() const {
    return !open_.empty() && open_.back().kind == YamlNode::Kind::kMap &&
           open_.back().keys.size() == open_.back().values.size();
  }

  void Add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (AwaitsKey()) {
      open_.back().keys.push_back(std::move(node.text));
      open_.back().key_lines.push_back(node.line);
    } else {
      open_.back().values.push_back(std::move(node));
    }
  }

  std::vector<YamlNode> open_;  // from the root to where the parser is
  YamlNode root_;
  int nodes_ = 0;
};

// What the parser would silently misread: other encodings and control characters, of
// which it takes one for the end of the file.
absl::Status CheckBytes(absl::string_view text, absl::string_view file_name) {
  if (text.size() > kMaxYamlBytes) {
    return ErrorAt(file_name, 1,
                   absl::StrCat("is ", text.size(), " bytes long, at most ", kMaxYamlBytes, " are allowed"));
  }
  int line = 1;
  while (!text.empty()) {
    const absl::string_view rest = text.substr(0, text.find('\n'));
    if (!IsUtf8(rest)) return ErrorAt(file_name, line, "is not UTF-8");
    for (const char c : rest) {
      const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      if (control && c != '\t' && c != '\r') return ErrorAt(file_name, line, "holds a control character");
    }
    text.remove_prefix(rest.size() < text.size() ? rest.size() + 1 : rest.size());
    ++line;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<YamlNode> ParseYaml(absl::string_view text, absl::string_view file_name) {
  BF_RETURN_IF_ERROR(CheckBytes(text, file_name));
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    TreeBuilder builder;
    if (!parser.HandleNextDocument(builder)) return ErrorAt(file_name, 1, "is empty");
    YamlNode root = builder.TakeRoot();
    TreeBuilder further;
    if (parser.HandleNextDocument(further)) {
      return ErrorAt(file_name, further.TakeRoot().line, "a second document begins, one is allowed");
    }
    return root;
  } catch (const YAML::Exception& error) {
    return ErrorAt(file_name, error.mark.is_null() ? 1 : error.mark.line + 1, error.msg);
  }
}

}  // namespace benchfleet
