// Records for tests of stores.
#ifndef BENCHFLEET_TESTS_CONTRACT_STORE_EXAMPLES_H_
#define BENCHFLEET_TESTS_CONTRACT_STORE_EXAMPLES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "server/core/job_store.h"
#include "tests/common/wire/examples.h"

namespace benchfleet {

// The start of every test.
inline absl::Time TestTime() { return absl::FromUnixNanos(1'700'000'000'123'456'789); }

// Sorts by number, as UUIDv7 by time.
inline JobId TestJobId(int number) { return JobId(absl::StrFormat("0190a5c2-0000-7000-8000-%012d", number)); }

inline JobRecord TestJob(int number, std::string project = "default") {
  JobRecord job;
  job.id = TestJobId(number);
  job.spec.project = std::move(project);
  job.spec.labels = {{"team", "runtime"}};
  job.spec.commit = absl::StrCat("c", number);
  job.spec.branch = "main";
  job.spec.method.rounds = 9;
  job.spec.method.seed = 0xFEDCBA9876543210;
  job.spec.suite =
      WakeSpec{{"epoll", "asyncio"}, {"3.11"}, {"handle_call.in_loop", "frame.ready"}, {"socket", "lookup"}, "lookup"};
  job.create_time = TestTime() + absl::Seconds(number);
  return job;
}

inline RunRecord TestRun(const JobRecord& job, int index, absl::string_view selector = "", std::string host = "") {
  RunRecord run;
  run.id = RunId(absl::StrCat(job.id.value(), "/", index));
  run.job_id = job.id;
  run.index = index;
  run.selector = Selector::Parse(selector).value();
  run.bound_host = HostName(std::move(host));
  run.lease.expires_at = job.create_time + absl::Hours(24);
  return run;
}

inline RunLease Leased(RunLease lease, RunState state, LeaseEpoch epoch, const std::string& host,
                       const std::string& boot_id, absl::Time expires_at) {
  lease.state = state;
  lease.epoch = epoch;
  lease.owner = {HostName(host), boot_id};
  lease.expires_at = expires_at;
  if (state == RunState::kRunning) lease.deadline_at = expires_at + absl::Hours(1);
  return lease;
}

inline AttemptRecord TestAttempt(const RunId& run, LeaseEpoch epoch, const std::string& host = "a") {
  AttemptRecord attempt;
  attempt.run_id = run;
  attempt.epoch = epoch;
  attempt.host = HostName(host);
  attempt.start_time = TestTime() + absl::Nanoseconds(1);
  return attempt;
}

inline Chunk PlanChunk() { return {.index = 0, .crc32c = 0xFFFFFFFF, .payload = "plan", .content = ExamplePlan()}; }

inline Round TestRound(int index, int samples) {
  Round round = ExampleRound();
  round.index = index;
  round.warmup = index == 0;
  round.samples.clear();
  for (int i = 0; i < samples; ++i) {
    Sample sample = ExampleSample();
    sample.arm = {i % 2 == 0 ? "epoll/frame.ready" : "epoll/handle_call.in_loop", i % 3 == 0 ? "lookup" : "socket"};
    sample.slot = i;
    sample.batch_ns = {index * 1000 + i};
    round.samples.push_back(std::move(sample));
  }
  return round;
}

inline Chunk RoundsChunk(int index, std::vector<Round> rounds) {
  return {.index = index,
          .crc32c = static_cast<uint32_t>(index),
          .payload = absl::StrCat("chunk ", index),
          .content = std::move(rounds)};
}

inline SessionRecord TestSession(const std::string& id, const std::string& host) {
  SessionRecord session;
  session.id = SessionId(id);
  session.host = HostName(host);
  session.worker_id = "worker-" + host;
  session.labels = {{"arch", "x86_64"}, {"empty", ""}};
  session.facts = ExampleHostFacts();
  session.version = "0.1.0";
  session.open_time = TestTime();
  session.last_seen = TestTime() + absl::Nanoseconds(7);
  session.last_sequence = 3;
  session.wants_work = true;
  session.idle_reason = "draining";
  return session;
}

inline EventRecord TestEvent(const std::string& message) {
  EventRecord event;
  event.time = TestTime();
  event.message = message;
  return event;
}

// Numbers that lose something in every shorter form.
inline RunFigures TestFigures() {
  RunFigures figures;
  figures.rounds = 8;
  figures.failed_samples = 1;
  figures.summaries = {{.arm = {"epoll/frame.ready", "lookup"},
                        .measure = "wall",
                        .unit = "seconds",
                        .rounds = 8,
                        .median = 0.1 + 0.2,
                        .median_interval = Interval{5e-324, 1.7976931348623157e308},
                        .min = -0.0,
                        .max = 1.0,
                        .counters = {{"lookups", 1.0 / 3}, {"zero", 0.0}}},
                       {.arm = {"epoll/frame.ready", "socket"}, .measure = "cpu", .unit = "seconds", .rounds = 1}};
  figures.comparisons = {{.kind = "variant",
                          .base = {"epoll/frame.ready", "lookup"},
                          .contender = {"epoll/frame.ready", "socket"},
                          .measure = "wall",
                          .rounds = 8,
                          .ratio = 9007199254740993.0,
                          .ratio_interval = Interval{0.99, 1.01},
                          .level = 0.95,
                          .verdict = Verdict::kSlower,
                          .notes = {"too_few_rounds", ""}},
                         {.kind = "variant", .verdict = Verdict::kSame}};
  return figures;
}

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_CONTRACT_STORE_EXAMPLES_H_
