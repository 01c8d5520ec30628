#include "server/rpc/benchmark_service.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/base/uuid.h"
#include "common/os/digest.h"
#include "common/wire/job_spec_wire.h"
#include "common/wire/states_wire.h"
#include "common/wire/text_wire.h"
#include "server/core/job_views.h"
#include "server/rpc/paging.h"
#include "server/rpc/report_view.h"
#include "server/rpc/views_wire.h"
#include "server/rpc/watch_call.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kService = "benchfleet.v1.BenchmarkService";
constexpr int kDefaultPage = 50;
constexpr int kDefaultSamplePage = 100;
constexpr int kMaxStates = 32;

absl::Status NotFound(absl::string_view reason, absl::string_view field, absl::string_view value) {
  return ErrorWithReason(absl::StatusCode::kNotFound, reason,
                         absl::StrCat(field, ": nothing has the name ", Quoted(value)));
}

absl::Status ReadJob(const RpcContext& rpc, const std::string& id, v1::Job& response) {
  return rpc.store.Read("get_job", [&](StoreReader& store) -> absl::Status {
    BF_ASSIGN_OR_RETURN(const JobView view, ReadJobView(store, JobId(id), rpc.clock.Now(), rpc.coordinator.options()));
    response = ToProto(view);
    return absl::OkStatus();
  });
}

absl::Status DoGetJob(const RpcContext& rpc, const v1::GetJobRequest& request, v1::Job& response) {
  return ReadJob(rpc, request.id(), response);
}

absl::Status DoCreateJob(const RpcContext& rpc, const v1::CreateJobRequest& request, v1::Job& response) {
  if (!request.request_id().empty() && !IsUuid(request.request_id())) {
    return FieldError("request_id", absl::StrCat(Quoted(request.request_id()), " is not a UUID"));
  }
  BF_ASSIGN_OR_RETURN(const JobSpec spec, ParseJobSpec(request.spec()));
  BF_ASSIGN_OR_RETURN(const JobId id, rpc.coordinator.CreateJob(spec, absl::AsciiStrToLower(request.request_id()),
                                                                Sha256Hex(SerializeJobSpec(spec))));
  return ReadJob(rpc, id.value(), response);
}

absl::Status DoListJobs(const RpcContext& rpc, const v1::ListJobsRequest& request, v1::ListJobsResponse& response) {
  if (request.states_size() > kMaxStates) {
    return FieldError("states",
                      absl::StrCat("has ", request.states_size(), " entries, at most ", kMaxStates, " are allowed"));
  }
  JobQuery query;
  std::string query_text = request.project();
  for (int i = 0; i < request.states_size(); ++i) {
    const absl::StatusOr<JobState> state = ParseJobState(request.states(i));
    if (!state.ok()) return FieldError(absl::StrCat("states[", i, "]"), state.status().message());
    query.states.push_back(*state);
    absl::StrAppend(&query_text, "\n", Word(*state));
  }
  BF_ASSIGN_OR_RETURN(const int page_size, ParsePageSize(request.page_size(), kDefaultPage));
  BF_ASSIGN_OR_RETURN(std::string before, ParsePageToken(request.page_token(), query_text));
  query.project = request.project();
  query.before = JobId(std::move(before));
  query.limit = page_size;
  return rpc.store.Read("list_jobs", [&](StoreReader& store) -> absl::Status {
    response.Clear();
    BF_ASSIGN_OR_RETURN(std::vector<JobRecord> jobs, store.ListJobs(query));
    size_t bytes = 0;
    for (size_t i = 0; i < jobs.size() && bytes < kMaxPageBytes; ++i) {
      BF_ASSIGN_OR_RETURN(const JobView view,
                          ReadJobView(store, std::move(jobs[i]), rpc.clock.Now(), rpc.coordinator.options()));
      *response.add_jobs() = ToProto(view);
      bytes += response.jobs().rbegin()->ByteSizeLong();
    }
    if (bytes >= kMaxPageBytes || response.jobs_size() == page_size) {
      response.set_next_page_token(MakePageToken(response.jobs().rbegin()->id(), query_text));
    }
    return absl::OkStatus();
  });
}

