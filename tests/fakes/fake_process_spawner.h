// Programs that never run: the test says what each answers.
#ifndef BENCHFLEET_TESTS_FAKES_FAKE_PROCESS_SPAWNER_H_
#define BENCHFLEET_TESTS_FAKES_FAKE_PROCESS_SPAWNER_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/base/mutex.h"
#include "common/os/process.h"

namespace benchfleet {

// Records every call and gives the handler's answer.
class FakeProcessSpawner final : public ProcessSpawner {
 public:
  using Handler = std::function<absl::StatusOr<ProcessResult>(const Command&, const RunOptions&)>;
  struct Call {
    Command command;
    RunOptions options;
  };

  explicit FakeProcessSpawner(Handler handler) : handler_(std::move(handler)) {}

  absl::StatusOr<ProcessResult> Run(const Command& command, const RunOptions& options) override {
    {
      MutexLock lock(mutex_);
      calls_.push_back({command, options});
    }
    return handler_(command, options);
  }

  std::vector<Call> calls() const {
    MutexLock lock(mutex_);
    return calls_;
  }

  // A program that printed `out` and ended with `exit_code`.
  static ProcessResult Exited(int exit_code, std::string out, std::string err = "") {
    ProcessResult result;
    result.end.exit_code = exit_code;
    result.out = std::move(out);
    result.err = std::move(err);
    return result;
  }
  // A program that a signal ended.
  static ProcessResult Signalled(int signal, std::string err = "") {
    ProcessResult result;
    result.end.signal = signal;
    result.err = std::move(err);
    return result;
  }
  // A program that was killed because its time was over.
  static ProcessResult TimedOut() {
    ProcessResult result = Signalled(9);
    result.timed_out = true;
    return result;
  }

 private:
  const Handler handler_;
  mutable Mutex mutex_;
  std::vector<Call> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_FAKE_PROCESS_SPAWNER_H_
