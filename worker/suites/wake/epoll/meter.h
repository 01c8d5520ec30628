// Turns the borders between batches into times.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_METER_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_METER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "worker/suites/wake/epoll/arguments.h"
#include "worker/suites/wake/runtime/counters.h"

namespace benchfleet::wake_epoll {

// Conditioning batches first, untimed, then the timed ones. The clock is read at borders
// only; the state is checked between the end of one batch and the start of the next, in
// nobody's time.
class Meter {
 public:
  // `check_state` returns what is wrong with the state that is to be measured, or nothing.
  Meter(const Arguments& arguments, std::function<std::string()> check_state);

  int64_t iterations() const { return iterations_; }
  // To be called at each border, the first included. True when the last batch is over, or
  // when the state was wrong.
  bool Crossed();

  int64_t operations() const { return operations_; }
  const std::string& failure() const { return failure_; }
  void Fail(std::string failure);
  // One line of JSON, complete after the last batch.
  std::string ToJson() const;

 private:
  const int64_t iterations_;
  const size_t batches_;
  const int64_t conditioning_ns_;
  const std::function<std::string()> check_state_;
  enum class Phase { kNew, kConditioning, kTimed } phase_ = Phase::kNew;
  int64_t begin_ns_ = 0;
  int64_t operations_ = 0;  // conditioning included
  std::vector<int64_t> batch_ns_;
  wake_runtime::Counters before_;
  wake_runtime::Counters after_;
  std::string failure_;
};

}  // namespace benchfleet::wake_epoll

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_METER_H_
