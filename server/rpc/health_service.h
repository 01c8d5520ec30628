// grpc.health.v1.Health, our own: gRPC's built-in one has no descriptor, which breaks
// every client that describes it by reflection.
#ifndef BENCHFLEET_SERVER_RPC_HEALTH_SERVICE_H_
#define BENCHFLEET_SERVER_RPC_HEALTH_SERVICE_H_

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "common/base/mutex.h"
#include "grpc/health/v1/health.grpc.pb.h"

namespace benchfleet {

// Thread-safety: safe.
class HealthService final : public grpc::health::v1::Health::CallbackService {
 public:
  // Knows "" and `services`; all begin NOT_SERVING.
  explicit HealthService(std::vector<std::string> services);
  ~HealthService() override;

  void SetServing(bool serving);
  // NOT_SERVING for good, and ends every Watch: a server that stops must not wait for them.
  void Stop();

  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const grpc::health::v1::HealthCheckRequest* request,
                                  grpc::health::v1::HealthCheckResponse* response) override;
  grpc::ServerWriteReactor<grpc::health::v1::HealthCheckResponse>* Watch(
      grpc::CallbackServerContext* context, const grpc::health::v1::HealthCheckRequest* request) override;

 private:
  class WatchReactor;

  bool Knows(const std::string& service) const;
  // Tells every watcher. Under the lock, so that no older news comes after newer.
  void SetServingLocked(bool serving) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::vector<std::string> services_;
  Mutex mutex_;
  bool serving_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<std::weak_ptr<WatchReactor>> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_HEALTH_SERVICE_H_
