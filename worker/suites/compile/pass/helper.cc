#include "worker/suites/compile/pass/helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "worker/suites/compile/pass/clocks.h"

namespace benchfleet::compile_pass {

namespace {

// Both sides are one program, so these go as they are.
struct Job {
  uint64_t compile;
  uint64_t offset;
};
struct Reply {
  int32_t error;
};

// A message arrives whole or not at all. False when nobody is there any more.
template <typename Message>
bool Send(int socket, const Message& message) {
  ssize_t sent;
  do {
    sent = ::send(socket, &message, sizeof message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof message);
}

template <typename Message>
bool Receive(int socket, Message* message) {
  ssize_t received;
  do {
    received = ::recv(socket, message, sizeof *message, 0);
  } while (received < 0 && errno == EINTR);
  return received == static_cast<ssize_t>(sizeof *message);
}

// The whole life of a helper.
void Serve(const Workshop& workshop, int socket) {
  const auto& [commands, records, launcher] = workshop;
  int64_t cpu_ns = OwnCpuNs();
  Job job;
  for (Reply reply{0}; Send(socket, reply) && Receive(socket, &job);) {
    PassRecord& record = records.record(job.compile);
    reply.error = launcher.Run(commands.texts(job.offset), &record);
    // From job to job, so that handing over is in it.
    record.helper_cpu_ns = OwnCpuNs() - cpu_ns;
    cpu_ns += record.helper_cpu_ns;
  }
}

pid_t WaitFor(pid_t pid, int* status) {
  pid_t waited;
  do {
    waited = ::waitpid(pid, status, 0);
  } while (waited < 0 && errno == EINTR);
  return waited;
}

}  // namespace

Helper::~Helper() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  WaitFor(pid_, nullptr);
}

bool Helper::Fork(const Workshop& workshop) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  socket_ = UniqueFd(ends[0]);
  const UniqueFd other_end(ends[1]);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) {
    pid_ = 0;
    return false;
  }
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A parent that died before this cannot have told us.
    if (::getppid() == parent) Serve(workshop, other_end.get());
    ::_exit(0);
  }
  return true;
}

bool Helper::Give(size_t compile, size_t offset) {
  compile_ = compile;
  return Send(socket_.get(), Job{compile, offset});
}

bool Helper::TakeReply(int* error) {
  Reply reply;
  if (!Receive(socket_.get(), &reply)) return false;
  *error = reply.error;
  return true;
}

std::string Helper::Obituary() {
  std::string text = "(pid " + std::to_string(pid_) + ") ";
  int status = 0;
  if (WaitFor(std::exchange(pid_, 0), &status) < 0) return text + "is lost";
  if (WIFSIGNALED(status)) return text + "was ended by signal " + std::to_string(WTERMSIG(status));
  return text + "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace benchfleet::compile_pass
