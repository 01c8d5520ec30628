#include "common/os/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/base/uuid.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

// A process that lasts until it is killed.
constexpr char kForEver[] = "tail -f /dev/null";

Command Shell(const std::string& script, std::vector<std::string> environment = {"PATH=/usr/bin:/bin"}) {
  Command command;
  command.argv = {"/bin/sh", "-c", script};
  command.environment = std::move(environment);
  return command;
}

ProcessResult MustRun(const Command& command, const RunOptions& options = {}) {
  PosixProcessSpawner spawner;
  absl::StatusOr<ProcessResult> result = spawner.Run(command, options);
  if (!result.ok()) {
    ADD_FAILURE() << result.status();
    return {};
  }
  return *std::move(result);
}

int OpenDescriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  int count = 0;
  while (::readdir(folder.get()) != nullptr) ++count;
  return count;
}

// Opened while the process surely lives; afterwards tells whether it has ended.
UniqueFd OpenProcess(const std::string& pid_text) {
  int pid = 0;
  EXPECT_TRUE(absl::SimpleAtoi(pid_text, &pid)) << pid_text;
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

bool EndsSoon(const UniqueFd& process) {
  if (!process.valid()) return true;  // had ended before it could be opened
  pollfd ended = {process.get(), POLLIN, 0};
  return ::poll(&ended, 1, 10'000) == 1;
}

bool StillRuns(const UniqueFd& process) {
  pollfd ended = {process.get(), POLLIN, 0};
  return process.valid() && ::poll(&ended, 1, 0) == 0;
}

std::string ReadLine(int fd) {
  std::string line;
  char c = 0;
  while (::read(fd, &c, 1) == 1 && c != '\n') line.push_back(c);
  return line;
}

TEST(Run, GivesExitCodeAndBothStreams) {
  const ProcessResult result = MustRun(Shell("echo to-out; echo to-err >&2; exit 3"));
  EXPECT_EQ(result.end.exit_code, 3);
  EXPECT_EQ(result.end.signal, std::nullopt);
  EXPECT_EQ(result.out, "to-out\n");
  EXPECT_EQ(result.err, "to-err\n");
  EXPECT_FALSE(result.timed_out || result.cancelled || result.output_dropped);
  EXPECT_GT(result.elapsed, absl::ZeroDuration());
}

TEST(Run, GivesTheSignal) {
  const ProcessResult result = MustRun(Shell("kill -SEGV $$"));
  EXPECT_EQ(result.end.signal, SIGSEGV);
  EXPECT_EQ(result.end.exit_code, std::nullopt);
}

TEST(Run, GivesTheUsageOfTheProcessAndItsChildren) {
  const ProcessResult result = MustRun(Shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"));
  EXPECT_GT(result.end.usage.user_ns + result.end.usage.system_ns, 0);
  EXPECT_GT(result.end.usage.max_rss_bytes, 100'000);
}

TEST(Run, StandardInputIsEmpty) { EXPECT_EQ(MustRun(Shell("cat; echo end")).out, "end\n"); }

TEST(Run, EnvironmentIsExactlyWhatWasGiven) {
  Command command;
  command.argv = {"/usr/bin/env"};
  command.environment = {"ONE=1", "TWO=two words"};
  EXPECT_EQ(MustRun(command).out, "ONE=1\nTWO=two words\n");
}

TEST(Run, WorkingDirectoryAndNameInPath) {
  Command command;
  command.argv = {"pwd"};
  command.working_directory = "/usr";
  EXPECT_EQ(MustRun(command).out, "/usr\n");
}

TEST(Run, StatusOnlyWhenItCouldNotBeStarted) {
  PosixProcessSpawner spawner;
  const TempFolder folder;
  Command command;
  EXPECT_EQ(spawner.Run(command, {}).status().code(), absl::StatusCode::kInvalidArgument);
  command.argv = {"/nonexistent/program"};
  const absl::Status missing = spawner.Run(command, {}).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("/nonexistent/program"));
  command.argv = {folder.Write("plain", "text")};
  EXPECT_EQ(spawner.Run(command, {}).status().code(), absl::StatusCode::kPermissionDenied);
  command.argv = {"/bin/true"};
  command.working_directory = "/nonexistent";
  EXPECT_EQ(spawner.Run(command, {}).status().code(), absl::StatusCode::kNotFound);
}

TEST(Run, NothingIsInheritedButTheStandardStreams) {
  const UniqueFd leaky(::open("/dev/null", O_RDONLY));  // NOLINT: without O_CLOEXEC on purpose
  ASSERT_TRUE(leaky.valid());
  // 3 is the folder that ls itself reads.
  EXPECT_EQ(MustRun(Shell("ls /proc/self/fd")).out, "0\n1\n2\n3\n");
}

TEST(Run, SignalsAreDefaultAndUnblocked) {
  const auto previous = ::signal(SIGPIPE, SIG_IGN);
  sigset_t term, old;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &term, &old);
  EXPECT_EQ(MustRun(Shell("kill -PIPE $$")).end.signal, SIGPIPE);
  EXPECT_EQ(MustRun(Shell("kill -TERM $$")).end.signal, SIGTERM);
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  ::signal(SIGPIPE, previous);
}

TEST(Run, FloodKeepsTheEndWithinTheLimit) {
  RunOptions options;
  options.max_output_bytes = 1000;
  const ProcessResult result =
      MustRun(Shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo line $i; done; echo last"), options);
  EXPECT_EQ(result.out.size(), 1000u);
  EXPECT_THAT(result.out, ::testing::EndsWith("line 20000\nlast\n"));
  EXPECT_TRUE(result.output_dropped);
}

TEST(Run, OutputOfExactlyTheLimitIsWhole) {
  RunOptions options;
  options.max_output_bytes = 6;
  const ProcessResult whole = MustRun(Shell("echo 12345"), options);
  EXPECT_EQ(whole.out, "12345\n");
  EXPECT_FALSE(whole.output_dropped);
  options.max_output_bytes = 5;
  const ProcessResult cut = MustRun(Shell("echo 12345"), options);
  EXPECT_EQ(cut.out, "2345\n");
  EXPECT_TRUE(cut.output_dropped);
}

TEST(Run, TimeoutKillsTheWholeGroup) {
  RunOptions options;
  options.timeout = absl::Milliseconds(200);
  const ProcessResult result = MustRun(Shell(absl::StrCat(kForEver, " & echo $!; wait")), options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.cancelled);
  EXPECT_EQ(result.end.signal, SIGKILL);
  EXPECT_TRUE(EndsSoon(OpenProcess(std::string(absl::StripAsciiWhitespace(result.out)))));
}

TEST(Run, CancelKills) {
  const std::atomic<bool> cancelled = true;
  RunOptions options;
  options.cancelled = &cancelled;
  const ProcessResult result = MustRun(Shell(kForEver), options);
  EXPECT_TRUE(result.cancelled);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.end.signal, SIGKILL);
}

TEST(Run, ChildLeftInTheGroupEndsWithTheLeader) {
  const ProcessResult result = MustRun(Shell(absl::StrCat(kForEver, " & echo $!")));
  EXPECT_EQ(result.end.exit_code, 0);
  EXPECT_TRUE(EndsSoon(OpenProcess(std::string(absl::StripAsciiWhitespace(result.out)))));
}

TEST(Run, GrandchildThatLeftTheGroupHoldsNothingUpAndIsFoundByItsToken) {
  const std::string token = UuidV4();
  const std::vector<std::string> environment = {"PATH=/usr/bin:/bin", absl::StrCat(kAttemptVariable, "=", token)};
  const std::vector<std::string> near_miss = {"PATH=/usr/bin:/bin", absl::StrCat(kAttemptVariable, "=", token, "0")};
  // Keeps the pipe open and floods it: the run must end all the same. The pid is printed
  // on the other stream. The script goes on only once the flood has begun in its own session.
  const TempFolder folder;
  Command command =
      Shell("mkfifo ready; setsid sh -c 'echo $$ >&2; echo go > ready; exec yes' & read go < ready", environment);
  command.working_directory = folder.path();
  const ProcessResult result = MustRun(command);
  ASSERT_EQ(result.end.exit_code, 0) << result.err;
  const UniqueFd grandchild = OpenProcess(std::string(absl::StripAsciiWhitespace(result.err)));

  const absl::StatusOr<Child> other = Child::Spawn(Shell(absl::StrCat("exec ", kForEver), near_miss), false);
  ASSERT_TRUE(other.ok()) << other.status();
  const UniqueFd unrelated = OpenProcess(absl::StrCat(other->pid()));

  KillProcessesOfAttempt(token);
  EXPECT_TRUE(EndsSoon(grandchild));
  EXPECT_EQ(KillProcessesOfAttempt(token), 0);
  EXPECT_TRUE(StillRuns(unrelated));
}

TEST(KillProcessesOfAttempt, SparesTheCallerAndIgnoresAnEmptyToken) {
  const std::string token = UuidV4();
  const absl::StatusOr<Child> child = Child::Spawn(
      Shell(absl::StrCat("echo up; exec ", kForEver), {"PATH=/usr/bin:/bin", absl::StrCat(kAttemptVariable, "=")}),
      false);
  ASSERT_TRUE(child.ok()) << child.status();
  ASSERT_EQ(ReadLine(child->stdout_fd()), "up");
  const UniqueFd process = OpenProcess(absl::StrCat(child->pid()));
  EXPECT_EQ(KillProcessesOfAttempt(""), 0);
  EXPECT_TRUE(StillRuns(process));
}

TEST(Run, PinsToTheCpuAndLeavesTheCallerAsItWas) {
  cpu_set_t before, after;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  int last = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) last = cpu;
  }
  Command command = Shell("grep Cpus_allowed_list /proc/self/status");
  command.cpu = last;
  EXPECT_EQ(MustRun(command).out, absl::StrCat("Cpus_allowed_list:\t", last, "\n"));
  ASSERT_EQ(::sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));

  PosixProcessSpawner spawner;
  for (const int wrong : {-1, CPU_SETSIZE, CPU_SETSIZE - 1}) {
    command.cpu = wrong;
    EXPECT_EQ(spawner.Run(command, {}).status().code(), absl::StatusCode::kInvalidArgument) << wrong;
  }
}

