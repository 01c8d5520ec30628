// Which sources kSuiteVersion stands for.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_SUITE_DIGEST_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_SUITE_DIGEST_H_

#include "absl/strings/string_view.h"

namespace benchfleet::wake {

// SHA-256 of every file below runtime/, epoll/ and python/; a test compares it.
inline constexpr int kDigestedSuiteVersion = 1;
inline constexpr absl::string_view kSuiteDigest = "unset";

}  // namespace benchfleet::wake

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_SUITE_DIGEST_H_
