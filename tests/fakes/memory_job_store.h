// A JobStore in memory: what every engine must do, in the plainest way. Tests of the
// core run on it, and engines are compared with it.
//
// Thread-safety: safe; one unit of work at a time. Errors: kInternal and kAborted as the
// port says; kUnavailable only after FailNextWrites().
#ifndef BENCHFLEET_TESTS_FAKES_MEMORY_JOB_STORE_H_
#define BENCHFLEET_TESTS_FAKES_MEMORY_JOB_STORE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "common/base/mutex.h"
#include "server/core/job_store.h"

namespace benchfleet {

class MemoryJobStore final : public JobStore {
 public:
  // Epochs begin above `last_epoch`.
  explicit MemoryJobStore(LeaseEpoch last_epoch = 0) { state_.last_epoch = last_epoch; }

  absl::Status Write(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work) override;
  absl::Status Read(absl::string_view operation, absl::FunctionRef<absl::Status(StoreReader&)> work) override;

  // The next `count` writes fail with kUnavailable after their work has run.
  void FailNextWrites(int count);
  // Calls `hook` once, when the next unit of `operation` is over and before its caller
  // goes on: the one moment at which something else may happen in between.
  void AfterNext(std::string operation, std::function<void()> hook);
  // Units of work that counted.
  int64_t writes() const;
  // What stale leases sent, oldest first.
  std::vector<std::string> late_results() const;

 private:
  friend class MemoryTransaction;

  struct Run {
    RunRecord record;
    int64_t group_id = 0;
    absl::Time age;  // when its job was made
  };
  struct Attempt {
    AttemptRecord record;
    std::vector<uint32_t> crcs;
    std::optional<RunPlan> plan;
    std::vector<Round> rounds;
    std::vector<SampleRecord> samples;
    std::optional<RunFigures> figures;
  };
  struct Session {
    SessionRecord record;
    int64_t number = 0;  // in the order they came
  };
  using AttemptKey = std::pair<RunId, LeaseEpoch>;
  struct State {
    std::map<JobId, JobRecord> jobs;
    std::map<RunId, Run> runs;
    std::map<int64_t, QueueGroup> groups;
    std::map<AttemptKey, Attempt> attempts;
    std::map<JobId, std::vector<EventRecord>> events;
    std::map<SessionId, Session> sessions;
    std::map<std::string, StoreReader::RequestRecord> requests;
    std::map<int64_t, std::string> late_results;
    LeaseEpoch last_epoch = 0;
  };

  absl::Status DoWrite(absl::string_view operation, absl::FunctionRef<absl::Status(StoreWriter&)> work);
  absl::Status DoRead(absl::FunctionRef<absl::Status(StoreReader&)> work);
  void RunHook(absl::string_view operation);

  mutable Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_);
  int failures_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t writes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string hook_operation_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> hook_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_MEMORY_JOB_STORE_H_
