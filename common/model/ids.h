// The ids of the domain.
#ifndef BENCHFLEET_COMMON_MODEL_IDS_H_
#define BENCHFLEET_COMMON_MODEL_IDS_H_

#include <cstdint>

#include "common/base/id.h"

namespace benchfleet {

using JobId = Id<struct JobIdTag>;          // UUIDv7
using RunId = Id<struct RunIdTag>;          // "<job id>/<index>"
using SessionId = Id<struct SessionIdTag>;  // UUIDv4, one per worker process start
using HostName = Id<struct HostNameTag>;    // a worker's name

// A lease's number; a later lease of the same run has a greater one. 0: never leased.
using LeaseEpoch = int64_t;

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_IDS_H_
