#include "worker/suites/wake/promises.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/str_cat.h"
#include "common/model/wake.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

// Per operation: look-ups, direct wakes, socket wakes, parks.
struct PromiseCase {
  const char* wake_case;
  const char* variant;
  int64_t lookups, direct, socket, parks;
};

constexpr PromiseCase kPromises[] = {
    {"handle_call.in_loop", "socket", 0, 0, 0, 0},
    {"handle_call.in_loop", "lookup", 1, 0, 0, 0},
    {"handle_call.in_loop", "counted", 0, 0, 0, 0},
    {"handle_call.outside_loop", "socket", 0, 0, 0, 0},
    {"handle_call.outside_loop", "lookup", 1, 0, 0, 0},
    {"handle_call.outside_loop", "counted", 0, 0, 0, 0},
    {"frame.ready", "socket", 0, 0, 0, 0},
    {"frame.ready", "lookup", 2, 0, 0, 0},
    {"frame.ready", "counted", 0, 0, 0, 0},
    {"frame.woken.same_thread", "socket", 0, 0, 1, 1},
    {"frame.woken.same_thread", "lookup", 2, 1, 0, 1},
    {"frame.woken.same_thread", "counted", 1, 1, 0, 1},
};

std::map<std::string, int64_t> Counters(const PromiseCase& promise, int64_t operations) {
  return {{"lookups", promise.lookups * operations},
          {"direct_wakes", promise.direct * operations},
          {"socket_wakes", promise.socket * operations},
          {"socket_bytes_written", promise.socket * operations},
          {"socket_bytes_read", promise.socket * operations},
          {"parks", promise.parks * operations},
          {"resumes", promise.parks * operations}};
}

TEST(PromisesTest, AreKnownForEveryLoopCaseAndVariant) {
  for (absl::string_view loop : wake::kLoops) {
    for (const PromiseCase& promise : kPromises) {
      const WakeMeasurement measurement{std::string(loop), promise.wake_case, promise.variant, 7, 20};
      const auto promised = PromisedCounters(measurement);
      ASSERT_TRUE(promised.ok()) << promised.status();
      EXPECT_EQ(*promised, Counters(promise, 140)) << loop << " " << promise.wake_case << " " << promise.variant;
      EXPECT_TRUE(CheckPromise(measurement, *promised).ok());
    }
  }
  EXPECT_EQ(std::size(kPromises), wake::kCases.size() * wake::kVariants.size());
}

TEST(PromisesTest, EveryCounterIsCheckedBothWays) {
  const WakeMeasurement measurement{"epoll", "frame.woken.same_thread", "socket", 50, 4};
  const auto promised = PromisedCounters(measurement);
  ASSERT_TRUE(promised.ok());
  for (const auto& [name, value] : *promised) {
    for (int64_t off : {-1, 1}) {
      auto counters = *promised;
      counters[name] = value + off;
      const absl::Status status = CheckPromise(measurement, counters);
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << name;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(absl::StrCat("counter ", name, " is ", value + off, ", promised is ", value)));
    }
    auto counters = *promised;
    counters.erase(name);
    EXPECT_THAT(std::string(CheckPromise(measurement, counters).message()),
                HasSubstr(absl::StrCat("counter ", name, " is missing")));
  }
}

TEST(PromisesTest, CounterThatNobodyPromisedIsRefused) {
  const WakeMeasurement measurement{"asyncio", "frame.ready", "counted", 1, 1};
  auto counters = *PromisedCounters(measurement);
  counters["surprises"] = 0;
  EXPECT_THAT(std::string(CheckPromise(measurement, counters).message()), HasSubstr("surprises"));
}

TEST(PromisesTest, RefusesWhatCannotBeMeasured) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const std::pair<WakeMeasurement, const char*> refused[] = {
      {{"kqueue", "frame.ready", "socket", 1, 1}, "loop 'kqueue'"},
      {{"epoll", "frame.lost", "socket", 1, 1}, "case 'frame.lost'"},
      {{"epoll", "frame.ready", "armed", 1, 1}, "variant 'armed'"},
      {{"epoll", "frame.ready", "socket", 0, 1}, "1 batches of 0 iterations"},
      {{"epoll", "frame.ready", "socket", 1, 0}, "0 batches of 1 iterations"},
      {{"epoll", "frame.ready", "socket", kMax / 2 + 1, 1}, "1 batches of"},
      {{"epoll", "frame.ready", "socket", kMax / 4, 3}, "3 batches of"},
  };
  for (const auto& [measurement, what] : refused) {
    const auto promised = PromisedCounters(measurement);
    EXPECT_EQ(promised.status().code(), absl::StatusCode::kInvalidArgument) << what;
    EXPECT_THAT(std::string(promised.status().message()), HasSubstr(what));
  }
  EXPECT_TRUE(PromisedCounters({"epoll", "frame.ready", "lookup", kMax / 2, 1}).ok());
}

}  // namespace
}  // namespace benchfleet
