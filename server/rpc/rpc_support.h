// What every rpc handler shares: where it runs, how it is counted, how errors leave.
#ifndef BENCHFLEET_SERVER_RPC_RPC_SUPPORT_H_
#define BENCHFLEET_SERVER_RPC_RPC_SUPPORT_H_

#include <grpcpp/grpcpp.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "server/rpc/executor.h"

namespace benchfleet {

// The status with its google.rpc details.
grpc::Status ToGrpc(const absl::Status& status);

// Counts calls. Thread-safety: safe. `service` and `method` are ours, never a client's text.
class RpcObserver {
 public:
  virtual ~RpcObserver() = default;
  virtual void Started(absl::string_view service, absl::string_view method) = 0;
  // `elapsed` is zero for calls whose length says nothing: streams and Sync.
  virtual void Handled(absl::string_view service, absl::string_view method, grpc::StatusCode code,
                       absl::Duration elapsed) = 0;
};

// UNAVAILABLE OVERLOADED: more calls wait than the executor takes.
absl::Status Overloaded();

// Runs `handler` (absl::Status(const Request&, Response&)) on the executor and finishes the call with its status.
template <typename Request, typename Response, typename Handler>
grpc::ServerUnaryReactor* RunUnary(Executor& executor, RpcObserver& observer, absl::string_view service,
                                   absl::string_view method, grpc::CallbackServerContext* context,
                                   const Request* request, Response* response, Handler handler) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  observer.Started(service, method);
  const absl::Duration start = MonotonicNow();
  const auto finish = [&observer, service, method, reactor, start](const absl::Status& status) {
    const grpc::Status result = ToGrpc(status);
    observer.Handled(service, method, result.error_code(), MonotonicNow() - start);
    reactor->Finish(result);
  };
  const bool taken = executor.TryRun(
      [request, response, finish, handler = std::move(handler)] { finish(handler(*request, *response)); });
  if (!taken) finish(Overloaded());
  return reactor;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_RPC_SUPPORT_H_
