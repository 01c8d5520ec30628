// What every rpc handler shares: what it stands on, where it runs, how it is counted, how errors leave.
#ifndef BENCHFLEET_SERVER_RPC_RPC_SUPPORT_H_
#define BENCHFLEET_SERVER_RPC_RPC_SUPPORT_H_

#include <grpcpp/grpcpp.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "server/core/coordinator.h"
#include "server/core/job_store.h"
#include "server/core/notice_board.h"
#include "server/rpc/executor.h"
#include "server/rpc/hanging_calls.h"

namespace benchfleet {

// A client takes 8 KiB of trailers, or else reads RESOURCE_EXHAUSTED for the error: the message
// stands in them twice, with up to three bytes for one the first time.
inline constexpr size_t kMaxErrorMessageBytes = 1024;
inline constexpr size_t kMaxErrorDetailsBytes = 3 * 1024;

// kInvalidArgument INVALID_FIELD naming one field.
absl::Status FieldError(absl::string_view field, absl::string_view description);

// The status with its google.rpc details. Every error has a reason: the code's name where
// nothing better was said. What is too long is cut: the message, then fields from the last on.
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

// What the services stand on. All are used, none owned.
struct RpcContext {
  Coordinator& coordinator;
  JobStore& store;
  const Clock& clock;
  NoticeBoard& board;
  Executor& executor;
  HangingCalls& hanging_calls;
  RpcObserver& observer;
};

// Runs `handler` on the executor and finishes the call with its status. `rpc` outlives the call.
template <typename Request, typename Response>
grpc::ServerUnaryReactor* ServeUnary(const RpcContext& rpc, absl::string_view service, absl::string_view method,
                                     grpc::CallbackServerContext* context, const Request* request, Response* response,
                                     absl::Status (*handler)(const RpcContext&, const Request&, Response&)) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  rpc.observer.Started(service, method);
  const absl::Duration start = MonotonicNow();
  const auto finish = [&rpc, service, method, reactor, start](const absl::Status& status) {
    const grpc::Status result = ToGrpc(status);
    rpc.observer.Handled(service, method, result.error_code(), MonotonicNow() - start);
    reactor->Finish(result);
  };
  const bool taken =
      rpc.executor.TryRun([&rpc, request, response, finish, handler] { finish(handler(rpc, *request, *response)); });
  if (!taken) finish(Overloaded());
  return reactor;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_RPC_SUPPORT_H_