absl::Status DoCancelJob(const RpcContext& rpc, const v1::CancelJobRequest& request, v1::Job& response) {
  BF_RETURN_IF_ERROR(rpc.coordinator.CancelJob(JobId(request.id())));
  return ReadJob(rpc, request.id(), response);
}

absl::Status DoGetReport(const RpcContext& rpc, const v1::GetReportRequest& request, v1::Report& response) {
  return rpc.store.Read("get_report", [&](StoreReader& store) -> absl::Status {
    BF_ASSIGN_OR_RETURN(response, ReadReport(store, JobId(request.job_id()), rpc.clock.Now(), rpc.coordinator.options(),
                                             request.round_values()));
    return absl::OkStatus();
  });
}

absl::Status DoListSamples(const RpcContext& rpc, const v1::ListSamplesRequest& request,
                           v1::ListSamplesResponse& response) {
  const std::string query_text = absl::StrCat(request.run_id(), "\n", request.case_(), "\n", request.variant());
  BF_ASSIGN_OR_RETURN(const int page_size, ParsePageSize(request.page_size(), kDefaultSamplePage));
  BF_ASSIGN_OR_RETURN(const std::string after, ParsePageToken(request.page_token(), query_text));
  SampleQuery query;
  query.run_id = RunId(request.run_id());
  query.case_path = request.case_();
  query.variant = request.variant();
  query.limit = page_size;
  if (!after.empty() && !absl::SimpleAtoi(after, &query.after_position)) {
    return FieldError("page_token", "is not a token of this service");
  }
  return rpc.store.Read("list_samples", [&](StoreReader& store) -> absl::Status {
    response.Clear();
    BF_ASSIGN_OR_RETURN(const std::optional<RunRecord> run, store.FindRun(query.run_id));
    if (!run.has_value()) return NotFound("RUN_NOT_FOUND", "run_id", request.run_id());
    BF_ASSIGN_OR_RETURN(const std::vector<AttemptRecord> attempts, store.AttemptsOfRun(query.run_id));
    if (attempts.empty()) return absl::OkStatus();
    query.epoch = attempts.back().epoch;  // the one that ended the run, or is at it
    BF_ASSIGN_OR_RETURN(const std::vector<SampleRecord> samples, store.ListSamples(query));
    size_t bytes = 0;
    for (size_t i = 0; i < samples.size() && bytes < kMaxPageBytes; ++i) {
      *response.add_samples() = ToProto(samples[i]);
      bytes += response.samples().rbegin()->ByteSizeLong();
    }
    if (bytes >= kMaxPageBytes || response.samples_size() == page_size) {
      const int64_t last = samples[response.samples_size() - 1].position;
      response.set_next_page_token(MakePageToken(absl::StrCat(last), query_text));
    }
    return absl::OkStatus();
  });
}

absl::Status DoListWorkers(const RpcContext& rpc, const v1::ListWorkersRequest& request,
                           v1::ListWorkersResponse& response) {
  BF_ASSIGN_OR_RETURN(const int page_size, ParsePageSize(request.page_size(), kDefaultPage));
  BF_ASSIGN_OR_RETURN(const std::string after, ParsePageToken(request.page_token(), "workers"));
  return rpc.store.Read("list_workers", [&](StoreReader& store) -> absl::Status {
    response.Clear();
    BF_ASSIGN_OR_RETURN(std::vector<SessionRecord> sessions, store.ListHosts(HostName(after), page_size));
    size_t bytes = 0;
    for (size_t i = 0; i < sessions.size() && bytes < kMaxPageBytes; ++i) {
      BF_ASSIGN_OR_RETURN(const HostView view,
                          ReadHostView(store, std::move(sessions[i]), rpc.clock.Now(), rpc.coordinator.options()));
      *response.add_workers() = ToProto(view);
      bytes += response.workers().rbegin()->ByteSizeLong();
    }
    if (bytes >= kMaxPageBytes || response.workers_size() == page_size) {
      response.set_next_page_token(MakePageToken(response.workers().rbegin()->name(), "workers"));
    }
    return absl::OkStatus();
  });
}

