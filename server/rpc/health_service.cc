#include "server/rpc/health_service.h"

#include <algorithm>
#include <utility>

namespace benchfleet {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

HealthCheckResponse::ServingStatus ToStatus(bool serving) {
  return serving ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
}

}  // namespace

// Writes the newest status whenever it differs from the last one written.
class HealthService::WatchReactor final : public grpc::ServerWriteReactor<HealthCheckResponse>,
                                          public std::enable_shared_from_this<WatchReactor> {
 public:
  static std::shared_ptr<WatchReactor> Make(bool known) {
    auto reactor = std::make_shared<WatchReactor>(known);
    reactor->self_ = reactor;
    return reactor;
  }
  explicit WatchReactor(bool known) : known_(known) {}

  void Set(bool serving) {
    {
      MutexLock lock(mutex_);
      wanted_ = known_ ? ToStatus(serving) : HealthCheckResponse::SERVICE_UNKNOWN;
      if (finished_ || writing_ || wanted_ == written_) return;
      BeginWriteLocked();
    }
    StartWrite(&message_);
  }

  void End() {
    {
      MutexLock lock(mutex_);
      if (finished_) return;
      ended_ = true;
      if (writing_) return;  // OnWriteDone finishes
      finished_ = true;
    }
    Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server stops"));
  }

  void OnWriteDone(bool ok) override {
    bool finish = false;
    {
      MutexLock lock(mutex_);
      writing_ = false;
      if (finished_) return;
      if (!ok || ended_) {
        finish = finished_ = true;
      } else if (wanted_ == written_) {
        return;
      } else {
        BeginWriteLocked();
      }
    }
    if (finish) {
      Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server stops"));
    } else {
      StartWrite(&message_);
    }
  }

  void OnCancel() override { End(); }
  void OnDone() override { self_.reset(); }

 private:
  void BeginWriteLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    writing_ = true;
    written_ = wanted_;
    message_.set_status(written_);
  }

  const bool known_;  // of an unknown service the protocol keeps the stream open: it may come
  std::shared_ptr<WatchReactor> self_;
  HealthCheckResponse message_;
  Mutex mutex_;
  HealthCheckResponse::ServingStatus wanted_ ABSL_GUARDED_BY(mutex_) = HealthCheckResponse::UNKNOWN;
  HealthCheckResponse::ServingStatus written_ ABSL_GUARDED_BY(mutex_) = HealthCheckResponse::UNKNOWN;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

HealthService::HealthService(std::vector<std::string> services) : services_(std::move(services)) {}
HealthService::~HealthService() = default;

bool HealthService::Knows(const std::string& service) const {
  return service.empty() || std::find(services_.begin(), services_.end(), service) != services_.end();
}

void HealthService::SetServingLocked(bool serving) {
  serving_ = serving;
  for (const auto& weak : watchers_) {
    if (const auto watcher = weak.lock()) watcher->Set(serving);
  }
}

void HealthService::SetServing(bool serving) {
  MutexLock lock(mutex_);
  if (!stopped_) SetServingLocked(serving);
}

void HealthService::Stop() {
  MutexLock lock(mutex_);
  SetServingLocked(false);
  stopped_ = true;
  for (const auto& weak : watchers_) {
    if (const auto watcher = weak.lock()) watcher->End();
  }
  watchers_.clear();
}

grpc::ServerUnaryReactor* HealthService::Check(grpc::CallbackServerContext* context, const HealthCheckRequest* request,
                                               HealthCheckResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  if (!Knows(request->service())) {
    reactor->Finish(grpc::Status(grpc::StatusCode::NOT_FOUND, "service: not one of this server"));
    return reactor;
  }
  {
    MutexLock lock(mutex_);
    response->set_status(ToStatus(serving_));
  }
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerWriteReactor<HealthCheckResponse>* HealthService::Watch(grpc::CallbackServerContext* /*context*/,
                                                                    const HealthCheckRequest* request) {
  const std::shared_ptr<WatchReactor> reactor = WatchReactor::Make(Knows(request->service()));
  MutexLock lock(mutex_);
  reactor->Set(serving_);
  if (stopped_) {
    reactor->End();
  } else {
    watchers_.remove_if([](const std::weak_ptr<WatchReactor>& w) { return w.expired(); });
    watchers_.push_back(reactor);
  }
  return reactor.get();
}

}  // namespace benchfleet
