#include "worker/suites/compile/pass.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"
#include "worker/suites/compile/compiler_command.h"
#include "worker/suites/compile/outcome.h"

namespace benchfleet {

namespace {

// The conditioning and every probe of the compiler's language.
std::vector<Probe> CompiledProbes(const PassOrder& order) {
  std::vector<Probe> probes = ProbesOf(order.compiler.language);
  if (!probes.empty()) probes.insert(probes.begin(), probes.front());
  return probes;
}

// Not synced: it need not outlive us.
absl::Status WriteFile(const std::string& path, absl::string_view data) {
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd.valid()) return ErrnoStatus(errno, absl::StrCat("create ", path));
  while (!data.empty()) {
    const ssize_t written = ::write(fd.get(), data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return ErrnoStatus(errno, absl::StrCat("write ", path));
    data.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status WritePassFiles(const PassOrder& order, const std::vector<Probe>& probes, const Scratch& scratch) {
  std::string commands;
  const auto add = [&commands](absl::string_view text) { commands.append(text.data(), text.size()).push_back('\0'); };
  for (size_t i = 0; i < probes.size(); ++i) {
    const int compile = static_cast<int>(i);
    add(scratch.log(compile));
    for (const std::string& text :
         CompilerArgv(order.compiler, order.mode, probes[i], order.probes_folder, scratch.output_folder(compile))) {
      add(text);
    }
    add("");
  }
  BF_RETURN_IF_ERROR(WriteFile(scratch.commands(), commands));
  return WriteFile(scratch.records(), UnsetRecords(static_cast<int>(probes.size())));
}

Command PassCommand(const PassOrder& order, const Scratch& scratch) {
  Command command;
  command.argv = order.program;
  command.argv.push_back(absl::StrCat("--strategy=", order.strategy));
  command.argv.push_back(absl::StrCat("--limit=", order.limit));
  command.argv.push_back(absl::StrCat("--commands=", scratch.commands()));
  command.argv.push_back(absl::StrCat("--records=", scratch.records()));
  command.environment =
      MakeEnvironment({scratch.home(), scratch.temporary_folder(), order.attempt_token, order.environment_padding});
  command.working_directory = scratch.working_folder();
  return command;
}

int64_t OwnCpuNs() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto nanoseconds = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1'000'000'000 + int64_t{time.tv_usec} * 1'000;
  };
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

// Empty when there is none. It may be anything: the compiler's folder is the compiler's.
std::string ReadEnd(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat found;
  if (!fd.valid() || ::fstat(fd.get(), &found) != 0 || !S_ISREG(found.st_mode)) return "";
  std::string data(std::min(static_cast<size_t>(found.st_size), kMaxLogBytes), '\0');
  const ssize_t got = ::pread(fd.get(), data.data(), data.size(), found.st_size - static_cast<off_t>(data.size()));
  data.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return data;
}

// 0 when it is not there, or no file.
int64_t FileBytes(const std::string& path) {
  struct stat found;
  return ::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) ? found.st_size : 0;
}

CompileEnd ReadCompileEnd(const PassRecord& record) {
  CompileEnd end;
  if (record.launch_errno != kUnset) end.launch_errno = static_cast<int>(record.launch_errno);
  if (record.status != kUnset) end.status = static_cast<int>(record.status);
  return end;
}

std::string Describe(const CompileEnd& end) {
  if (end.launch_errno.has_value()) return absl::StrCat("could not be started: ", strerror(*end.launch_errno));
  if (!end.status.has_value()) return "";
  if (*end.status < 0) return absl::StrCat("ended by signal ", -*end.status, " (", strsignal(-*end.status), ")");
  return absl::StrCat("exit code ", *end.status, end.has_output ? "" : " and no output");
}

CompileResult ReadResult(const PassOrder& order, const Probe& probe, const PassRecord& record, const Scratch& scratch,
                         int compile) {
  CompileResult result;
  result.probe = probe.name;
  result.started = record.launch_ns != kUnset;
  result.output_bytes = FileBytes(OutputPath(order.mode, scratch.output_folder(compile)));
  result.log = ReadEnd(scratch.log(compile));
  CompileEnd end = ReadCompileEnd(record);
  end.has_output = result.output_bytes > 0;
  end.log = result.log;
  result.outcome = JudgeCompile(end);
  result.end = Describe(end);
  return result;
}

bool EndedWell(const ProcessResult& process) {
  return !process.timed_out && !process.cancelled && process.end.exit_code == 0;
}

}  // namespace

absl::StatusOr<PassResult> RunPass(const PassOrder& order, const Scratch& scratch, ProcessSpawner& spawner,
                                   const RunOptions& options) {
  const std::vector<Probe> probes = CompiledProbes(order);
  const int compiles = static_cast<int>(probes.size());
  BF_RETURN_IF_ERROR(scratch.Prepare(compiles));
  BF_RETURN_IF_ERROR(WritePassFiles(order, probes, scratch));
  RunOptions run = options;
  run.max_output_bytes = kMaxPassOutputBytes;

  const int64_t before_ns = OwnCpuNs();
  BF_ASSIGN_OR_RETURN(ProcessResult process, spawner.Run(PassCommand(order, scratch), run));
  const int64_t runner_cpu_ns = OwnCpuNs() - before_ns;

  BF_ASSIGN_OR_RETURN(const std::string data, ReadFile(scratch.records(), UnsetRecords(compiles).size()));
  BF_ASSIGN_OR_RETURN(const PassRecords records, ParseRecords(data, compiles));
  PassResult result{
      std::move(process), {}, {}, absl::UnavailableError("the pass did not end by itself"), runner_cpu_ns};
  for (int i = 0; i < compiles; ++i) {
    const size_t index = static_cast<size_t>(i);
    CompileResult compile = ReadResult(order, probes[index], records.compiles[index], scratch, i);
    if (i == 0) {
      result.conditioning = std::move(compile);
    } else {
      result.compiles.push_back(std::move(compile));
    }
  }
  if (EndedWell(result.process)) result.figures = FiguresOf(records);
  return result;
}

}  // namespace benchfleet
