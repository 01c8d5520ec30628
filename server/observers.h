// Turns what the parts report into metrics: the parts know no metric.
#ifndef BENCHFLEET_SERVER_OBSERVERS_H_
#define BENCHFLEET_SERVER_OBSERVERS_H_

#include "absl/strings/string_view.h"
#include "server/core/coordinator.h"
#include "server/metrics/service_metrics.h"
#include "server/rpc/rpc_support.h"
#include "server/store/store_observer.h"

namespace benchfleet {

// Each: thread-safe; borrows the metrics.
class CoordinatorMetrics final : public CoordinatorObserver {
 public:
  explicit CoordinatorMetrics(ServiceMetrics& metrics) : metrics_(metrics) {}
  void JobCreated(absl::string_view suite) override;
  void RequestReplayed() override;
  void JobEnded(absl::string_view suite, JobState state) override;
  void LeaseOffered() override;
  void OfferNotAccepted() override;
  void LeaseRenewed() override;
  void LeaseEnded(AttemptEnd end) override;
  void StaleResult() override;
  void LateChunk() override;
  void ChunkRepeated() override;
  void ChunkStored(size_t bytes) override;

 private:
  ServiceMetrics& metrics_;
};

class RpcMetrics final : public RpcObserver {
 public:
  explicit RpcMetrics(ServiceMetrics& metrics) : metrics_(metrics) {}
  void Started(absl::string_view service, absl::string_view method) override;
  void Handled(absl::string_view service, absl::string_view method, grpc::StatusCode code,
               absl::Duration elapsed) override;

 private:
  ServiceMetrics& metrics_;
};

// Also logs what the store cannot do.
class StoreMetrics final : public StoreObserver {
 public:
  explicit StoreMetrics(ServiceMetrics& metrics) : metrics_(metrics) {}
  void OnCommit(int works, const absl::Status& status, absl::Duration duration) override;
  void OnOperation(absl::string_view operation, const absl::Status& status, absl::Duration duration) override;

 private:
  ServiceMetrics& metrics_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_OBSERVERS_H_
