// What a stream on the loop does, in every variant, seen from the loop's own thread.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/worker/suites/wake/runtime_fixture.h"

namespace benchfleet::wake_runtime {
namespace {

TYPED_TEST_SUITE(RuntimeTest, AllPolicies, PolicyNames);

// ---- frames ----

template <Policy P>
Task WriteThenRead(Stream<P>& stream, uint64_t& got) {
  stream.Write(7);
  got = co_await stream.Read();
}

TYPED_TEST(RuntimeTest, WakeBeforeTheFirstAwaitNeverParks) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  uint64_t got = 0;
  Task main = WriteThenRead(stream, got);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(got, 7);
  const Counters did = this->Did();
  EXPECT_EQ(did.parks, 0);
  EXPECT_EQ(Wakes(did), 0);
  EXPECT_EQ(did.socket_bytes_written, 0);
  EXPECT_EQ(did.lookups, TestFixture::kPolicy == Policy::kLookup ? 2 : 0);
}

// Lets `reader` park, then writes `frames` at once and waits for the loop's turns.
template <Policy P>
Task StartThenWrite(Task& reader, Stream<P>& stream, std::vector<uint64_t> frames, Stream<P>& done) {
  reader.Start();
  for (uint64_t frame : frames) stream.Write(frame);
  co_await done.Read();
}

template <Policy P>
Task CollectThenTell(Stream<P>& stream, size_t count, std::vector<uint64_t>& frames, Stream<P>& done) {
  for (size_t i = 0; i < count; ++i) frames.push_back(co_await stream.Read());
  done.Write(0);
}

TYPED_TEST(RuntimeTest, ParkedReadIsWokenFromTheSameThread) {
  Stream<TestFixture::kPolicy> stream(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> frames;
  Task reader = CollectThenTell(stream, 1, frames, done);
  Task main = StartThenWrite(reader, stream, {5}, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(frames, std::vector<uint64_t>{5});
  const Counters did = this->Did();
  // The reader, and the test's own wait for it.
  EXPECT_EQ(did.parks, 2);
  EXPECT_EQ(did.resumes, 2);
  EXPECT_EQ(did.direct_wakes, TestFixture::kSocket ? 0 : 2);
  EXPECT_EQ(did.socket_wakes, TestFixture::kSocket ? 2 : 0);
  EXPECT_EQ(did.socket_bytes_written, TestFixture::kSocket ? 2 : 0);
  EXPECT_EQ(did.socket_bytes_read, did.socket_bytes_written);
  EXPECT_EQ(this->loop_->core().live(), 0);
}

TYPED_TEST(RuntimeTest, DoubleWakeResumesOnce) {
  Stream<TestFixture::kPolicy> stream(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> frames;
  Task reader = CollectThenTell(stream, 2, frames, done);
  Task main = StartThenWrite(reader, stream, {5, 6}, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(frames, (std::vector<uint64_t>{5, 6}));
  EXPECT_EQ(this->Did().resumes, 2) << "one of them the test's own";
  EXPECT_EQ(Wakes(this->Did()), 2);
}

template <Policy P>
Task EchoAll(Stream<P>& from, Stream<P>& to, int count) {
  for (int i = 0; i < count; ++i) to.Write(co_await from.Read());
}

template <Policy P>
Task SendAndAwaitEach(Task& echo, Stream<P>& there, Stream<P>& back, int count, std::vector<uint64_t>& frames) {
  echo.Start();
  for (int i = 0; i < count; ++i) {
    there.Write(static_cast<uint64_t>(i));
    frames.push_back(co_await back.Read());
  }
}

TYPED_TEST(RuntimeTest, WakeReparkWakeKeepsTheOrder) {
  Stream<TestFixture::kPolicy> there(*this->loop_), back(*this->loop_);
  std::vector<uint64_t> frames;
  Task echo = EchoAll(there, back, 100);
  Task main = SendAndAwaitEach(echo, there, back, 100, frames);
  ASSERT_TRUE(this->loop_->Run(main));
  ASSERT_EQ(frames.size(), 100);
  for (uint64_t i = 0; i < frames.size(); ++i) EXPECT_EQ(frames[i], i);
  EXPECT_EQ(this->Did().resumes, 200);
  EXPECT_EQ(this->Did().parks, 200);
}

TYPED_TEST(RuntimeTest, WriteToAFullStreamIsRefused) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  for (size_t i = 0; i < kMaxFramesInRing; ++i) ASSERT_TRUE(stream.Write(i));
  EXPECT_FALSE(stream.Write(99));
}

// ---- wakers and the count ----

template <Policy P>
Task WakeOften(Task& reader, Stream<P>& stream, int times, Stream<P>& done) {
  reader.Start();
  Waker<P> waker = stream.MakeWaker();
  stream.Write(1);
  for (int i = 1; i < times; ++i) waker.Wake();
  co_await done.Read();
}

TYPED_TEST(RuntimeTest, ThousandWakesBeforeTheDispatchResumeOnce) {
  Stream<TestFixture::kPolicy> stream(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> frames;
  Task reader = CollectThenTell(stream, 1, frames, done);
  Task main = WakeOften(reader, stream, 1000, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(this->Did().resumes, 2) << "one of them the test's own";
  EXPECT_LE(this->Did().socket_bytes_written, TestFixture::kSocket ? 2 : 0);
}

template <Policy P>
Task WakeForNothing(Task& reader, Stream<P>& stream, Stream<P>& pause, Stream<P>& done) {
  reader.Start();
  stream.MakeWaker().Wake();
  // Two turns pass.
  Task echo = EchoAll(pause, done, 1);
  echo.Start();
  pause.Write(0);
  co_await done.Read();
  stream.Write(3);
  co_await done.Read();
}

TYPED_TEST(RuntimeTest, WakeWithoutAFrameDoesNotReachTheReader) {
  Stream<TestFixture::kPolicy> stream(*this->loop_), pause(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> frames;
  Task reader = CollectThenTell(stream, 1, frames, done);
  Task main = WakeForNothing(reader, stream, pause, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(frames, std::vector<uint64_t>{3});
  EXPECT_EQ(this->loop_->core().live(), 0);
}

template <Policy P>
Task WakeNodeAlone(CountingNode& node, Stream<P>& pause, Stream<P>& done, Counters& before, Counters& after) {
  // The loop polls once: before that no count is known on this thread.
  Task first_turn = EchoAll(pause, done, 1);
  first_turn.Start();
  pause.Write(0);
  co_await done.Read();

  Waker<P> waker(node);
  EXPECT_EQ(node.Park(), ParkResult::kParked);
  before = tl_counters;
  waker.Wake();
  after = tl_counters;
  Task second_turn = EchoAll(pause, done, 1);
  second_turn.Start();
  pause.Write(0);
  co_await done.Read();
}

TYPED_TEST(RuntimeTest, WakeOnTheLoopsThreadWhenNothingElseWaitsIsDirect) {
  bool destroyed = false;
  CountingNode* const node = new CountingNode(this->loop_->core(), &destroyed);
  Stream<TestFixture::kPolicy> pause(*this->loop_), done(*this->loop_);
  Counters before, after;
  Task main = WakeNodeAlone(*node, pause, done, before, after);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(node->resumed, 1);
  EXPECT_EQ(after.socket_bytes_written - before.socket_bytes_written, TestFixture::kSocket ? 1 : 0);
  EXPECT_EQ(after.direct_wakes - before.direct_wakes, TestFixture::kSocket ? 0 : 1);
  node->Unref();
  EXPECT_TRUE(destroyed);
}

template <Policy P>
Task PollThenCall(Stream<P>& stream, int calls, Counters& before, Counters& after) {
  stream.Write(0);
  co_await stream.Read();
  Handle handle;
  before = tl_counters;
  for (int i = 0; i < calls; ++i) HandleCall<P>(&handle);
  after = tl_counters;
  EXPECT_EQ(handle.value, static_cast<uint64_t>(calls));
}

TYPED_TEST(RuntimeTest, HandleCallWithNothingLiveLooksUpOnlyInLookup) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  Counters before, after;
  Task main = PollThenCall(stream, 10, before, after);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(after.lookups - before.lookups, TestFixture::kPolicy == Policy::kLookup ? 10 : 0);
}

TYPED_TEST(RuntimeTest, HandleCallWithALiveWakerLooksUpOnceEach) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  const Waker<TestFixture::kPolicy> waker = stream.MakeWaker();
  EXPECT_EQ(this->loop_->core().live(), 1);
  Counters before, after;
  Task main = PollThenCall(stream, 10, before, after);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(after.lookups - before.lookups, TestFixture::kSocket ? 0 : 10);
}

TYPED_TEST(RuntimeTest, LookUpThatFindsNoLoopIsTheLast) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  const Waker<TestFixture::kPolicy> waker = stream.MakeWaker();
  Counters before, after;
  Task main = PollThenCall(stream, 1, before, after);
  ASSERT_TRUE(this->loop_->Run(main));
  this->Restart();
  Handle handle;
  for (int i = 0; i < 5; ++i) HandleCall<TestFixture::kPolicy>(&handle);
  const uint64_t expected[] = {0, 5, 1};
  EXPECT_EQ(this->Did().lookups, expected[static_cast<int>(TestFixture::kPolicy)]);
}

TYPED_TEST(RuntimeTest, AnotherLoopsCountCostsNoLookUp) {
  const std::unique_ptr<Loop> other = Loop::Create();
  Stream<TestFixture::kPolicy> leaked(*other), stream(*this->loop_);
  const Waker<TestFixture::kPolicy> waker = leaked.MakeWaker();
  Counters before, after;
  Task main = PollThenCall(stream, 10, before, after);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(after.lookups - before.lookups, TestFixture::kPolicy == Policy::kLookup ? 10 : 0);
}

TYPED_TEST(RuntimeTest, HandleCallAfterItsLoopIsGoneIsSafe) {
  {
    Stream<TestFixture::kPolicy> stream(*this->loop_);
    Counters before, after;
    Task main = PollThenCall(stream, 1, before, after);
    ASSERT_TRUE(this->loop_->Run(main));
  }
  this->loop_.reset();
  // A loop that takes over the memory of the count.
  const std::unique_ptr<Loop> next = Loop::Create();
  Handle handle;
  EXPECT_EQ(HandleCall<TestFixture::kPolicy>(&handle), 1);
}

// ---- closing ----

TYPED_TEST(RuntimeTest, WakeAfterCloseQueuesNothing) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  const Waker<TestFixture::kPolicy> waker = stream.MakeWaker();
  std::vector<uint64_t> frames;
  Task reader = Collect(stream, 1, frames);
  reader.Start();
  EXPECT_EQ(this->loop_->core().live(), 2);
  stream.Close();
  stream.Close();
  EXPECT_EQ(this->loop_->core().live(), 1);
  this->Restart();
  waker.Wake();
  stream.Write(1);
  EXPECT_EQ(Wakes(this->Did()), 0);
  EXPECT_EQ(this->Did().socket_bytes_written, 0);
}

TYPED_TEST(RuntimeTest, DestroyedReaderIsNoLongerCounted) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  std::vector<uint64_t> frames;
  {
    Task reader = Collect(stream, 1, frames);
    reader.Start();
    EXPECT_EQ(this->loop_->core().live(), 1);
  }
  EXPECT_EQ(this->loop_->core().live(), 0);
  // Its stream is as good as new.
  Task again = Collect(stream, 1, frames);
  stream.Write(4);
  ASSERT_TRUE(this->loop_->Run(again));
  EXPECT_EQ(frames, std::vector<uint64_t>{4});
}

template <Policy P>
Task DestroyWoken(std::unique_ptr<Task>& reader, Stream<P>& stream, Stream<P>& pause, Stream<P>& done) {
  reader->Start();
  stream.Write(1);
  reader.reset();
  stream.Write(2);  // marks the node woken anew while it is still linked
  Task echo = EchoAll(pause, done, 1);
  echo.Start();
  pause.Write(0);
  co_await done.Read();
}

TYPED_TEST(RuntimeTest, ReaderDestroyedBetweenWakeAndDispatchIsNotResumed) {
  Stream<TestFixture::kPolicy> stream(*this->loop_), pause(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> frames;
  auto reader = std::make_unique<Task>(Collect(stream, 1, frames));
  Task main = DestroyWoken(reader, stream, pause, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_TRUE(frames.empty());
  EXPECT_EQ(this->loop_->core().live(), 0);
}

TYPED_TEST(RuntimeTest, WakeAfterTheLoopIsClosedTouchesNoDescriptor) {
  auto stream = std::make_unique<Stream<TestFixture::kPolicy>>(*this->loop_);
  auto waker = std::make_unique<Waker<TestFixture::kPolicy>>(stream->MakeWaker());
  std::vector<uint64_t> frames;
  auto reader = std::make_unique<Task>(Collect(*stream, 1, frames));
  reader->Start();
  this->loop_.reset();
  // Would get the numbers of the loop's own pair, had the loop closed them.
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
  waker->Wake();
  stream->Write(1);
  char byte;
  EXPECT_EQ(::recv(pair[0], &byte, 1, 0), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(::recv(pair[1], &byte, 1, 0), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(this->Did().socket_bytes_written, 0);
  reader.reset();
  stream.reset();
  waker->Wake();
  waker.reset();
  // The last reference closed the loop's pair, and nothing else.
  EXPECT_EQ(::close(pair[0]), 0);
  EXPECT_EQ(::close(pair[1]), 0);
}

// ---- running ----

template <Policy P>
Task TryToRunAgain(Loop& loop, Stream<P>& stream, bool& inside, bool& elsewhere) {
  uint64_t got = 0;
  Task other = WriteThenRead(stream, got);
  inside = loop.Run(other);
  std::thread([&] { elsewhere = loop.Run(other); }).join();
  EXPECT_EQ(got, 0);
  co_return;
}

TYPED_TEST(RuntimeTest, OneRunnerAtATime) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  bool inside = true, elsewhere = true;
  Task main = TryToRunAgain(*this->loop_, stream, inside, elsewhere);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_FALSE(inside);
  EXPECT_FALSE(elsewhere);
}

template <Policy P>
Task WriteOnce(Stream<P>& stream) {
  stream.Write(8);
  co_return;
}

template <Policy P>
Task RunNested(Loop& inner, Stream<P>& outer_stream, Task& reader, Stream<P>& done) {
  reader.Start();
  Task nested = WriteOnce(outer_stream);
  EXPECT_TRUE(inner.Run(nested));
  Handle handle;
  HandleCall<P>(&handle);
  co_await done.Read();
}

TYPED_TEST(RuntimeTest, WakeOfTheOuterLoopFromANestedOneRunsLater) {
  const std::unique_ptr<Loop> inner = Loop::Create();
  Stream<TestFixture::kPolicy> stream(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> frames;
  Task reader = CollectThenTell(stream, 1, frames, done);
  Task main = RunNested(*inner, stream, reader, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(frames, std::vector<uint64_t>{8});
  // The outer loop was awake, so nobody owed it a byte.
  EXPECT_EQ(this->Did().socket_bytes_written, TestFixture::kSocket ? 2 : 0);
  EXPECT_EQ(this->Did().socket_wakes, TestFixture::kSocket ? 2 : 1);
}

TYPED_TEST(RuntimeTest, RunsAgainOnAnotherThread) {
  Stream<TestFixture::kPolicy> there(*this->loop_), back(*this->loop_);
  std::vector<uint64_t> frames;
  Task first_echo = EchoAll(there, back, 3);
  Task first = SendAndAwaitEach(first_echo, there, back, 3, frames);
  ASSERT_TRUE(this->loop_->Run(first));
  const Counters did = CountersOnThread([&] {
    Task echo = EchoAll(there, back, 3);
    Task main = SendAndAwaitEach(echo, there, back, 3, frames);
    EXPECT_TRUE(this->loop_->Run(main));
  });
  EXPECT_EQ(did.direct_wakes, TestFixture::kSocket ? 0 : 6);
  EXPECT_EQ(frames.size(), 6);
}

TEST(LoopTest, WithoutDescriptorsThereIsNoLoop) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // From none to all but one of what a loop needs.
  for (rlim_t spare = 0; spare < 3; ++spare) {
    const int next = ::dup(0);
    ::close(next);
    const rlimit few = {static_cast<rlim_t>(next) + spare, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    errno = 0;
    EXPECT_EQ(Loop::Create(), nullptr) << spare;
    EXPECT_EQ(errno, EMFILE);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    const int after = ::dup(0);
    ::close(after);
    EXPECT_EQ(after, next) << "a descriptor leaked";
  }
}

}  // namespace
}  // namespace benchfleet::wake_runtime
