// The real binary: exit codes, what goes to standard output and what to standard error.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/os/file.h"
#include "common/os/process.h"
#include "common/runner/host_lock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/scripts.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kNobody[] = "127.0.0.1:1";  // nothing listens on it

Command MakeCommand(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  Command command;
  command.argv = {absl::StrCat(BENCHFLEET_BIN_DIR, "/benchfleet")};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = std::move(environment);
  return command;
}

ProcessResult RunClient(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  PosixProcessSpawner spawner;
  RunOptions options;
  options.timeout = absl::Seconds(50);
  auto result = spawner.Run(MakeCommand(std::move(arguments), std::move(environment)), options);
  EXPECT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->timed_out);
  return *std::move(result);
}

struct UsageCase {
  std::string name;
  std::vector<std::string> arguments;
  int code;
  std::string error;  // part of standard error
};

class UsageTest : public ::testing::TestWithParam<UsageCase> {};

TEST_P(UsageTest, HasItsExitCodeAndMessage) {
  const ProcessResult result = RunClient(GetParam().arguments);
  EXPECT_EQ(result.end.exit_code, GetParam().code);
  EXPECT_THAT(result.err, HasSubstr(GetParam().error));
  EXPECT_THAT(result.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, UsageTest,
    ::testing::ValuesIn(std::vector<UsageCase>{
        {"NoCommand", {}, 2, "a command is required"},
        {"UnknownCommand", {"rnu"}, 2, "rnu"},
        {"UnknownFlag", {"run", "wake", "--hurry"}, 2, "--hurry"},
        {"NoTarget", {"run"}, 2, "target is required"},
        {"NoSuchFile", {"run", "none.yaml"}, 2, "'none.yaml' is neither a suite (wake, compile) nor a job file"},
        {"FolderAsFile", {"run", "/"}, 2, "/"},
        {"BadDuration", {"run", "wake", "--budget", "3"}, 2, "--budget: must be a duration like 90s or 1h30m, is '3'"},
        {"BadTimeout", {"run", "wake", "--timeout", "-1s"}, 2, "--timeout: must be a duration"},
        {"BadMargin", {"run", "wake", "--margin", "x%"}, 2, "--margin: must be like 2% or 0.02, is 'x%'"},
        {"MarginTooLarge",
         {"run", "wake", "--margin", "100%"},
         2,
         "method.margin: must be greater than 0 and less than 1"},
        {"BadSeed", {"run", "wake", "--seed", "x"}, 2, "--seed"},
        {"RoundsZero", {"run", "wake", "--rounds", "0"}, 2, "  method.rounds: must be at least 1, is 0"},
        {"UnknownCase",
         {"run", "wake", "--case", "x"},
         2,
         "  wake.cases[0]: 'x' is unknown, must be one of handle_call"},
        {"BadLabel", {"run", "wake", "--label", "x"}, 2, "--label: must be KEY=VALUE, is 'x'"},
        {"BadRequestId", {"run", "wake", "--request-id", "x"}, 2, "--request-id: must be a UUID"},
        {"BadReport",
         {"run", "wake", "--report", "pdf=x"},
         2,
         "--report: must be FORMAT=PATH with FORMAT text, json, csv, markdown or html, is 'pdf=x'"},
        {"ReportWithoutPath", {"run", "wake", "--report", "html="}, 2, "is 'html='"},
        {"HtmlOnTheTerminal", {"report", "x", "--output", "html"}, 2, "--output"},
        {"ListAsCsv", {"jobs", "--output", "csv"}, 2, "--output"},
        {"BadOutput", {"run", "wake", "--output", "xml"}, 2, "--output"},
        {"BadServer", {"jobs", "--server", "nowhere"}, 2, "--server: must be HOST:PORT, is 'nowhere'"},
        {"BadState", {"jobs", "--state", "lost"}, 2, "'lost' is no state of a job"},
        {"WaitAndDetach", {"run", "wake", "--wait", "--detach"}, 2, "--detach"},
        {"LocalAndDetach", {"run", "wake", "--local", "--detach"}, 2, "--local"},
        {"PythonWithoutLocal", {"run", "wake", "--python", "/usr/bin/python3"}, 2, "--local"},
        {"Unreachable", {"run", "wake", "--server", kNobody}, 6, "benchfleet: 127.0.0.1:1: "},
        {"UnreachableHealth", {"health", "--server", kNobody}, 6, "benchfleet: 127.0.0.1:1: "},
    }),
    [](const auto& c) { return c.param.name; });

TEST(Program, HelpAndVersionAreResults) {
  const ProcessResult help = RunClient({"run", "-h"});
  EXPECT_EQ(help.end.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("benchfleet run wake --local"));
  EXPECT_THAT(help.err, IsEmpty());
  const ProcessResult version = RunClient({"--version"});
  EXPECT_EQ(version.end.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("benchfleet "));
}

TEST(Program, RunPrintsTheTableAndTalksApart) {
  FakeServer server(SucceedingScript());
  const ProcessResult result =
      RunClient({"run", "wake", "--server", server.address, "--rounds", "3", "--margin", "5%", "--label", "pr=17",
                 "--loop", "epoll", "--all-hosts", "--hosts", "pool=lab", "--commit", "abc"});
  EXPECT_EQ(result.end.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith(absl::StrCat("job ", kJobId)));
  EXPECT_THAT(result.out, HasSubstr("epoll/frame.ready  ns  41.2 (40.0-43.0)\n"));
  EXPECT_THAT(result.err, HasSubstr("lab-1: round 2 of 4"));
  const auto creates = server.service.seen().creates;
  ASSERT_THAT(creates, SizeIs(1));
  const v1::JobSpec& spec = creates[0].spec();
  EXPECT_EQ(spec.method().rounds(), 3);
  EXPECT_EQ(spec.method().margin(), 0.05);
  EXPECT_EQ(spec.labels().at("pr"), "17");
  EXPECT_THAT(spec.wake().loops(), ElementsAre("epoll"));
  EXPECT_EQ(spec.fan_out(), v1::FAN_OUT_ALL);
  EXPECT_EQ(spec.host_selector(), "pool=lab");
  EXPECT_EQ(spec.commit(), "abc");
  EXPECT_EQ(creates[0].request_id().size(), 36u);
}

TEST(Program, RunWritesReportsAndPrintsJson) {
  TempFolder folder;
  FakeServer server(SucceedingScript());
  const ProcessResult result =
      RunClient({"run", "wake", "--server", server.address, "--output", "json", "--report",
                 "text=" + folder.path() + "/report.txt", "--report", "json=" + folder.path() + "/report.json"});
  EXPECT_EQ(result.end.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("{\n"));
  EXPECT_EQ(*ReadFile(folder.path() + "/report.json", 1 << 20), result.out);
  EXPECT_THAT(*ReadFile(folder.path() + "/report.txt", 1 << 20), HasSubstr("epoll/frame.ready  ns  41.2"));
}

TEST(Program, AReportHasManyFormats) {
  TempFolder folder;
  FakeServer server(SucceedingScript());
  const ProcessResult csv = RunClient({"report", "--server", server.address, "--output", "csv", "--report",
                                       "csv=" + folder / "r.csv", "--report", "markdown=" + folder / "r.md", kJobId});
  EXPECT_EQ(csv.end.exit_code, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("record,job,"));
  EXPECT_EQ(*ReadFile(folder / "r.csv", 1 << 20), csv.out);
  const ProcessResult markdown = RunClient(
      {"wait", kJobId, "--server", server.address, "-o", "markdown", "--report", "html=" + folder / "r.html"});
  EXPECT_EQ(markdown.end.exit_code, 0) << markdown.err;
  EXPECT_EQ(*ReadFile(folder / "r.md", 1 << 20), markdown.out);
  EXPECT_THAT(*ReadFile(folder / "r.html", 1 << 20), HasSubstr("<html"));
  // Only a page shows the rounds.
  EXPECT_THAT(server.service.seen().round_values, ElementsAre(false, true));
}

TEST(Program, AReportReplacesItsFileAsAWhole) {
  TempFolder folder;
  std::ofstream(folder / "real.txt") << std::string(1 << 16, 'x');
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  FakeServer server(SucceedingScript());
  const ProcessResult result = RunClient({"report", kJobId, "--server", server.address, "--report",
                                          "text=" + folder / "link.txt", "--report", "json=/dev/null"});
  EXPECT_EQ(result.end.exit_code, 0) << result.err;
  EXPECT_EQ(*ReadFile(folder / "real.txt", 1 << 20), result.out);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  // Nothing is left beside it.
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);
}

