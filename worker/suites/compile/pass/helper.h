// The helper processes of the strategy `processes`.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_HELPER_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_HELPER_H_

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "common/os/unique_fd.h"
#include "worker/suites/compile/pass/strategy.h"

namespace benchfleet::compile_pass {

// A process forked from this one that runs a compile whenever it is told to. It ends with
// its parent.
//
// Ownership: the destructor ends the process and reaps it. A compile that it was running is
// nobody's then.
class Helper {
 public:
  Helper() = default;
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // Once only. Its first reply says that it is ready. False with errno set.
  bool Fork(const Workshop& workshop);

  // Readable when there is a reply, or when the helper has died.
  int socket() const { return socket_.get(); }
  // After a reply. False when the helper has died.
  bool Give(size_t compile, size_t offset);
  // Waits for the reply to Give(), or for the first; `error` is that of Launcher::Run. False
  // when the helper has died.
  bool TakeReply(int* error);

  // What it was last given.
  size_t compile() const { return compile_; }
  // "(pid 123) was ended by signal 9"; once it has died.
  std::string Obituary();

 private:
  pid_t pid_ = 0;  // 0 when there is none to reap
  UniqueFd socket_;
  size_t compile_ = 0;
};

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_HELPER_H_
