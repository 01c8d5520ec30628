// The client's side of BenchmarkService: deadlines, retries, errors with their details.
#ifndef BENCHFLEET_CLI_CONNECTION_H_
#define BENCHFLEET_CLI_CONNECTION_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchfleet/v1/benchmark_service.pb.h"

namespace benchfleet {

inline constexpr absl::Duration kCallDeadline = absl::Seconds(10);
inline constexpr int kMaxCallTries = 3;

// Every call but WatchJob() has kCallDeadline and is tried up to kMaxCallTries times while
// the server is unavailable; all of them may be repeated safely (CreateJob by its
// request_id). Errors carry the reason and field violations the server sent.
//
// Thread-safety: one call at a time, but Interrupt() may be called beside it.
class Connection {
 public:
  // "HOST:PORT". Connects at the first call.
  explicit Connection(std::string address);
  ~Connection();

  const std::string& address() const { return address_; }

  absl::StatusOr<v1::Job> CreateJob(const v1::CreateJobRequest& request);
  absl::StatusOr<v1::Job> GetJob(const std::string& id);
  absl::StatusOr<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request);
  absl::StatusOr<v1::Job> CancelJob(const std::string& id);
  // `round_values`: with the value of every round, which plots need.
  absl::StatusOr<v1::Report> GetReport(const std::string& job_id, bool round_values);
  absl::StatusOr<v1::ListWorkersResponse> ListWorkers(const v1::ListWorkersRequest& request);
  // The word of grpc.health.v1, for example "SERVING".
  absl::StatusOr<std::string> CheckHealth();

  // Calls `on_event` for each event until the job has ended (OK), the stream is lost
  // (kUnavailable), `deadline` has passed (kDeadlineExceeded) or Interrupt() (kCancelled).
  absl::Status WatchJob(const v1::WatchJobRequest& request, absl::Duration deadline,
                        const std::function<void(const v1::WatchJobResponse&)>& on_event);

  // Ends a WatchJob() in progress and each later one.
  void Interrupt();

 private:
  struct Rpc;
  std::string address_;
  std::unique_ptr<Rpc> rpc_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_CONNECTION_H_
