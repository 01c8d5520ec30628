#include "worker/suites/wake/epoll/meter.h"

#include <time.h>

#include <utility>

namespace benchfleet::wake_epoll {

namespace {

using wake_runtime::Counters;

int64_t ClockNs() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

Meter::Meter(const Arguments& arguments, std::function<std::string()> check_state)
    : iterations_(arguments.iterations),
      batches_(static_cast<size_t>(arguments.batches)),
      conditioning_ns_(arguments.conditioning_ns),
      check_state_(std::move(check_state)) {
  batch_ns_.reserve(batches_);
}

void Meter::Fail(std::string failure) {
  if (failure_.empty()) failure_ = std::move(failure);
}

bool Meter::Crossed() {
  const int64_t now_ns = ClockNs();
  if (std::string wrong = check_state_(); !wrong.empty()) {
    Fail(std::move(wrong));
    return true;
  }
  if (phase_ == Phase::kNew) {
    phase_ = Phase::kConditioning;
    begin_ns_ = ClockNs();
    return false;
  }
  operations_ += iterations_;
  if (phase_ == Phase::kConditioning) {
    if (now_ns - begin_ns_ < conditioning_ns_) return false;
    phase_ = Phase::kTimed;
    before_ = wake_runtime::tl_counters;
  } else {
    batch_ns_.push_back(now_ns - begin_ns_);
    if (batch_ns_.size() == batches_) {
      after_ = wake_runtime::tl_counters;
      return true;
    }
  }
  begin_ns_ = ClockNs();
  return false;
}

std::string Meter::ToJson() const {
  std::string json = "{\"batch_ns\": [";
  for (size_t i = 0; i < batch_ns_.size(); ++i) {
    json += (i == 0 ? "" : ", ") + std::to_string(batch_ns_[i]);
  }
  json += "], \"iterations\": " + std::to_string(iterations_) + ", \"counters\": {";
  constexpr std::pair<const char*, uint64_t Counters::*> kFields[] = {
      {"lookups", &Counters::lookups},
      {"direct_wakes", &Counters::direct_wakes},
      {"socket_wakes", &Counters::socket_wakes},
      {"socket_bytes_written", &Counters::socket_bytes_written},
      {"socket_bytes_read", &Counters::socket_bytes_read},
      {"parks", &Counters::parks},
      {"resumes", &Counters::resumes},
  };
  const char* separator = "";
  for (const auto& [name, field] : kFields) {
    json += std::string(separator) + "\"" + name + "\": " + std::to_string(after_.*field - before_.*field);
    separator = ", ";
  }
  return json + "}}";
}

}  // namespace benchfleet::wake_epoll
