// A coordinator over a store in memory, with a clock that tests move, and small jobs.
#ifndef BENCHFLEET_TESTS_SERVER_CORE_CORE_FIXTURE_H_
#define BENCHFLEET_TESTS_SERVER_CORE_CORE_FIXTURE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/model/worker_name.h"
#include "common/os/digest.h"
#include "server/core/coordinator.h"
#include "server/core/job_views.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_job_store.h"

namespace benchfleet {

inline const Arm kBaseArm{"epoll/frame.ready", "lookup"};
inline const Arm kOtherArm{"epoll/frame.ready", "counted"};

inline JobSpec SmallSpec(absl::string_view selector = "", FanOut fan_out = FanOut::kAny) {
  JobSpec spec;
  spec.host_selector = *Selector::Parse(selector);
  spec.fan_out = fan_out;
  spec.suite = WakeSpec{{"epoll"}, {}, {"frame.ready"}, {"lookup", "counted"}, "lookup"};
  return spec;
}

inline RunPlan SmallPlan(int rounds) {
  RunPlan plan;
  plan.suite = "wake";
  plan.suite_version = 1;
  plan.schedule = Schedule::kRandom;
  plan.warmup_rounds = 1;
  plan.rounds = rounds;
  plan.cases.push_back({kBaseArm.case_path, {kBaseArm.variant, kOtherArm.variant}, 1000, 1, {}});
  plan.comparisons.push_back({"variant", kBaseArm, kOtherArm, "wall"});
  return plan;
}

inline Round SmallRound(int index) {
  Round round;
  round.index = index;
  round.warmup = index == 0;
  for (const Arm& arm : {kBaseArm, kOtherArm}) {
    Sample sample;
    sample.arm = arm;
    sample.iterations = 1000;
    sample.batch_ns = {1000 + index};
    round.samples.push_back(std::move(sample));
  }
  return round;
}

// Chunk 0 is the plan, chunk n round n-1. `payload` only has to differ.
inline Chunk SmallChunk(int index, const std::string& salt = "") {
  Chunk chunk;
  chunk.index = index;
  chunk.payload = absl::StrCat("chunk ", index, salt);
  chunk.crc32c = Crc32c(chunk.payload);
  if (index == 0) {
    chunk.content = SmallPlan(2);
  } else {
    chunk.content = std::vector<Round>{SmallRound(index - 1)};
  }
  return chunk;
}

inline uint32_t CrcOfChunks(int count) {
  uint32_t crc = 0;
  for (int i = 0; i < count; ++i) crc = Crc32c(SmallChunk(i).payload, crc);
  return crc;
}

struct Core {
  FakeClock clock;
  MemoryJobStore store;
  NoticeBoard board;
  CoordinatorObserver observer;
  Coordinator coordinator{store, clock, board, observer, {}};

  WorkerHello Hello(const std::string& host, const std::string& boot, Labels labels = {}) {
    WorkerHello hello;
    hello.host = HostName(host);
    hello.worker_id = "id-of-" + host;
    hello.facts.boot_id = boot;
    hello.labels = std::move(labels);
    hello.labels["host"] = host;
    hello.labels[SuiteLabel("wake")] = "";
    return hello;
  }
  SessionId Open(const std::string& host, const std::string& boot = "", Labels labels = {}) {
    return *coordinator.OpenSession(Hello(host, boot.empty() ? "boot-" + host : boot, std::move(labels)));
  }
  JobId Create(const JobSpec& spec = SmallSpec()) { return *coordinator.CreateJob(spec, "", "digest"); }

  absl::StatusOr<SyncAnswer> Sync(const SessionId& session, std::vector<HeldLease> leases = {},
                                  bool wants_work = true) {
    return coordinator.Sync({session, ++sequence, std::move(leases), wants_work, ""});
  }
  // Takes the lease that is offered and accepts it.
  GrantedLease TakeLease(const SessionId& session) {
    const SyncAnswer offer = *Sync(session);
    const GrantedLease& lease = offer.leases.at(0);
    return Sync(session, {{lease.run_id, lease.epoch, Listing::kHeld, ""}}, false)->leases.at(0);
  }
  absl::Status Put(const SessionId& session, const GrantedLease& lease, int index) {
    return coordinator.PutChunk(session, lease.run_id, lease.epoch, SmallChunk(index)).status();
  }
  absl::StatusOr<RunState> Complete(const SessionId& session, const GrantedLease& lease, AttemptEnd end, int chunks) {
    return coordinator.CompleteAttempt({session, lease.run_id, lease.epoch, end, "", chunks, CrcOfChunks(chunks)});
  }
  JobView View(const JobId& id) {
    JobView view;
    (void)store.Read("view", [&](StoreReader& reader) {
      auto read = ReadJobView(reader, id, clock.Now(), coordinator.options());
      if (read.ok()) view = *std::move(read);
      return read.status();
    });
    return view;
  }
  RunRecord Run(const RunId& id) {
    RunRecord run;
    (void)store.Read("run", [&](StoreReader& reader) {
      run = **reader.FindRun(id);
      return absl::OkStatus();
    });
    return run;
  }
  std::vector<std::string> Messages(const JobId& id) {
    std::vector<std::string> messages;
    (void)store.Read("events", [&](StoreReader& reader) {
      const auto events = reader.EventsOfJob(id, 1, 1000);
      for (const EventRecord& event : *events) messages.push_back(event.message);
      return absl::OkStatus();
    });
    return messages;
  }

  int64_t sequence = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_SERVER_CORE_CORE_FIXTURE_H_
