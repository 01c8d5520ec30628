// What an earlier worker process left in the spool: its processes are killed, its
// attempts ended, its results sent under their old epochs.
#ifndef BENCHFLEET_WORKER_AGENT_LEFTOVERS_H_
#define BENCHFLEET_WORKER_AGENT_LEFTOVERS_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/base/mutex.h"
#include "worker/agent/attempt_upload.h"
#include "worker/agent/backoff.h"
#include "worker/agent/spool.h"

namespace benchfleet {

// Kills every process that carries the attempt's token; how many there were.
using KillFunction = std::function<int(const std::string& attempt_token)>;

// Reads the spool and leaves no process of an earlier attempt alive. An attempt that was
// cut off is completed as crashed, with the chunks it has. To be called before anything
// is measured.
std::vector<std::unique_ptr<SpoolEntry>> RecoverLeftovers(Spool& spool, const KillFunction& kill);

// Sends recovered entries on its own thread, one after the other.
class LeftoverSender {
 public:
  // `settled` comes on that thread after each entry.
  LeftoverSender(CoordinatorLink& link, const SessionBox& sessions, std::vector<std::unique_ptr<SpoolEntry>> entries,
                 Backoff backoff, std::function<void(const LeaseKey&)> settled);
  // Stops; what was not acknowledged stays in the spool.
  ~LeftoverSender();
  LeftoverSender(const LeftoverSender&) = delete;
  LeftoverSender& operator=(const LeftoverSender&) = delete;

 private:
  void Run();
  bool Wait(absl::Duration timeout) ABSL_LOCKS_EXCLUDED(mutex_);

  CoordinatorLink& link_;
  const SessionBox& sessions_;
  const std::vector<std::unique_ptr<SpoolEntry>> entries_;
  Backoff backoff_;
  const std::function<void(const LeaseKey&)> settled_;
  Mutex mutex_;
  CondVar changed_;
  bool quit_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_AGENT_LEFTOVERS_H_
