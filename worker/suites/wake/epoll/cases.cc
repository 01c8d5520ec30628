#include "worker/suites/wake/epoll/cases.h"

#include <errno.h>
#include <string.h>

#include <memory>

#include "worker/suites/wake/epoll/meter.h"
#include "worker/suites/wake/runtime/loop.h"
#include "worker/suites/wake/runtime/policy.h"
#include "worker/suites/wake/runtime/stream.h"
#include "worker/suites/wake/runtime/task.h"

namespace benchfleet::wake_epoll {

namespace {

using wake_runtime::Handle;
using wake_runtime::HandleCall;
using wake_runtime::Loop;
using wake_runtime::Policy;
using wake_runtime::Stream;
using wake_runtime::Task;

std::string Wrong(const char* what, uint64_t got, uint64_t expected) {
  return std::string(what) + " is " + std::to_string(got) + ", expected " + std::to_string(expected);
}

// The same code inside a loop and outside.
template <Policy P>
void CallBatches(Meter& meter) {
  Handle handle;
  uint64_t last = 0;
  const int64_t iterations = meter.iterations();
  while (!meter.Crossed()) {
    for (int64_t i = 0; i < iterations; ++i) last = HandleCall<P>(&handle);
  }
  const uint64_t expected = static_cast<uint64_t>(meter.operations());
  if (last != expected) meter.Fail(Wrong("the handle's value", last, expected));
}

template <Policy P>
Task Echo(Stream<P>& from, Stream<P>& to) {
  to.Write(co_await from.Read());
}

// A loop that has never polled, or never woken anybody, is not yet what is measured: let
// a reader be woken by the running loop, and be woken by it.
template <Policy P>
struct Prelude {
  explicit Prelude(Loop& loop) : there(loop), back(loop), echo(Echo(there, back)) {}
  typename Stream<P>::ReadAwaiter Begin() {
    echo.Start();
    there.Write(1);
    return back.Read();
  }
  Stream<P> there;
  Stream<P> back;
  Task echo;
};

template <Policy P>
Task CallInLoop(Loop& loop, Meter& meter) {
  Prelude<P> prelude(loop);
  co_await prelude.Begin();
  CallBatches<P>(meter);
}

template <Policy P>
Task WriteAndRead(Loop& loop, Meter& meter) {
  Prelude<P> prelude(loop);
  co_await prelude.Begin();
  Stream<P> stream(loop);
  const uint64_t iterations = static_cast<uint64_t>(meter.iterations());
  uint64_t sum = 0;
  while (!meter.Crossed()) {
    for (uint64_t frame = 0; frame < iterations; ++frame) {
      stream.Write(frame);
      sum += co_await stream.Read();
    }
  }
  const uint64_t batches = static_cast<uint64_t>(meter.operations()) / iterations;
  const uint64_t expected = batches * (iterations * (iterations - 1) / 2);
  if (sum != expected) meter.Fail(Wrong("the frames' sum", sum, expected));
}

// Two players hand a frame, their count, back and forth: each of them parks, then is
// written to by the other on the loop's own thread, then resumed in the loop's next turn.
template <Policy P>
struct Game {
  explicit Game(Loop& loop) : first(loop), second(loop) {}
  Stream<P> first;
  Stream<P> second;
  // The first two hand-overs see both players parked and woken.
  uint64_t border = 2;
  uint64_t sum = 0;  // of all frames that arrived
};

template <Policy P>
Task Play(Game<P>& game, Stream<P>& mine, Stream<P>& other, Meter& meter) {
  while (true) {
    const uint64_t frame = co_await mine.Read();
    game.sum += frame;
    if (frame == game.border) {
      if (game.border == 0 || meter.Crossed()) {
        game.border = 0;
        other.Write(0);
        co_return;
      }
      game.border += static_cast<uint64_t>(meter.iterations());
    }
    other.Write(frame + 1);
  }
}

template <Policy P>
bool HandOver(Loop& loop, Meter& meter) {
  Game<P> game(loop);
  Task second = Play(game, game.second, game.first, meter);
  second.Start();
  game.second.Write(1);
  Task first = Play(game, game.first, game.second, meter);
  if (!loop.Run(first)) return false;
  const uint64_t last = 2 + static_cast<uint64_t>(meter.operations());
  const uint64_t expected = last * (last + 1) / 2;
  if (game.sum != expected) meter.Fail(Wrong("the frames' sum", game.sum, expected));
  return true;
}

std::string CheckOutside() {
  if (wake_runtime::LookUpRunningLoop() != nullptr) return "a loop runs on this thread";
  if (wake_runtime::tl_polled != &wake_runtime::kNothingLive) return "a loop has polled on this thread";
  return "";
}

std::string CheckInside(Loop& loop, int64_t live) {
  if (wake_runtime::LookUpRunningLoop() != &loop) return "the loop does not run on this thread";
  if (!loop.core().PolledHere()) return "the loop has not polled on this thread";
  if (loop.core().live() == live) return "";
  return "the count of what may wake is " + std::to_string(loop.core().live()) + ", expected " + std::to_string(live);
}

template <Policy P>
std::string MeasureOutside(const Arguments& arguments, std::string* json) {
  Meter meter(arguments, CheckOutside);
  CallBatches<P>(meter);
  *json = meter.ToJson();
  return meter.failure();
}

template <Policy P>
bool RunInside(Case wake_case, Loop& loop, Meter& meter) {
  if (wake_case == Case::kFrameWokenSameThread) return HandOver<P>(loop, meter);
  Task task = wake_case == Case::kFrameReady ? WriteAndRead<P>(loop, meter) : CallInLoop<P>(loop, meter);
  return loop.Run(task);
}

template <Policy P>
std::string MeasureInside(const Arguments& arguments, std::string* json) {
  const std::unique_ptr<Loop> loop = Loop::Create();
  if (loop == nullptr) return std::string("cannot create a loop: ") + strerror(errno);
  // While one player is resumed, the other is parked.
  const int64_t live = arguments.wake_case == Case::kFrameWokenSameThread ? 1 : 0;
  Meter meter(arguments, [&loop, live] { return CheckInside(*loop, live); });
  if (!RunInside<P>(arguments.wake_case, *loop, meter)) return "the loop is being run already";
  if (loop->core().live() != 0) meter.Fail("at the end something may still wake");
  *json = meter.ToJson();
  return meter.failure();
}

template <Policy P>
std::string Measure(const Arguments& arguments, std::string* json) {
  if (arguments.wake_case == Case::kHandleCallOutsideLoop) return MeasureOutside<P>(arguments, json);
  return MeasureInside<P>(arguments, json);
}

}  // namespace

std::string MeasureCase(const Arguments& arguments, std::string* json) {
  switch (arguments.policy) {
    case Policy::kSocket:
      return Measure<Policy::kSocket>(arguments, json);
    case Policy::kLookup:
      return Measure<Policy::kLookup>(arguments, json);
    case Policy::kCounted:
      return Measure<Policy::kCounted>(arguments, json);
  }
  return "unknown variant";
}

}  // namespace benchfleet::wake_epoll
