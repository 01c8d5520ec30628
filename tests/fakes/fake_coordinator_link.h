// A coordinator in memory, behind the worker's port: it offers what the test says,
// follows the lease rules, keeps chunks and ends, and can go away or refuse.
#ifndef BENCHFLEET_TESTS_FAKES_FAKE_COORDINATOR_LINK_H_
#define BENCHFLEET_TESTS_FAKES_FAKE_COORDINATOR_LINK_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/base/mutex.h"
#include "common/model/states.h"
#include "common/os/digest.h"
#include "worker/agent/coordinator_link.h"

namespace benchfleet {

// Thread-safety: safe.
class FakeCoordinatorLink final : public CoordinatorLink {
 public:
  struct Lease {
    GrantState state = GrantState::kOffered;
    bool live = true;
    bool cancel = false;
    absl::StatusOr<JobSpec> spec = JobSpec();
    std::vector<std::string> chunks;
    std::optional<AttemptCompletion> completion;
    std::string release_reason;
  };

  // All that happened, in order: "open", "sync wants", "sync held <token>", "chunk 0 <token>",
  // "complete succeeded <token>", "close". Refused and unreachable calls are not in it.
  std::vector<std::string> log() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return log_;
  }
  std::optional<Lease> Find(const LeaseKey& key) const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    const auto it = leases_.find(key);
    return it == leases_.end() ? std::nullopt : std::optional<Lease>(it->second);
  }
  // Chunks and ends that were sent while it was away.
  int unreached_uploads() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return unreached_uploads_;
  }
  // How long each call with a chunk would have waited.
  std::vector<absl::Duration> chunk_timeouts() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return chunk_timeouts_;
  }
  WorkerStatement last_statement() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return last_statement_;
  }

  // Offered once the worker wants work.
  void Queue(const LeaseKey& key, absl::StatusOr<JobSpec> spec = JobSpec()) {
    MutexLock lock(mutex_);
    queue_.emplace_back(key, std::move(spec));
    TellLocked();
  }
  // As if an earlier process of the worker had accepted it.
  void AddRunning(const LeaseKey& key) {
    MutexLock lock(mutex_);
    leases_[key].state = GrantState::kRunning;
    TellLocked();
  }
  void Cancel(const LeaseKey& key) {
    MutexLock lock(mutex_);
    leases_[key].cancel = true;
    TellLocked();
  }
  // The lease passes on: nothing of it is accepted any more.
  void Lose(const LeaseKey& key) {
    MutexLock lock(mutex_);
    leases_[key].live = false;
    TellLocked();
  }
  // As Lose(), but the worker hears of it only when it sends something.
  void LoseSilently(const LeaseKey& key) {
    MutexLock lock(mutex_);
    leases_[key].live = false;
  }
  void SetReachable(bool reachable) {
    MutexLock lock(mutex_);
    reachable_ = reachable;
    TellLocked();
  }
  void EndSession() {
    MutexLock lock(mutex_);
    session_.clear();
    TellLocked();
  }
  // Every later chunk of this index or above is refused; OK lifts it.
  void RefuseChunksFrom(int index, absl::Status why) {
    MutexLock lock(mutex_);
    refuse_from_ = index;
    refusal_ = std::move(why);
    TellLocked();
  }
  void RefuseSessions(absl::Status why) {
    MutexLock lock(mutex_);
    session_refusal_ = std::move(why);
    TellLocked();
  }
  void set_terms(SessionTerms terms) {
    MutexLock lock(mutex_);
    terms_ = std::move(terms);
    TellLocked();
  }

  // Waits until `holds` is true of this fake; it is asked after everything that happens.
  // False after `patience`: the test has failed.
  bool WaitUntil(const std::function<bool()>& holds, absl::Duration patience = absl::Seconds(20)) const
      ABSL_LOCKS_EXCLUDED(mutex_) {
    const absl::Duration deadline = MonotonicNow() + patience;
    while (true) {
      int64_t seen = 0;
      {
        MutexLock lock(mutex_);
        seen = version_;
      }
      if (holds()) return true;
      MutexLock lock(mutex_);
      while (version_ == seen) {
        if (MonotonicNow() >= deadline) return false;
        changed_.WaitWithTimeout(mutex_, deadline - MonotonicNow());
      }
    }
  }

  absl::StatusOr<SessionTerms> OpenSession(const WorkerIdentity&, absl::Duration) override ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    if (!reachable_) return absl::UnavailableError("the fake is away");
    if (!session_refusal_.ok()) return session_refusal_;
    session_ = absl::StrCat("session-", ++sessions_);
    NoteLocked("open");
    SessionTerms terms = terms_;
    terms.id = SessionId(session_);
    return terms;
  }

  absl::StatusOr<CoordinatorAnswer> Sync(const SessionId& session, const WorkerStatement& statement,
                                         absl::Duration timeout) override ABSL_LOCKS_EXCLUDED(mutex_) {
    const absl::Duration deadline = MonotonicNow() + timeout;
    MutexLock lock(mutex_);
    if (absl::Status status = CheckSessionLocked(session); !status.ok()) return status;
    last_statement_ = statement;
    NoteLocked(Describe(statement));
    bool news = ApplyLocked(statement);
    int64_t seen = version_;
    while (!news) {
      if (cancelled_sequence_ >= statement.sequence) return absl::CancelledError("not needed any more");
      if (MonotonicNow() >= deadline) return absl::DeadlineExceededError("the fake had nothing to say");
      changed_.WaitWithTimeout(mutex_, deadline - MonotonicNow());
      if (absl::Status status = CheckSessionLocked(session); !status.ok()) return status;
      news = (version_ != seen && HasNewsLocked(statement)) || OfferLocked(statement);
      seen = version_;
    }
    return AnswerLocked(statement.sequence);
  }

  void CancelSync(int64_t sequence) override {
    MutexLock lock(mutex_);
    cancelled_sequence_ = std::max(cancelled_sequence_, sequence);
    TellLocked();
  }

  absl::Status PutAttemptChunk(const SessionId& session, const AttemptChunk& chunk, absl::Duration timeout) override
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    chunk_timeouts_.push_back(timeout);
    if (absl::Status status = CheckUploadLocked(session); !status.ok()) return status;
    const auto it = leases_.find(chunk.lease);
    if (it == leases_.end() || !it->second.live) return Stale();
    if (!refusal_.ok() && chunk.index >= refuse_from_) {
      NoteLocked("refused");
      return refusal_;
    }
    std::vector<std::string>& chunks = it->second.chunks;
    if (chunk.index > static_cast<int>(chunks.size())) return Refuse("CHUNK_GAP");
    if (chunk.index < static_cast<int>(chunks.size())) {
      return chunks[chunk.index] == chunk.payload ? absl::OkStatus() : Refuse("CHUNK_CONFLICT");
    }
    chunks.push_back(chunk.payload);
    NoteLocked(absl::StrCat("chunk ", chunk.index, " ", AttemptToken(chunk.lease)));
    return absl::OkStatus();
  }

  absl::Status CompleteAttempt(const SessionId& session, const AttemptCompletion& completion) override
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    if (absl::Status status = CheckUploadLocked(session); !status.ok()) return status;
    const auto it = leases_.find(completion.lease);
    if (it == leases_.end()) return Stale();
    Lease& lease = it->second;
    if (lease.completion.has_value()) {
      return *lease.completion == completion ? absl::OkStatus() : Refuse("RESULT_CONFLICT");
    }
    if (!lease.live) return Stale();
    uint32_t crc = 0;
    for (const std::string& chunk : lease.chunks) crc = Crc32c(chunk, crc);
    if (completion.chunk_count != static_cast<int>(lease.chunks.size()) || completion.chunks_crc32c != crc) {
      return Refuse("CHUNK_GAP");
    }
    lease.completion = completion;
    lease.live = false;
    NoteLocked(absl::StrCat("complete ", Word(completion.end), " ", AttemptToken(completion.lease)));
    return absl::OkStatus();
  }

  absl::Status CloseSession(const SessionId& session) override ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    if (absl::Status status = CheckSessionLocked(session); !status.ok()) return status;
    session_.clear();
    NoteLocked("close");
    return absl::OkStatus();
  }

 private:
  static absl::Status Refuse(absl::string_view reason) {
    return ErrorWithReason(absl::StatusCode::kFailedPrecondition, reason, reason);
  }
  static absl::Status Stale() { return Refuse("STALE_LEASE"); }

  static std::string Describe(const WorkerStatement& statement) {
    std::string text = absl::StrCat("sync", statement.wants_work ? " wants" : "");
    for (const StatedLease& stated : statement.leases) {
      const absl::string_view as = stated.as == StatedAs::kHeld         ? "held"
                                   : stated.as == StatedAs::kCancelling ? "cancelling"
                                                                        : "released";
      absl::StrAppend(&text, " ", as, " ", AttemptToken(stated.lease));
    }
    return text;
  }

  void TellLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    ++version_;
    changed_.SignalAll();
  }
  void NoteLocked(std::string what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    log_.push_back(std::move(what));
    TellLocked();
  }
  absl::Status CheckSessionLocked(const SessionId& session) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!reachable_) return absl::UnavailableError("the fake is away");
    if (session.value() != session_) {
      return ErrorWithReason(absl::StatusCode::kNotFound, "SESSION_NOT_FOUND", "no such session");
    }
    return absl::OkStatus();
  }

  absl::Status CheckUploadLocked(const SessionId& session) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!reachable_) {
      ++unreached_uploads_;
      TellLocked();
    }
    return CheckSessionLocked(session);
  }

  static const StatedLease* FindStated(const WorkerStatement& statement, const LeaseKey& key) {
    for (const StatedLease& stated : statement.leases) {
      if (stated.lease == key) return &stated;
    }
    return nullptr;
  }

  // Whether the statement itself changed something.
  bool ApplyLocked(const WorkerStatement& statement) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    bool changed = false;
    for (auto& [key, lease] : leases_) {
      if (!lease.live) continue;
      const StatedLease* stated = FindStated(statement, key);
      if (stated == nullptr) {
        changed |= lease.state == GrantState::kOffered;
      } else if (stated->as == StatedAs::kReleased) {
        lease.live = false;
        lease.release_reason = stated->reason;
        changed = true;
      } else if (lease.state == GrantState::kOffered) {
        lease.state = GrantState::kRunning;
        changed = true;
      }
    }
    return OfferLocked(statement) || changed || HasNewsLocked(statement);
  }
  bool HasNewsLocked(const WorkerStatement& statement) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (const StatedLease& stated : statement.leases) {
      const auto it = leases_.find(stated.lease);
      if (it == leases_.end() || !it->second.live) return true;
      if (it->second.cancel && stated.as == StatedAs::kHeld) return true;
    }
    return false;
  }
  bool OfferLocked(const WorkerStatement& statement) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!statement.wants_work || queue_.empty()) return false;
    leases_[queue_.front().first].spec = std::move(queue_.front().second);
    queue_.erase(queue_.begin());
    return true;
  }
  CoordinatorAnswer AnswerLocked(int64_t sequence) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    CoordinatorAnswer answer;
    answer.sequence = sequence;
    for (const auto& [key, lease] : leases_) {
      if (!lease.live) continue;
      LeaseGrant grant;
      grant.lease = key;
      grant.state = lease.state;
      grant.cancel = lease.cancel;
      grant.ttl = terms_.lease_ttl;
      grant.spec = lease.spec;
      grant.run_timeout = absl::Hours(1);
      answer.leases.push_back(std::move(grant));
    }
    return answer;
  }

  mutable Mutex mutex_;
  mutable CondVar changed_;
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 0;  // grows with everything that happens
  SessionTerms terms_ ABSL_GUARDED_BY(mutex_) = {SessionId(), absl::Seconds(20), absl::Seconds(90), 1 << 20,
                                                 absl::Milliseconds(10)};
  bool reachable_ ABSL_GUARDED_BY(mutex_) = true;
  absl::Status session_refusal_ ABSL_GUARDED_BY(mutex_);
  int refuse_from_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status refusal_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Duration> chunk_timeouts_ ABSL_GUARDED_BY(mutex_);
  int unreached_uploads_ ABSL_GUARDED_BY(mutex_) = 0;
  int sessions_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string session_ ABSL_GUARDED_BY(mutex_);
  int64_t cancelled_sequence_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::pair<LeaseKey, absl::StatusOr<JobSpec>>> queue_ ABSL_GUARDED_BY(mutex_);
  std::map<LeaseKey, Lease> leases_ ABSL_GUARDED_BY(mutex_);
  WorkerStatement last_statement_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> log_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_FAKE_COORDINATOR_LINK_H_
