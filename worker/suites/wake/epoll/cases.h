// The cases of the wake suite on the native loop.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_CASES_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_CASES_H_

#include <string>

#include "worker/suites/wake/epoll/arguments.h"

namespace benchfleet::wake_epoll {

// Measures one case; `json` is one line. Empty on success, else what went wrong.
std::string MeasureCase(const Arguments& arguments, std::string* json);

}  // namespace benchfleet::wake_epoll

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_EPOLL_CASES_H_
