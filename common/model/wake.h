// The names of the wake suite.
#ifndef BENCHFLEET_COMMON_MODEL_WAKE_H_
#define BENCHFLEET_COMMON_MODEL_WAKE_H_

#include <array>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace benchfleet {

namespace wake {

// Grows with every change of what is measured; a digest test fails when it is forgotten.
inline constexpr int kSuiteVersion = 1;

inline constexpr absl::string_view kEpoll = "epoll";      // our native loop
inline constexpr absl::string_view kAsyncio = "asyncio";  // CPython's, one per interpreter
inline constexpr std::array<absl::string_view, 2> kLoops = {kEpoll, kAsyncio};

// A handle call made inside a loop that has polled, with nothing that could wake.
inline constexpr absl::string_view kHandleCallInLoop = "handle_call.in_loop";
// The same call where no loop runs.
inline constexpr absl::string_view kHandleCallOutsideLoop = "handle_call.outside_loop";
// A frame written and read; the read never suspends.
inline constexpr absl::string_view kFrameReady = "frame.ready";
// A frame read first, so that the reader parks, then written by the loop's own thread.
inline constexpr absl::string_view kFrameWokenSameThread = "frame.woken.same_thread";
inline constexpr std::array<absl::string_view, 4> kCases = {kHandleCallInLoop, kHandleCallOutsideLoop, kFrameReady,
                                                            kFrameWokenSameThread};

// Every wake goes through the loop's socket pair.
inline constexpr absl::string_view kSocket = "socket";
// A same-thread wake is direct; every handle call looks the running loop up.
inline constexpr absl::string_view kLookup = "lookup";
// A same-thread wake is direct; the running loop is looked up only while its count of
// what may wake is nonzero.
inline constexpr absl::string_view kCounted = "counted";
inline constexpr std::array<absl::string_view, 3> kVariants = {kSocket, kLookup, kCounted};

}  // namespace wake

// Parameters of the suite; every list is non-empty but `interpreters`, where empty
// means every interpreter of the host.
struct WakeSpec {
  std::vector<std::string> loops;
  std::vector<std::string> interpreters;  // version prefixes, "3.11" or "3.11.2"
  std::vector<std::string> cases;
  std::vector<std::string> variants;  // holds the baseline
  std::string baseline;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_WAKE_H_