absl::Status DoGetWorker(const RpcContext& rpc, const v1::GetWorkerRequest& request, v1::Worker& response) {
  return rpc.store.Read("get_worker", [&](StoreReader& store) -> absl::Status {
    BF_ASSIGN_OR_RETURN(std::optional<SessionRecord> session, store.NewestSession(HostName(request.name())));
    if (!session.has_value()) return NotFound("WORKER_NOT_FOUND", "name", request.name());
    BF_ASSIGN_OR_RETURN(const HostView view,
                        ReadHostView(store, *std::move(session), rpc.clock.Now(), rpc.coordinator.options()));
    response = ToProto(view);
    return absl::OkStatus();
  });
}

}  // namespace

grpc::ServerUnaryReactor* BenchmarkServiceImpl::CreateJob(grpc::CallbackServerContext* context,
                                                          const v1::CreateJobRequest* request, v1::Job* response) {
  return ServeUnary(context_, kService, "CreateJob", context, request, response, &DoCreateJob);
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::GetJob(grpc::CallbackServerContext* context,
                                                       const v1::GetJobRequest* request, v1::Job* response) {
  return ServeUnary(context_, kService, "GetJob", context, request, response, &DoGetJob);
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::ListJobs(grpc::CallbackServerContext* context,
                                                         const v1::ListJobsRequest* request,
                                                         v1::ListJobsResponse* response) {
  return ServeUnary(context_, kService, "ListJobs", context, request, response, &DoListJobs);
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::CancelJob(grpc::CallbackServerContext* context,
                                                          const v1::CancelJobRequest* request, v1::Job* response) {
  return ServeUnary(context_, kService, "CancelJob", context, request, response, &DoCancelJob);
}

grpc::ServerWriteReactor<v1::WatchJobResponse>* BenchmarkServiceImpl::WatchJob(grpc::CallbackServerContext* /*context*/,
                                                                               const v1::WatchJobRequest* request) {
  static constexpr absl::string_view kMethod = "WatchJob";
  context_.observer.Started(kService, kMethod);
  const auto call =
      WatchCallReactor::Start(context_.store, context_.board, context_.executor, JobId(request->id()),
                              request->from_event(), [&observer = context_.observer](grpc::StatusCode code) {
                                observer.Handled(kService, kMethod, code, absl::ZeroDuration());
                              });
  context_.hanging_calls.Add(call);
  return call.get();
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::GetReport(grpc::CallbackServerContext* context,
                                                          const v1::GetReportRequest* request, v1::Report* response) {
  return ServeUnary(context_, kService, "GetReport", context, request, response, &DoGetReport);
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::ListSamples(grpc::CallbackServerContext* context,
                                                            const v1::ListSamplesRequest* request,
                                                            v1::ListSamplesResponse* response) {
  return ServeUnary(context_, kService, "ListSamples", context, request, response, &DoListSamples);
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::ListWorkers(grpc::CallbackServerContext* context,
                                                            const v1::ListWorkersRequest* request,
                                                            v1::ListWorkersResponse* response) {
  return ServeUnary(context_, kService, "ListWorkers", context, request, response, &DoListWorkers);
}

grpc::ServerUnaryReactor* BenchmarkServiceImpl::GetWorker(grpc::CallbackServerContext* context,
                                                          const v1::GetWorkerRequest* request, v1::Worker* response) {
  return ServeUnary(context_, kService, "GetWorker", context, request, response, &DoGetWorker);
}

}  // namespace benchfleet