TEST(Program, AReportThatCannotBeWrittenIsAnError) {
  FakeServer server(SucceedingScript());
  const ProcessResult result =
      RunClient({"report", kJobId, "--server", server.address, "--report", "json=/nonexistent/report.json"});
  EXPECT_NE(result.end.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/report.json"));
}

TEST(Program, DetachPrintsOnlyTheId) {
  FakeServer server(SucceedingScript());
  const ProcessResult result = RunClient({"run", "wake", "--server", server.address, "--detach"});
  EXPECT_EQ(result.end.exit_code, 0);
  EXPECT_EQ(result.out, absl::StrCat(kJobId, "\n"));
  EXPECT_THAT(server.service.seen().watched_from, IsEmpty());
}

struct EndCase {
  v1::JobState state;
  v1::RunState run_state;
  int code;
};

TEST(Program, HowTheJobEndsIsTheExitCode) {
  for (const EndCase& c : std::vector<EndCase>{{v1::JOB_STATE_FAILED, v1::RUN_STATE_FAILED, 4},
                                               {v1::JOB_STATE_CANCELLED, v1::RUN_STATE_CANCELLED, 4},
                                               {v1::JOB_STATE_EXPIRED, v1::RUN_STATE_EXPIRED, 5}}) {
    FakeBenchmarkService::Script script = SucceedingScript();
    script.ended = EndedJob(c.state, c.run_state);
    FakeServer server(script);
    EXPECT_EQ(RunClient({"wait", kJobId, "--server", server.address}).end.exit_code, c.code) << c.state;
  }
}

struct RefusalCase {
  absl::Status error;
  int code;
};

TEST(Program, WhatTheServerRefusesIsTheExitCode) {
  for (const RefusalCase& c : std::vector<RefusalCase>{
           {ErrorWithReason(absl::StatusCode::kFailedPrecondition, "NO_MATCHING_WORKER", "no host matches a=b"), 5},
           {absl::UnauthenticatedError("who are you"), 6},
           {absl::InternalError("a defect"), 7}}) {
    FakeBenchmarkService::Script script = SucceedingScript();
    script.create_error = c.error;
    FakeServer server(script);
    const ProcessResult result = RunClient({"run", "wake", "--server", server.address});
    EXPECT_EQ(result.end.exit_code, c.code);
    EXPECT_THAT(result.err, HasSubstr(std::string(c.error.message())));
  }
}

TEST(Program, FieldsTheServerRefusesAreListed) {
  FieldErrors errors;
  errors.Add("spec.project", "is closed");
  errors.Add("spec.branch", "is gone");
  FakeBenchmarkService::Script script = SucceedingScript();
  script.create_error = errors.ToStatus();
  FakeServer server(script);
  const ProcessResult result = RunClient({"run", "wake", "--server", server.address});
  EXPECT_EQ(result.end.exit_code, 2);
  EXPECT_EQ(result.err, "benchfleet: the request is invalid:\n  spec.project: is closed\n  spec.branch: is gone\n");
}

TEST(Program, AJobFilesErrorsNameTheirLines) {
  TempFolder folder;
  const std::string path = folder.path() + "/job.yaml";
  std::ofstream(path) << "wake:\n  cases:\n    - frame.ready\n    - frame\nmethod: {rounds: 0}\n";
  const ProcessResult result = RunClient({"run", path});
  EXPECT_EQ(result.end.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(absl::StrCat("  ", path, ":5: method.rounds: must be at least 1, is 0\n")));
  EXPECT_THAT(result.err, HasSubstr(absl::StrCat("  ", path, ":4: wake.cases[1]: 'frame' is unknown")));
}

TEST(Program, FlagsWinOverTheJobFile) {
  TempFolder folder;
  const std::string path = folder.path() + "/job.yaml";
  std::ofstream(path) << "project: p\nmethod: {rounds: 9, seed: 5}\nwake: {loops: [asyncio]}\n";
  FakeServer server(SucceedingScript());
  EXPECT_EQ(RunClient({"run", path, "--server", server.address, "--rounds", "4", "--loop", "epoll"}).end.exit_code, 0);
  const auto creates = server.service.seen().creates;
  ASSERT_THAT(creates, SizeIs(1));
  EXPECT_EQ(creates[0].spec().method().rounds(), 4);
  EXPECT_EQ(creates[0].spec().method().seed(), 5u);
  EXPECT_EQ(creates[0].spec().project(), "p");
  EXPECT_THAT(creates[0].spec().wake().loops(), ElementsAre("epoll"));
}

TEST(Program, RunCompileTakesItsOwnOptions) {
  FakeServer server(SucceedingScript());
  EXPECT_EQ(RunClient({"run", "compile", "--server", server.address, "--compiler", "gcc@12", "--compiler", "gfortran",
                       "--mode", "link", "--limit", "2", "--limit", "4", "--variant", "event_loop"})
                .end.exit_code,
            0);
  const auto creates = server.service.seen().creates;
  ASSERT_THAT(creates, SizeIs(1));
  const v1::CompileSpec& spec = creates[0].spec().compile();
  EXPECT_THAT(spec.compilers(), ElementsAre("gcc@12", "gfortran"));
  EXPECT_THAT(spec.modes(), ElementsAre("link"));
  EXPECT_THAT(spec.limits(), ElementsAre(2, 4));
  EXPECT_THAT(spec.variants(), ElementsAre("event_loop"));
}

TEST(Program, AnOptionOfTheOtherSuiteIsRefused) {
  const ProcessResult wake = RunClient({"run", "wake", "--compiler", "gcc"});
  EXPECT_EQ(wake.end.exit_code, 2);
  EXPECT_THAT(wake.err, HasSubstr("--compiler: is no option of the suite wake"));
  const ProcessResult compile = RunClient({"run", "compile", "--loop", "epoll"});
  EXPECT_EQ(compile.end.exit_code, 2);
  EXPECT_THAT(compile.err, HasSubstr("--loop: is no option of the suite compile"));
}

TEST(Program, TheServerIsFlagThenEnvironmentThenFile) {
  TempFolder folder;
  FakeServer server(SucceedingScript());
  std::filesystem::create_directory(folder.path() + "/benchfleet");
  const auto write = [&](const std::string& text) { std::ofstream(folder.path() + "/benchfleet/config.yaml") << text; };
  const std::string config = "XDG_CONFIG_HOME=" + folder.path();
  const std::string nobody = absl::StrCat("BENCHFLEET_SERVER=", kNobody);

  write("server: " + server.address + "\n");
  EXPECT_EQ(RunClient({"health"}, {config}).out, "SERVING\n");
  EXPECT_EQ(RunClient({"health"}, {config, nobody}).end.exit_code, 6);
  EXPECT_EQ(RunClient({"health", "--server", server.address}, {config, nobody}).end.exit_code, 0);
  EXPECT_EQ(RunClient({"health"}, {"HOME=" + folder.path(), "BENCHFLEET_SERVER=" + server.address}).end.exit_code, 0);
  write("sevrer: x\n");
  const ProcessResult result = RunClient({"health"}, {config});
  EXPECT_EQ(result.end.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("config.yaml:1: 'sevrer' is unknown"));
}

TEST(Program, ListsJobsOverPages) {
  FakeBenchmarkService::Script script;
  script.jobs = {QueuedJob(), EndedJob(v1::JOB_STATE_FAILED, v1::RUN_STATE_FAILED)};
  FakeServer server(script);
  const ProcessResult result = RunClient({"jobs", "--server", server.address, "--state", "queued", "--project", "p"});
  EXPECT_EQ(result.end.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat(kJobId, "  queued")));
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat(kJobId, "  failed")));
  const auto lists = server.service.seen().lists;
  ASSERT_THAT(lists, SizeIs(2));
  EXPECT_THAT(lists[0].states(), ElementsAre(v1::JOB_STATE_QUEUED));
  EXPECT_EQ(lists[0].project(), "p");
}

