#include "common/model/ids.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace benchfleet {
namespace {

// The ids of the domain never stand in for each other.
template <typename A, typename B>
inline constexpr bool kApart =
    !std::is_same_v<A, B> && !std::is_constructible_v<A, B> && !std::is_constructible_v<B, A>;
static_assert(kApart<JobId, RunId> && kApart<JobId, SessionId> && kApart<JobId, HostName>);
static_assert(kApart<RunId, SessionId> && kApart<RunId, HostName> && kApart<SessionId, HostName>);

TEST(IdsTest, RunsOfOneJobSortByTheirText) {
  EXPECT_LT(RunId("a/0"), RunId("a/1"));
  EXPECT_NE(RunId("a/1"), RunId("a/10"));
}

}  // namespace
}  // namespace benchfleet
