#include "worker/suites/compile/pass/arguments.h"

#include <charconv>
#include <set>
#include <utility>

#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet::compile_pass {

namespace {

constexpr std::pair<std::string_view, StrategyName> kStrategies[] = {
    {"serial", StrategyName::kSerial},
    {"threads", StrategyName::kThreads},
    {"processes", StrategyName::kProcesses},
    {"event_loop", StrategyName::kEventLoop},
};

constexpr std::string_view kNames[] = {"strategy", "limit", "commands", "records"};

std::string ParseStrategy(std::string_view text, StrategyName* strategy) {
  std::string allowed;
  for (const auto& [word, meaning] : kStrategies) {
    if (word == text) {
      *strategy = meaning;
      return "";
    }
    allowed += allowed.empty() ? "" : ", ";
    allowed += word;
  }
  return "--strategy must be one of " + allowed + ", is '" + std::string(text) + "'";
}

std::string ParseLimit(std::string_view text, int* limit) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *limit);
  if (error == std::errc() && end == text.data() + text.size() && *limit >= 1 && *limit <= kMaxPassLimit) return "";
  return "--limit must be a number from 1 to " + std::to_string(kMaxPassLimit) + ", is '" + std::string(text) + "'";
}

std::string ParsePath(std::string_view name, std::string_view text, std::string* path) {
  if (text.empty()) return "--" + std::string(name) + " must be a path, is ''";
  *path = text;
  return "";
}

std::string ParseOne(std::string_view name, std::string_view value, Arguments* arguments) {
  if (name == "strategy") return ParseStrategy(value, &arguments->strategy);
  if (name == "limit") return ParseLimit(value, &arguments->limit);
  if (name == "commands") return ParsePath(name, value, &arguments->commands);
  if (name == "records") return ParsePath(name, value, &arguments->records);
  return "unknown argument --" + std::string(name);
}

}  // namespace

std::string ParseArguments(const std::vector<std::string_view>& texts, Arguments* arguments) {
  std::set<std::string_view> given;
  for (std::string_view text : texts) {
    const size_t separator = text.find('=');
    if (!text.starts_with("--") || separator == std::string_view::npos) {
      return "'" + std::string(text) + "' is not of the form --name=value";
    }
    const std::string_view name = text.substr(2, separator - 2);
    if (std::string error = ParseOne(name, text.substr(separator + 1), arguments); !error.empty()) return error;
    if (!given.insert(name).second) return "--" + std::string(name) + " is given twice";
  }
  for (std::string_view name : kNames) {
    if (!given.contains(name)) return "--" + std::string(name) + " is missing";
  }
  return "";
}

}  // namespace benchfleet::compile_pass
