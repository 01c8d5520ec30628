// What the coordinator remembers, as plain values.
#ifndef BENCHFLEET_SERVER_CORE_RECORDS_H_
#define BENCHFLEET_SERVER_CORE_RECORDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "common/model/figures.h"
#include "common/model/host.h"
#include "common/model/ids.h"
#include "common/model/job_spec.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "common/model/states.h"
#include "server/core/lease_rules.h"

namespace benchfleet {

struct JobRecord {
  JobId id;
  JobSpec spec;
  JobState state = JobState::kQueued;
  absl::Time create_time;
  std::optional<absl::Time> end_time;
};

struct RunRecord {
  RunId id;
  JobId job_id;
  int index = 0;
  Selector selector;    // the job's, kept with the run so that matching reads one row
  HostName bound_host;  // the only host that may take it; empty: any that matches
  RunLease lease;
  int rounds_done = 0;     // by the newest attempt, warm-up included
  int rounds_planned = 0;  // of its plan, warm-up included; 0 before there is one
  std::string end_reason;
};

struct AttemptRecord {
  RunId run_id;
  LeaseEpoch epoch = 0;
  HostName host;
  absl::Time start_time;
  std::optional<absl::Time> end_time;
  std::optional<AttemptEnd> end;
  std::string detail;
  int chunks = 0;              // stored; indices 0 .. chunks-1
  uint32_t chunks_crc32c = 0;  // over their payloads in order
};

// One worker process from start to end.
struct SessionRecord {
  SessionId id;
  HostName host;
  std::string worker_id;  // kept in the worker's state directory
  Labels labels;          // built-in ones included
  HostFacts facts;
  std::string version;
  absl::Time open_time;
  absl::Time last_seen;
  int64_t last_sequence = 0;  // of its newest Sync
  bool wants_work = false;
  std::string idle_reason;
  bool closed = false;
};

// One event of a job, as WatchJob tells it.
struct EventRecord {
  int64_t number = 0;  // per job, from 1; chosen by the store
  absl::Time time;
  RunId run_id;  // empty: about the job
  std::string message;
  JobState job_state = JobState::kQueued;
  std::optional<RunState> run_state;
  HostName host;
  int rounds_done = 0;
  int rounds_planned = 0;
  std::optional<LeaseEpoch> plan_of;  // the event announces this attempt's plan
};

// One part of an attempt, decoded and valid.
struct Chunk {
  int index = 0;
  uint32_t crc32c = 0;  // of the payload
  std::string payload;  // as it came
  std::variant<RunPlan, std::vector<Round>> content;
};

struct SampleRecord {
  int64_t position = 0;  // within the attempt, in the order taken
  LeaseEpoch epoch = 0;
  int round = 0;
  bool warmup = false;
  Sample sample;
};

// Runs that wait for the same thing: matching looks at groups, not at runs.
struct QueueGroup {
  int64_t id = 0;
  Selector selector;
  HostName bound_host;
};

struct JobQuery {
  std::string project;           // empty: all
  std::vector<JobState> states;  // empty: all
  JobId before;                  // older than this one; empty: from the newest
  int limit = 50;
};

struct SampleQuery {
  RunId run_id;
  LeaseEpoch epoch = 0;
  std::string case_path;  // empty: all
  std::string variant;    // empty: all
  int64_t after_position = -1;
  int limit = 100;
};

// A succeeded run with its figures, for metrics.
struct ResultRecord {
  JobRecord job;
  RunRecord run;
  HostName host;
  absl::Time end_time;
  absl::Time first_end_time;  // of the first succeeded run of the same project, host and suite
  RunPlan plan;
  RunFigures figures;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_CORE_RECORDS_H_
