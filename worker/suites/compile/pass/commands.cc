#include "worker/suites/compile/pass/commands.h"

#include <optional>

#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet::compile_pass {

namespace {

// Takes the next text off the front; nullopt when no NUL ends it.
std::optional<std::string_view> TakeText(std::string_view* rest) {
  const size_t end = rest->find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = rest->substr(0, end);
  rest->remove_prefix(end + 1);
  return text;
}

}  // namespace

std::string Commands::Open(const std::string& path) {
  return file_.Open(path, MappedFile::Access::kRead, kMaxCommandsBytes);
}

std::string Commands::Index() {
  std::string_view rest(file_.data(), file_.size());
  while (!rest.empty()) {
    if (offsets_.size() == kMaxPassCompiles) {
      return file_.path() + ": has more than " + std::to_string(kMaxPassCompiles) + " compiles";
    }
    const size_t compile = offsets_.size();
    offsets_.push_back(file_.size() - rest.size());
    if (std::string error = IndexOne(&rest); !error.empty()) {
      return file_.path() + ": compile " + std::to_string(compile) + " " + error;
    }
  }
  if (offsets_.size() < kMinPassCompiles) {
    return file_.path() + ": has " + std::to_string(offsets_.size()) + " compiles, at least " +
           std::to_string(kMinPassCompiles) + " are needed";
  }
  return "";
}

std::string Commands::IndexOne(std::string_view* rest) {
  for (int texts = 0;; ++texts) {
    const std::optional<std::string_view> text = TakeText(rest);
    if (!text.has_value()) return "is not ended";
    if (text->size() > kMaxTextBytes) {
      return "has a text of " + std::to_string(text->size()) + " bytes, at most " + std::to_string(kMaxTextBytes) +
             " are allowed";
    }
    if (text->empty()) return texts == 0 ? "has no log" : texts == 1 ? "has no program" : "";
    if (texts == 1 && text->front() != '/')
      return "has the program '" + std::string(*text) + "', which is no absolute path";
    if (texts > kMaxCompileArguments) return "has more than " + std::to_string(kMaxCompileArguments) + " arguments";
  }
}

}  // namespace benchfleet::compile_pass