TEST(Program, ShowsJobsAndWorkers) {
  FakeBenchmarkService::Script script;
  script.job = EndedJob(v1::JOB_STATE_FAILED, v1::RUN_STATE_FAILED);
  script.job.mutable_runs(0)->set_end_reason("exit code 3");
  v1::Worker worker;
  worker.set_name("lab-1");
  worker.set_state(v1::WORKER_STATE_BUSY);
  (*worker.mutable_labels())["pool"] = "lab";
  script.workers = {worker};
  FakeServer server(script);
  EXPECT_THAT(RunClient({"job", kJobId, "--server", server.address}).out, HasSubstr("/0: failed: exit code 3\n"));
  EXPECT_EQ(RunClient({"job", "other", "--server", server.address}).end.exit_code, 2);
  EXPECT_THAT(RunClient({"workers", "--server", server.address}).out, HasSubstr("lab-1  busy"));
  EXPECT_THAT(RunClient({"workers", "--server", server.address, "-o", "json"}).out, HasSubstr("\"pool\": \"lab\""));
  EXPECT_THAT(RunClient({"cancel", kJobId, "--server", server.address}).out, HasSubstr(": cancelled"));
  EXPECT_THAT(server.service.seen().cancelled, ElementsAre(kJobId));
}

TEST(Program, GivesUpAndCancelsWhenNoWorkerComes) {
  FakeBenchmarkService::Script script;
  script.job = QueuedJob();
  script.job.set_state_reason("no worker matches pool=lab");
  FakeServer server(script);
  const ProcessResult result = RunClient({"run", "wake", "--server", server.address, "--timeout", "100ms"});
  EXPECT_EQ(result.end.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("waiting: no worker matches pool=lab\n"));
  EXPECT_THAT(server.service.seen().cancelled, ElementsAre(kJobId));
}

