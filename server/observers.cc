#include "server/observers.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace benchfleet {

void CoordinatorMetrics::JobCreated(absl::string_view suite) {
  metrics_.jobs_submitted.At({std::string(suite)}).Increment();
}
void CoordinatorMetrics::RequestReplayed() { metrics_.idempotent_replays.Increment(); }
void CoordinatorMetrics::JobEnded(absl::string_view suite, JobState state) {
  metrics_.jobs_finished.At({std::string(suite), std::string(Word(state))}).Increment();
}
void CoordinatorMetrics::LeaseOffered() { metrics_.lease_offers.Increment(); }
void CoordinatorMetrics::OfferNotAccepted() { metrics_.lease_offers_unaccepted.Increment(); }
void CoordinatorMetrics::LeaseRenewed() { metrics_.lease_renewals.Increment(); }
void CoordinatorMetrics::LeaseEnded(AttemptEnd end) {
  if (end == AttemptEnd::kHeartbeat || end == AttemptEnd::kDeadline || end == AttemptEnd::kSessionEnded) {
    metrics_.lease_expirations.At({std::string(Word(end))}).Increment();
  }
}
void CoordinatorMetrics::StaleResult() { metrics_.stale_completions.Increment(); }
void CoordinatorMetrics::LateChunk() { metrics_.chunks.At({"late"}).Increment(); }
void CoordinatorMetrics::ChunkRepeated() { metrics_.chunks.At({"duplicate"}).Increment(); }
void CoordinatorMetrics::ChunkStored(size_t /*bytes*/) { metrics_.chunks.At({"stored"}).Increment(); }

void RpcMetrics::Started(absl::string_view service, absl::string_view method) {
  metrics_.grpc.Started(absl::StrCat("/", service, "/", method));
}
void RpcMetrics::Handled(absl::string_view service, absl::string_view method, grpc::StatusCode code,
                         absl::Duration elapsed) {
  metrics_.grpc.Handled(absl::StrCat("/", service, "/", method), code, elapsed);
  if (method != "CreateJob") return;
  if (code == grpc::StatusCode::INVALID_ARGUMENT) metrics_.admission_rejections.At({"invalid"}).Increment();
  if (code == grpc::StatusCode::FAILED_PRECONDITION) metrics_.admission_rejections.At({"no_host"}).Increment();
}

void StoreMetrics::OnCommit(int works, const absl::Status& status, absl::Duration duration) {
  metrics_.db_commit_seconds.Observe(absl::ToDoubleSeconds(duration));
  metrics_.db_batch_operations.Observe(works);
  if (!status.ok()) spdlog::error("store: commit failed: {}", std::string(status.message()));
}
void StoreMetrics::OnOperation(absl::string_view operation, const absl::Status& status, absl::Duration /*duration*/) {
  // What a caller did wrong is the caller's news; what the store cannot do is ours.
  if (status.code() == absl::StatusCode::kInternal) {
    spdlog::error("store: {}: {}", std::string(operation), std::string(status.message()));
  }
}

}  // namespace benchfleet
