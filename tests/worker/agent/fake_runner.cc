// A program that speaks the runner's protocol and misbehaves as it is told:
// fake_runner [describe] [--python BEHAVIOUR]. Measures nothing.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "benchfleet/runner/v1/runner.pb.h"
#include "common/model/host.h"
#include "common/runner/framing.h"
#include "common/wire/host_wire.h"
#include "common/wire/plan_wire.h"
#include "common/wire/sample_wire.h"
#include "tests/worker/agent/test_plan.h"

namespace benchfleet {
namespace {

void Send(const google::protobuf::MessageLite& message) {
  if (!WriteFrame(STDOUT_FILENO, message).ok()) _exit(9);
}

void SendRound(int index) {
  runner::v1::RunnerEvent event;
  *event.mutable_round() = ToProto(TestRound(index));
  Send(event);
}

int Finish(v1::AttemptEnd end) {
  runner::v1::RunnerEvent event;
  event.mutable_finished()->set_end(end);
  Send(event);
  return 0;
}

int Describe() {
  HostFacts facts;
  facts.boot_id = "0e3d5a52-3f6e-4a5e-8d55-000000000000";
  facts.host_key = {"hk1:0", {{"cpu_model", "fake"}}};
  facts.cpus = 1;
  facts.memory_bytes = 1 << 30;
  facts.suites = {"wake"};
  Send(ToProto(facts));
  return 0;
}

FrameDecoder decoder;

// The next command; one that is not set when there is none any more.
runner::v1::RunnerCommand NextCommand() {
  runner::v1::RunnerCommand command;
  if (!ReadFrame(STDIN_FILENO, decoder, command).value_or(false)) return runner::v1::RunnerCommand();
  return command;
}

int Run(const std::string& behaviour) {
  if (!NextCommand().has_start()) return 8;
  runner::v1::RunnerEvent plan;
  *plan.mutable_plan() = ToProto(TestPlan());
  Send(plan);
  if (!NextCommand().has_plan_accepted()) return Finish(v1::ATTEMPT_END_CANCELLED);
  SendRound(0);
  if (behaviour == "crash") {
    fputs("out of luck\n", stderr);
    raise(SIGKILL);
  }
  if (behaviour == "hang") {
    for (;;) pause();  // deaf to everything it is told
  }
  if (!NextCommand().has_round_accepted()) return Finish(v1::ATTEMPT_END_CANCELLED);
  if (behaviour == "obey") {
    NextCommand();
    return Finish(v1::ATTEMPT_END_CANCELLED);
  }
  for (int i = 1; behaviour == "rounds" || i < 3; ++i) {
    SendRound(i);
    // Deaf to a cancel when it measures for ever.
    if (!NextCommand().has_round_accepted() && behaviour != "rounds") return Finish(v1::ATTEMPT_END_CANCELLED);
  }
  return Finish(behaviour == "fail" ? v1::ATTEMPT_END_FAILED : v1::ATTEMPT_END_SUCCEEDED);
}

}  // namespace
}  // namespace benchfleet

int main(int argc, char** argv) {
  std::string behaviour;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "describe") return benchfleet::Describe();
    behaviour = argv[i];
  }
  return benchfleet::Run(behaviour);
}