// A client that waits for a job that does not end.
class SignalTest : public ::testing::Test {
 protected:
  static FakeBenchmarkService::Script EndlessScript() {
    FakeBenchmarkService::Script script;
    script.job = QueuedJob();
    return script;
  }
  static ProcessEnd SignalWhileWatching(FakeServer& server, std::vector<std::string> arguments, int signal) {
    arguments.insert(arguments.end(), {"--server", server.address});
    auto child = Child::Spawn(MakeCommand(std::move(arguments)), /*capture_stderr=*/false);
    EXPECT_TRUE(child.ok()) << child.status();
    server.service.AwaitWatch();
    ::kill(child->pid(), signal);
    return child->Wait();
  }
};

TEST_F(SignalTest, CancelsTheJobItStarted) {
  for (const int signal : {SIGINT, SIGTERM}) {
    FakeServer server(EndlessScript());
    EXPECT_EQ(SignalWhileWatching(server, {"run", "wake"}, signal).exit_code, 128 + signal);
    EXPECT_THAT(server.service.seen().cancelled, ElementsAre(kJobId));
  }
}

TEST_F(SignalTest, LeavesAJobItOnlyWaitsFor) {
  FakeServer server(EndlessScript());
  EXPECT_EQ(SignalWhileWatching(server, {"wait", kJobId}, SIGINT).exit_code, 130);
  EXPECT_THAT(server.service.seen().cancelled, IsEmpty());
}

