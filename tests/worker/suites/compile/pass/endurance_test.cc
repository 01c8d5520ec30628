// Thousands of launches leave nothing behind in the pass program, and many at once are none too many.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <filesystem>

#include "tests/worker/suites/compile/pass/pass_fixture.h"

namespace benchfleet {
namespace {

// Of this process and what it starts, while it lives.
class ScopedDescriptorLimit {
 public:
  explicit ScopedDescriptorLimit(rlim_t descriptors) {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &previous_), 0);
    const rlimit lower{descriptors, previous_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
  }
  ~ScopedDescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &previous_); }
  ScopedDescriptorLimit(const ScopedDescriptorLimit&) = delete;
  ScopedDescriptorLimit& operator=(const ScopedDescriptorLimit&) = delete;

 private:
  rlimit previous_;
};

class EnduranceTest : public PassFixture, public ::testing::WithParamInterface<std::string> {};

// Every tenth cannot be started.
TEST_P(EnduranceTest, ThousandsOfLaunchesNeedFewDescriptors) {
  if (IsPython(GetParam()) && !std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
  const int launches = IsPython(GetParam()) ? 2'000 : 10'000;
  for (int i = 1; i <= launches; ++i) i % 10 == 0 ? AddProgram({folder_ / "missing"}) : Add({});
  {
    const ScopedDescriptorLimit few(32);
    ExpectSuccess(RunPass(GetParam(), 4));
  }
  for (int compile = 1; compile < compiles(); ++compile) {
    const bool missing = compile % 10 == 0;
    ASSERT_EQ(record(compile).status, missing ? kUnset : 0) << compile;
    ASSERT_EQ(record(compile).launch_errno, missing ? ENOENT : kUnset) << compile;
  }
  EXPECT_LE(Peak(), 4);
}

TEST_P(EnduranceTest, LargestLimitIsAccepted) {
  if (IsPython(GetParam()) && !std::filesystem::exists(kPython)) GTEST_SKIP() << "there is no " << kPython;
  for (int i = 0; i < kMaxPassLimit + 1; ++i) Add({"pause", "10"});
  ExpectSuccess(RunPass(GetParam(), kMaxPassLimit));
  for (int compile = 1; compile < compiles(); ++compile) ASSERT_EQ(record(compile).status, 0) << compile;
  EXPECT_LE(Peak(), kMaxPassLimit);
}

INSTANTIATE_TEST_SUITE_P(All, EnduranceTest, ::testing::ValuesIn(AllStrategies()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace benchfleet
