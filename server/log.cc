#include "server/log.h"

#include <memory>
#include <mutex>

#include "spdlog/sinks/base_sink.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace benchfleet {
namespace {

const char* LevelLabel(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::trace:
    case spdlog::level::debug:
      return "debug";
    case spdlog::level::info:
      return "info";
    case spdlog::level::warn:
      return "warning";
    default:
      return "error";
  }
}

// Writes nothing, counts.
class CountingSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void Count(CounterByLabels* counter) {
    std::lock_guard<std::mutex> lock(mutex_);
    counter_ = counter;
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (counter_ != nullptr) counter_->At({LevelLabel(message.level)}).Increment();
  }
  void flush_() override {}

 private:
  CounterByLabels* counter_ = nullptr;
};

// In the logger from the start, since a logger's sinks must not change while it logs.
std::shared_ptr<CountingSink>& Counting() {
  static auto& sink = *new std::shared_ptr<CountingSink>(std::make_shared<CountingSink>());
  return sink;
}

}  // namespace

void StartLog(const std::string& level) {
  const spdlog::sinks_init_list sinks = {std::make_shared<spdlog::sinks::stderr_sink_mt>(), Counting()};
  auto logger = std::make_shared<spdlog::logger>("", sinks);
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  spdlog::set_default_logger(std::move(logger));
  spdlog::set_level(spdlog::level::from_str(level));
}

LogCounting::LogCounting(CounterByLabels& counter) { Counting()->Count(&counter); }
LogCounting::~LogCounting() { Counting()->Count(nullptr); }

}  // namespace benchfleet
