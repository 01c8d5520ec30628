// WorkerService: messages in, the coordinator's answers out; no rule lives here.
#ifndef BENCHFLEET_SERVER_RPC_WORKER_SERVICE_H_
#define BENCHFLEET_SERVER_RPC_WORKER_SERVICE_H_

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "benchfleet/v1/worker_service.grpc.pb.h"
#include "common/base/mutex.h"
#include "server/rpc/rpc_support.h"
#include "server/rpc/sync_call.h"

namespace benchfleet {

inline constexpr int kMaxChunkBytes = 256 * 1024;
inline constexpr int kProtocolVersion = 1;
inline constexpr size_t kMaxDetailBytes = 8 * 1024;

// Thread-safety: safe.
class WorkerServiceImpl final : public v1::WorkerService::CallbackService {
 public:
  explicit WorkerServiceImpl(const RpcContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* OpenSession(grpc::CallbackServerContext* context, const v1::OpenSessionRequest* request,
                                        v1::OpenSessionResponse* response) override;
  grpc::ServerUnaryReactor* Sync(grpc::CallbackServerContext* context, const v1::SyncRequest* request,
                                 v1::SyncResponse* response) override;
  grpc::ServerUnaryReactor* PutAttemptChunk(grpc::CallbackServerContext* context,
                                            const v1::PutAttemptChunkRequest* request,
                                            v1::PutAttemptChunkResponse* response) override;
  grpc::ServerUnaryReactor* CompleteAttempt(grpc::CallbackServerContext* context,
                                            const v1::CompleteAttemptRequest* request,
                                            v1::CompleteAttemptResponse* response) override;
  grpc::ServerUnaryReactor* CloseSession(grpc::CallbackServerContext* context, const v1::CloseSessionRequest* request,
                                         v1::CloseSessionResponse* response) override;

 private:
  struct Latest {
    int64_t sequence = 0;
    std::weak_ptr<SyncCallReactor> call;
  };

  // Ends the session's older hanging Sync, which the new one supersedes.
  void Supersede(const std::string& session_id, int64_t sequence, const std::shared_ptr<SyncCallReactor>& call);

  const RpcContext context_;
  Mutex mutex_;
  absl::flat_hash_map<std::string, Latest> latest_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_WORKER_SERVICE_H_
