// The gRPC listener with all its services.
#ifndef BENCHFLEET_SERVER_RPC_GRPC_SERVER_H_
#define BENCHFLEET_SERVER_RPC_GRPC_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/base/clock.h"
#include "server/core/coordinator.h"
#include "server/core/job_store.h"
#include "server/core/notice_board.h"
#include "server/rpc/rpc_support.h"

namespace grpc {
class Channel;
}

namespace benchfleet {

// Largest message taken: a chunk with room for its envelope.
inline constexpr int kMaxRequestBytes = 1024 * 1024;
inline constexpr int kMaxStreamsPerConnection = 64;

struct GrpcServerOptions {
  std::string listen = "127.0.0.1:7480";  // host:port; port 0 lets the kernel choose
  int executor_threads = kDefaultExecutorThreads;
};

// Thread-safety: safe, but nothing may run beside Stop() or come after it.
// Ownership: uses what it is given, which must outlive it.
class GrpcServer {
 public:
  // kInvalidArgument or kFailedPrecondition naming the address and the cause.
  static absl::StatusOr<std::unique_ptr<GrpcServer>> Start(const GrpcServerOptions& options, Coordinator& coordinator,
                                                           JobStore& store, const Clock& clock, NoticeBoard& board,
                                                           RpcObserver& observer);
  // Stops with no grace if Stop() was not called.
  ~GrpcServer();

  int port() const;
  void SetServing(bool serving);
  // A channel to the services without a socket.
  std::shared_ptr<grpc::Channel> InProcessChannel();

  // Ends hanging calls with UNAVAILABLE, gives the others `grace`, then cancels them.
  void Stop(absl::Duration grace);

 private:
  struct Parts;
  explicit GrpcServer(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

// The methods served, as "package.Service", "Method" and whether it is unary: for metrics.
struct ServedMethod {
  std::string service;
  std::string method;
  bool unary = true;
};
std::vector<ServedMethod> ServedMethods();

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_GRPC_SERVER_H_
