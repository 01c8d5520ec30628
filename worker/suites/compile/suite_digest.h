// Which sources kSuiteVersion stands for.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_SUITE_DIGEST_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_SUITE_DIGEST_H_

#include "absl/strings/string_view.h"

namespace benchfleet::compile {

// SHA-256 of every file below probes/, pass/ and python/, of the table of probes and of how
// a compiler is called; a test compares it.
inline constexpr int kDigestedSuiteVersion = 1;
inline constexpr absl::string_view kSuiteDigest = "75b7e2f52eddc2e8ab0bc5837bca070e90fc77c017c363ca92b949549310ae5a";

}  // namespace benchfleet::compile

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_SUITE_DIGEST_H_
