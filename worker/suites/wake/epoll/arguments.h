// The arguments of benchfleet-wake-epoll.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_ARGUMENTS_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/suites/wake/runtime/policy.h"

namespace benchfleet::wake_epoll {

inline constexpr int64_t kMaxIterations = 1'000'000'000;
inline constexpr int64_t kMaxBatches = 1000;
inline constexpr int64_t kMaxConditioningNs = 60'000'000'000;

enum class Case { kHandleCallInLoop, kHandleCallOutsideLoop, kFrameReady, kFrameWokenSameThread };

struct Arguments {
  Case wake_case = Case::kHandleCallInLoop;
  wake_runtime::Policy policy = wake_runtime::Policy::kSocket;
  int64_t iterations = 0;
  int64_t batches = 0;
  int64_t conditioning_ns = 0;
};

// Each as --name=value, all of them, once. Empty on success, else what is wrong.
std::string ParseArguments(const std::vector<std::string_view>& texts, Arguments* arguments);

}  // namespace benchfleet::wake_epoll

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_ARGUMENTS_H_
