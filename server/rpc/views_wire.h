// The coordinator's records as messages.
#ifndef BENCHFLEET_SERVER_RPC_VIEWS_WIRE_H_
#define BENCHFLEET_SERVER_RPC_VIEWS_WIRE_H_

#include <optional>

#include "benchfleet/v1/benchmark_service.pb.h"
#include "benchfleet/v1/job.pb.h"
#include "benchfleet/v1/worker.pb.h"
#include "server/core/job_views.h"
#include "server/core/records.h"

namespace benchfleet {

v1::Job ToProto(const JobView& view);
v1::Worker ToProto(const HostView& view);
// `plan` goes with an event that announces one.
v1::WatchJobResponse ToProto(const EventRecord& event, const std::optional<RunPlan>& plan);
v1::SampleRecord ToProto(const SampleRecord& record);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_VIEWS_WIRE_H_