TEST(Run, TwoThousandLaunchesLeakNoDescriptorAndNoZombie) {
  Command command;
  command.argv = {"/bin/true"};
  MustRun(command);
  const int before = OpenDescriptors();
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(MustRun(command).end.exit_code, 0) << i;
  command.argv = {"/nonexistent/program"};
  PosixProcessSpawner spawner;
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(spawner.Run(command, {}).ok());
  EXPECT_EQ(OpenDescriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // ECHILD: no child is left
  EXPECT_EQ(errno, ECHILD);
}

TEST(Child, TalksOverItsPipes) {
  Command command;
  command.argv = {"/bin/cat"};
  absl::StatusOr<Child> child = Child::Spawn(command, /*capture_stderr=*/false);
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_EQ(child->stderr_fd(), -1);
  EXPECT_EQ(child->WaitFor(absl::ZeroDuration()), std::nullopt);
  ASSERT_EQ(::write(child->stdin_fd(), "hello\n", 6), 6);
  EXPECT_EQ(ReadLine(child->stdout_fd()), "hello");
  child->CloseStdin();
  EXPECT_EQ(child->Wait().exit_code, 0);
  EXPECT_EQ(child->Wait().exit_code, 0);
  child->Kill(SIGKILL);  // after the end it reaches nobody
}

TEST(Child, KillBesideWaitEndsIt) {
  absl::StatusOr<Child> child = Child::Spawn(Shell(absl::StrCat("exec ", kForEver)), false);
  ASSERT_TRUE(child.ok()) << child.status();
  std::thread killer([&] { child->Kill(SIGTERM); });
  EXPECT_EQ(child->Wait().signal, SIGTERM);
  killer.join();
}

TEST(Child, DestructionAndAssignmentKillAndReap) {
  UniqueFd first, second;
  {
    absl::StatusOr<Child> child = Child::Spawn(Shell(absl::StrCat("exec ", kForEver)), false);
    ASSERT_TRUE(child.ok()) << child.status();
    first = OpenProcess(absl::StrCat(child->pid()));
    absl::StatusOr<Child> other = Child::Spawn(Shell(absl::StrCat("exec ", kForEver)), false);
    ASSERT_TRUE(other.ok()) << other.status();
    second = OpenProcess(absl::StrCat(other->pid()));
    *child = *std::move(other);
    EXPECT_FALSE(StillRuns(first));
    EXPECT_TRUE(StillRuns(second));
  }
  EXPECT_FALSE(StillRuns(second));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace benchfleet
