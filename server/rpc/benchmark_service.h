// BenchmarkService: messages in, the coordinator's answers out; no rule lives here.
#ifndef BENCHFLEET_SERVER_RPC_BENCHMARK_SERVICE_H_
#define BENCHFLEET_SERVER_RPC_BENCHMARK_SERVICE_H_

#include "benchfleet/v1/benchmark_service.grpc.pb.h"
#include "server/rpc/rpc_support.h"

namespace benchfleet {

// Thread-safety: safe.
class BenchmarkServiceImpl final : public v1::BenchmarkService::CallbackService {
 public:
  explicit BenchmarkServiceImpl(const RpcContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* CreateJob(grpc::CallbackServerContext* context, const v1::CreateJobRequest* request,
                                      v1::Job* response) override;
  grpc::ServerUnaryReactor* GetJob(grpc::CallbackServerContext* context, const v1::GetJobRequest* request,
                                   v1::Job* response) override;
  grpc::ServerUnaryReactor* ListJobs(grpc::CallbackServerContext* context, const v1::ListJobsRequest* request,
                                     v1::ListJobsResponse* response) override;
  grpc::ServerUnaryReactor* CancelJob(grpc::CallbackServerContext* context, const v1::CancelJobRequest* request,
                                      v1::Job* response) override;
  grpc::ServerWriteReactor<v1::WatchJobResponse>* WatchJob(grpc::CallbackServerContext* context,
                                                           const v1::WatchJobRequest* request) override;
  grpc::ServerUnaryReactor* GetReport(grpc::CallbackServerContext* context, const v1::GetReportRequest* request,
                                      v1::Report* response) override;
  grpc::ServerUnaryReactor* ListSamples(grpc::CallbackServerContext* context, const v1::ListSamplesRequest* request,
                                        v1::ListSamplesResponse* response) override;
  grpc::ServerUnaryReactor* ListWorkers(grpc::CallbackServerContext* context, const v1::ListWorkersRequest* request,
                                        v1::ListWorkersResponse* response) override;
  grpc::ServerUnaryReactor* GetWorker(grpc::CallbackServerContext* context, const v1::GetWorkerRequest* request,
                                      v1::Worker* response) override;

 private:
  const RpcContext context_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_RPC_BENCHMARK_SERVICE_H_
