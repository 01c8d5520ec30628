// The coordinator over gRPC. Synchronous stubs only: the callback API would add a pool of
// threads to a host that measures.
#ifndef BENCHFLEET_WORKER_AGENT_GRPC_COORDINATOR_LINK_H_
#define BENCHFLEET_WORKER_AGENT_GRPC_COORDINATOR_LINK_H_

#include <memory>
#include <string>

#include "worker/agent/coordinator_link.h"

namespace benchfleet {

class GrpcCoordinatorLink final : public CoordinatorLink {
 public:
  // `address` is "host:port". Connects when the first call is made.
  explicit GrpcCoordinatorLink(const std::string& address);
  ~GrpcCoordinatorLink() override;

  absl::StatusOr<SessionTerms> OpenSession(const WorkerIdentity& worker, absl::Duration timeout) override;
  absl::StatusOr<CoordinatorAnswer> Sync(const SessionId& session, const WorkerStatement& statement,
                                         absl::Duration timeout) override;
  void CancelSync(int64_t sequence) override;
  absl::Status PutAttemptChunk(const SessionId& session, const AttemptChunk& chunk, absl::Duration timeout) override;
  absl::Status CompleteAttempt(const SessionId& session, const AttemptCompletion& completion) override;
  absl::Status CloseSession(const SessionId& session) override;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_GRPC_COORDINATOR_LINK_H_
