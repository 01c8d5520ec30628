#include "worker/suites/wake/epoll/arguments.h"

#include <charconv>
#include <set>
#include <utility>

namespace benchfleet::wake_epoll {

namespace {

using wake_runtime::Policy;

constexpr std::pair<std::string_view, Case> kCases[] = {
    {"handle_call.in_loop", Case::kHandleCallInLoop},
    {"handle_call.outside_loop", Case::kHandleCallOutsideLoop},
    {"frame.ready", Case::kFrameReady},
    {"frame.woken.same_thread", Case::kFrameWokenSameThread},
};

constexpr std::pair<std::string_view, Policy> kPolicies[] = {
    {"socket", Policy::kSocket},
    {"lookup", Policy::kLookup},
    {"counted", Policy::kCounted},
};

constexpr std::string_view kNames[] = {"case", "variant", "iterations", "batches", "conditioning_ns"};

template <typename Table, typename Value>
std::string ParseWord(const Table& table, std::string_view name, std::string_view text, Value* value) {
  std::string allowed;
  for (const auto& [word, meaning] : table) {
    if (word == text) {
      *value = meaning;
      return "";
    }
    allowed += allowed.empty() ? "" : ", ";
    allowed += word;
  }
  return "--" + std::string(name) + " must be one of " + allowed + ", is '" + std::string(text) + "'";
}

std::string ParseNumber(std::string_view name, std::string_view text, int64_t low, int64_t high, int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  if (error == std::errc() && end == text.data() + text.size() && *value >= low && *value <= high) return "";
  return "--" + std::string(name) + " must be a number from " + std::to_string(low) + " to " + std::to_string(high) +
         ", is '" + std::string(text) + "'";
}

std::string ParseOne(std::string_view name, std::string_view value, Arguments* arguments) {
  if (name == "case") return ParseWord(kCases, name, value, &arguments->wake_case);
  if (name == "variant") return ParseWord(kPolicies, name, value, &arguments->policy);
  if (name == "iterations") return ParseNumber(name, value, 1, kMaxIterations, &arguments->iterations);
  if (name == "batches") return ParseNumber(name, value, 1, kMaxBatches, &arguments->batches);
  if (name == "conditioning_ns") return ParseNumber(name, value, 0, kMaxConditioningNs, &arguments->conditioning_ns);
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

}  // namespace benchfleet::wake_epoll
