// Which sources kSuiteVersion stands for.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_SUITE_DIGEST_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_SUITE_DIGEST_H_

#include "absl/strings/string_view.h"

namespace benchfleet::wake {

// SHA-256 of every file below runtime/, epoll/ and python/; a test compares it.
inline constexpr int kDigestedSuiteVersion = 1;
inline constexpr absl::string_view kSuiteDigest = "48dc64b0254a2f1b1c94a64a98d7bed958df332cead483eb0693102994e2aded";

}  // namespace benchfleet::wake

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_SUITE_DIGEST_H_
