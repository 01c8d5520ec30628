// A BenchmarkService that does what a test wrote down, on a port of its own.
#ifndef BENCHFLEET_TESTS_CLI_FAKE_BENCHMARK_SERVICE_H_
#define BENCHFLEET_TESTS_CLI_FAKE_BENCHMARK_SERVICE_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchfleet/v1/benchmark_service.grpc.pb.h"
#include "common/base/mutex.h"
#include "common/wire/status_wire.h"
#include "grpc/health/v1/health.grpc.pb.h"

namespace benchfleet {

inline grpc::Status ToGrpcForTest(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const google::rpc::Status proto = ToRpcStatus(status);
  return grpc::Status(static_cast<grpc::StatusCode>(proto.code()), proto.message(), proto.SerializeAsString());
}

// Thread-safety: safe.
class FakeBenchmarkService final : public v1::BenchmarkService::Service {
 public:
  // What it answers. Set before the client runs; Update() while it does.
  struct Script {
    v1::Job job;    // of CreateJob and, until all events are sent, of GetJob
    v1::Job ended;  // of GetJob after the events; unset while the job does not end
    v1::Report report;
    std::vector<v1::WatchJobResponse> events;
    absl::Status create_error;
    int unavailable_creates = 0;  // so many calls fail first
    int drop_after_event = 0;     // the first stream is lost after this event
    bool hang_cancel = false;     // CancelJob answers when the client has gone
    std::vector<v1::Worker> workers;
    std::vector<v1::Job> jobs;
  };
  struct Seen {
    std::vector<v1::CreateJobRequest> creates;
    std::vector<int64_t> watched_from;
    std::vector<std::string> cancelled;
    std::vector<v1::ListJobsRequest> lists;
    std::vector<bool> round_values;  // of each GetReport
  };

  explicit FakeBenchmarkService(Script script) : script_(std::move(script)) {}

  Seen seen() {
    MutexLock lock(mutex_);
    return seen_;
  }
  // Returns once a client watches, or cancels.
  void AwaitWatch() {
    MutexLock lock(mutex_);
    while (seen_.watched_from.empty()) changed_.Wait(mutex_);
  }
  void AwaitCancel() {
    MutexLock lock(mutex_);
    while (seen_.cancelled.empty()) changed_.Wait(mutex_);
  }

  grpc::Status CreateJob(grpc::ServerContext*, const v1::CreateJobRequest* request, v1::Job* job) override {
    MutexLock lock(mutex_);
    seen_.creates.push_back(*request);
    if (static_cast<int>(seen_.creates.size()) <= script_.unavailable_creates) {
      return ToGrpcForTest(absl::UnavailableError("starting"));
    }
    *job = script_.job;
    return ToGrpcForTest(script_.create_error);
  }

  grpc::Status GetJob(grpc::ServerContext*, const v1::GetJobRequest* request, v1::Job* job) override {
    MutexLock lock(mutex_);
    if (request->id() != script_.job.id()) return ToGrpcForTest(absl::NotFoundError("no job " + request->id()));
    *job = all_sent_ && script_.ended.state() != v1::JOB_STATE_UNSPECIFIED ? script_.ended : script_.job;
    return grpc::Status::OK;
  }

  grpc::Status ListJobs(grpc::ServerContext*, const v1::ListJobsRequest* request,
                        v1::ListJobsResponse* response) override {
    MutexLock lock(mutex_);
    seen_.lists.push_back(*request);
    // One job a page, so that every list of two has two.
    const size_t at = request->page_token().empty() ? 0 : std::stoul(request->page_token());
    if (at < script_.jobs.size()) *response->add_jobs() = script_.jobs[at];
    if (at + 1 < script_.jobs.size()) response->set_next_page_token(absl::StrCat(at + 1));
    return grpc::Status::OK;
  }

  grpc::Status CancelJob(grpc::ServerContext* context, const v1::CancelJobRequest* request, v1::Job* job) override {
    MutexLock lock(mutex_);
    seen_.cancelled.push_back(request->id());
    changed_.SignalAll();
    while (script_.hang_cancel && !context->IsCancelled()) {
      changed_.WaitWithTimeout(mutex_, absl::Milliseconds(10));
    }
    *job = script_.job;
    job->set_state(v1::JOB_STATE_CANCELLED);
    return grpc::Status::OK;
  }

  grpc::Status WatchJob(grpc::ServerContext* context, const v1::WatchJobRequest* request,
                        grpc::ServerWriter<v1::WatchJobResponse>* writer) override {
    MutexLock lock(mutex_);
    seen_.watched_from.push_back(request->from_event());
    changed_.SignalAll();
    for (const v1::WatchJobResponse& event : script_.events) {
      if (event.event() < request->from_event()) continue;
      writer->Write(event);
      if (event.event() == script_.drop_after_event && seen_.watched_from.size() == 1) {
        return ToGrpcForTest(absl::UnavailableError("stream lost"));
      }
    }
    all_sent_ = true;
    while (script_.ended.state() == v1::JOB_STATE_UNSPECIFIED && !context->IsCancelled()) {
      changed_.WaitWithTimeout(mutex_, absl::Milliseconds(10));
    }
    return grpc::Status::OK;
  }

  grpc::Status GetReport(grpc::ServerContext*, const v1::GetReportRequest* request, v1::Report* report) override {
    MutexLock lock(mutex_);
    seen_.round_values.push_back(request->round_values());
    *report = script_.report;
    return grpc::Status::OK;
  }

  grpc::Status ListWorkers(grpc::ServerContext*, const v1::ListWorkersRequest*,
                           v1::ListWorkersResponse* response) override {
    MutexLock lock(mutex_);
    for (const v1::Worker& worker : script_.workers) *response->add_workers() = worker;
    return grpc::Status::OK;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  Script script_ ABSL_GUARDED_BY(mutex_);
  Seen seen_ ABSL_GUARDED_BY(mutex_);
  bool all_sent_ ABSL_GUARDED_BY(mutex_) = false;
};

class FakeHealthService final : public grpc::health::v1::Health::Service {
 public:
  grpc::Status Check(grpc::ServerContext*, const grpc::health::v1::HealthCheckRequest*,
                     grpc::health::v1::HealthCheckResponse* response) override {
    response->set_status(grpc::health::v1::HealthCheckResponse::SERVING);
    return grpc::Status::OK;
  }
};

// Both services behind a port that the kernel chose.
class FakeServer {
 public:
  explicit FakeServer(FakeBenchmarkService::Script script) : service(std::move(script)) {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service);
    builder.RegisterService(&health_);
    server_ = builder.BuildAndStart();
    address = absl::StrCat("127.0.0.1:", port);
  }
  ~FakeServer() { Stop(); }
  // Ends the calls in progress; nothing listens afterwards.
  void Stop() { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address;
  FakeBenchmarkService service;

 private:
  FakeHealthService health_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_CLI_FAKE_BENCHMARK_SERVICE_H_