TEST_F(SignalTest, ASecondOneEndsAtOnce) {
  FakeBenchmarkService::Script script = EndlessScript();
  script.hang_cancel = true;
  FakeServer server(script);
  auto child = Child::Spawn(MakeCommand({"run", "wake", "--server", server.address}), /*capture_stderr=*/true);
  ASSERT_TRUE(child.ok()) << child.status();
  server.service.AwaitWatch();
  ::kill(child->pid(), SIGINT);
  server.service.AwaitCancel();
  ::kill(child->pid(), SIGTERM);
  EXPECT_EQ(child->Wait().exit_code, 143);
  // It did not wait for the answer, or it would say what came of it.
  std::string talk(4096, '\0');
  talk.resize(std::max<ssize_t>(0, ::read(child->stderr_fd(), talk.data(), talk.size())));
  EXPECT_EQ(talk, absl::StrCat("job ", kJobId, "\n"));
}

TEST(Program, OneBenchmarkAtATimeOnThisMachine) {
  const auto lock = LockHost();
  if (!lock.ok()) GTEST_SKIP() << lock.status();
  const ProcessResult result = RunClient({"run", "wake", "--local"});
  EXPECT_EQ(result.end.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr(absl::StrCat("held by process ", ::getpid())));
}

TEST(LockHost, TakesTheFirstPlaceItMayWriteTo) {
  TempFolder folder;
  const std::vector<std::string> paths = {folder / "missing/host.lock", folder / "host.lock"};
  const auto lock = LockHost(paths);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_TRUE(std::filesystem::exists(paths[1]));
  // A lock that is held is not walked around.
  const auto second = LockHost({paths[1], folder / "other.lock"});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(std::filesystem::exists(folder / "other.lock"));
  EXPECT_FALSE(LockHost({paths[0]}).ok());
}

TEST(Program, NothingIsColouredWithoutATerminal) {
  FakeServer server(SucceedingScript());
  const ProcessResult result = RunClient({"report", kJobId, "--server", server.address});
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace benchfleet
