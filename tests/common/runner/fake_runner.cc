// A runner that behaves, or misbehaves, as the value of its `--python` says. What it is
// told goes into the file that FAKE_RUNNER_LOG names, too.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "benchfleet/v1/worker.pb.h"
#include "common/os/host_probe.h"
#include "common/runner/framing.h"
#include "common/wire/host_wire.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "common/wire/states_wire.h"

namespace benchfleet {
namespace {

FrameDecoder commands;

void Log(const runner::v1::RunnerCommand& command) {
  const char* path = ::getenv("FAKE_RUNNER_LOG");
  if (path == nullptr) return;
  std::ofstream(path, std::ios::app) << command.GetDescriptor()->FindFieldByNumber(command.command_case())->name()
                                     << "\n";
}

runner::v1::RunnerCommand NextCommand() {
  runner::v1::RunnerCommand command;
  if (!ReadFrame(STDIN_FILENO, commands, command).value_or(false)) ::_exit(90);
  Log(command);
  return command;
}

void Send(const runner::v1::RunnerEvent& event) {
  if (!WriteFrame(STDOUT_FILENO, event).ok()) ::_exit(91);
}

void SendProgress(const std::string& message) {
  runner::v1::RunnerEvent event;
  event.mutable_progress()->set_message(message);
  Send(event);
}

void SendPlan() {
  RunPlan plan;
  plan.suite = "wake";
  plan.suite_version = 1;
  plan.rounds = 1;
  plan.cases = {{"loop/case", {"only"}, 10, 1, {"sk1:x", {}}}};
  plan.round_timeout = absl::Seconds(1);
  plan.budget = absl::Seconds(1);
  plan.host_key = {"hk1:x", {}};
  runner::v1::RunnerEvent event;
  *event.mutable_plan() = ToProto(plan);
  Send(event);
}

void SendRound(int index) {
  Round round;
  round.index = index;
  round.warmup = index == 0;
  Sample sample;
  sample.arm = {"loop/case", "only"};
  sample.iterations = 10;
  sample.batch_ns = {1000 + index};
  round.samples = {sample};
  runner::v1::RunnerEvent event;
  *event.mutable_round() = ToProto(round);
  Send(event);
}

void SendFinished(AttemptEnd end, const std::string& detail) {
  runner::v1::RunnerEvent event;
  event.mutable_finished()->set_end(ToProto(end));
  event.mutable_finished()->set_detail(detail);
  Send(event);
}

void SendRaw(const std::string& bytes) {
  if (::write(STDOUT_FILENO, bytes.data(), bytes.size()) < 0) ::_exit(92);
}

void WaitForEver() {
  for (;;) ::pause();
}

void WaitForCancel() {
  while (!NextCommand().has_cancel()) {
  }
}

void MeasureWell() {
  const char* token = ::getenv("BENCHFLEET_ATTEMPT");
  SendProgress(absl::StrCat("token ", token == nullptr ? "none" : token));
  SendPlan();
  if (!NextCommand().has_plan_accepted()) ::_exit(93);
  for (int round = 0; round < 2; ++round) {
    SendRound(round);
    if (!NextCommand().has_round_accepted()) ::_exit(97);
  }
  SendFinished(AttemptEnd::kSucceeded, "all well");
}

// A grandchild in a session of its own keeps every pipe open.
void LeaveSomebodyBehind() {
  int ready[2];
  if (::pipe(ready) != 0) ::_exit(94);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setsid();
    if (::write(ready[1], "x", 1) != 1) ::_exit(95);
    WaitForEver();
  }
  char c;
  if (::read(ready[0], &c, 1) != 1) ::_exit(96);
  SendProgress(absl::StrCat(pid));
  SendFinished(AttemptEnd::kSucceeded, "");
}

const std::map<std::string, std::function<void()>>& Modes() {
  static const auto* modes = new std::map<std::string, std::function<void()>>{
      {"well", [] { NextCommand(), MeasureWell(); }},
      {"exit", [] { NextCommand(), std::fputs("no luck today\n", stderr), ::exit(3); }},
      {"exit_unread", [] { ::exit(4); }},
      {"abort",
       [] {
         NextCommand();
         std::fputs((std::string(10'000, '.') + "\xff the very end\n").c_str(), stderr);
         ::abort();
       }},
      {"hang", [] { SendProgress("hanging"), WaitForEver(); }},
      {"hang_after_end", [] { NextCommand(), SendFinished(AttemptEnd::kSucceeded, "done"), WaitForEver(); }},
      {"abort_after_end", [] { NextCommand(), SendFinished(AttemptEnd::kSucceeded, "done"), ::abort(); }},
      {"obey", [] { SendProgress("waiting"), WaitForCancel(), SendFinished(AttemptEnd::kCancelled, "as told"); }},
      {"die_when_cancelled", [] { SendProgress("waiting"), WaitForCancel(), ::abort(); }},
      {"plan_then_obey", [] { SendPlan(), WaitForCancel(), SendFinished(AttemptEnd::kCancelled, "as told"); }},
      {"round_then_obey",
       [] {
         SendPlan(), SendRound(0), SendRound(1), WaitForCancel(), SendFinished(AttemptEnd::kCancelled, "as told");
       }},
      {"fail", [] { SendFinished(AttemptEnd::kFailed, "it is broken"); }},
      {"garbage", [] { SendRaw("Traceback (most recent call last): " + std::string(100, '.')), WaitForEver(); }},
      {"oversize", [] { SendRaw("\x81\x80\x80\x08"), WaitForEver(); }},
      {"half_a_frame", [] { SendRaw("\x7f half"); }},
      {"second_plan", [] { SendPlan(), SendPlan(), WaitForEver(); }},
      {"bad_plan",
       [] {
         runner::v1::RunnerEvent event;
         event.mutable_plan();
         Send(event);
         WaitForEver();
       }},
      {"round_first", [] { SendRound(0), WaitForEver(); }},
      {"bad_end", [] { SendFinished(AttemptEnd::kHeartbeat, ""), WaitForEver(); }},
      {"empty_event", [] { Send(runner::v1::RunnerEvent()), WaitForEver(); }},
      {"leave_behind", [] { NextCommand(), LeaveSomebodyBehind(); }},
  };
  return *modes;
}

int Describe(const std::string& mode) {
  if (mode == "fail") {
    std::fputs("cannot look\n", stderr);
    return 1;
  }
  if (mode == "garbage") {
    SendRaw("nothing readable");
    return 0;
  }
  const HostFacts facts = ReadHostFacts();
  for (int i = 0; i < (mode == "twice" ? 2 : 1); ++i) {
    if (!WriteFrame(STDOUT_FILENO, ToProto(facts)).ok()) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace benchfleet

int main(int argc, char** argv) {
  const std::string mode = argv[argc - 1];
  if (std::string(argv[1]) == "describe") return benchfleet::Describe(mode);
  const auto found = benchfleet::Modes().find(mode);
  if (found == benchfleet::Modes().end()) return 99;
  found->second();
  return 0;
}
