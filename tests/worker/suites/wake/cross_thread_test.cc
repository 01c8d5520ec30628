// Wakes from other threads, in every variant. Also to be run under ThreadSanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "tests/worker/suites/wake/runtime_fixture.h"

namespace benchfleet::wake_runtime {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr int kManyRounds = 3'000;
#else
constexpr int kManyRounds = 30'000;
#endif

template <typename P>
class CrossThreadTest : public RuntimeTest<P> {};
TYPED_TEST_SUITE(CrossThreadTest, AllPolicies, PolicyNames);

// Returns once the loop sleeps.
void AwaitSleep(Loop& loop) {
  while (!loop.core().Armed()) std::this_thread::yield();
}

TYPED_TEST(CrossThreadTest, WakeOfASleepingLoopWritesOneByte) {
  Stream<TestFixture::kPolicy> stream(*this->loop_);
  std::vector<uint64_t> frames;
  Task main = Collect(stream, 1, frames);
  Counters other;
  std::thread writer([&] {
    AwaitSleep(*this->loop_);
    stream.Write(1);
    other = tl_counters;
  });
  ASSERT_TRUE(this->loop_->Run(main));
  writer.join();
  EXPECT_EQ(other.socket_bytes_written, 1);
  EXPECT_EQ(other.socket_wakes, 1);
  EXPECT_EQ(other.direct_wakes, 0);
  EXPECT_EQ(this->Did().resumes, 1);
  EXPECT_EQ(this->loop_->core().live(), 0);
}

// Lets the reader park, runs `meanwhile` with the loop busy, then waits for the reader.
template <Policy P, typename Meanwhile>
Task BusyMeanwhile(std::vector<Task>& readers, Meanwhile meanwhile, Stream<P>& done) {
  for (Task& reader : readers) reader.Start();
  meanwhile();
  co_await done.Read();
}

TYPED_TEST(CrossThreadTest, WakeOfABusyLoopWritesNoByte) {
  constexpr Policy P = TestFixture::kPolicy;
  Stream<P> stream(*this->loop_), done(*this->loop_);
  std::vector<uint64_t> ids;
  std::vector<Task> readers;
  readers.push_back(CollectId(stream, 0, ids, 1, done));
  Counters other;
  Task main = BusyMeanwhile(
      readers, [&] { other = CountersOnThread([&] { stream.Write(1); }); }, done);
  ASSERT_TRUE(this->loop_->Run(main));
  EXPECT_EQ(other.socket_bytes_written, TestFixture::kSocket ? 1 : 0);
  EXPECT_EQ(other.socket_wakes, 1);
  EXPECT_EQ(ids.size(), 1);
}

template <Policy P>
std::vector<std::unique_ptr<Stream<P>>> MakeStreams(Loop& loop, int count) {
  std::vector<std::unique_ptr<Stream<P>>> streams;
  for (int i = 0; i < count; ++i) streams.push_back(std::make_unique<Stream<P>>(loop));
  return streams;
}

TYPED_TEST(CrossThreadTest, ManyReadersWokenByBothThreadsKeepTheOrderOfEach) {
  constexpr Policy P = TestFixture::kPolicy;
  constexpr uint64_t kReaders = 64;
  auto streams = MakeStreams<P>(*this->loop_, kReaders);
  Stream<P> done(*this->loop_);
  std::vector<uint64_t> ids;
  std::vector<Task> readers;
  for (uint64_t i = 0; i < kReaders; ++i) readers.push_back(CollectId(*streams[i], i, ids, kReaders, done));
  Counters other;
  const auto wake_alternately = [&] {
    std::thread odd([&] {
      for (uint64_t i = 1; i < kReaders; i += 2) streams[i]->Write(i);
      other = tl_counters;
    });
    for (uint64_t i = 0; i < kReaders; i += 2) streams[i]->Write(i);
    odd.join();
  };
  Task main = BusyMeanwhile(readers, wake_alternately, done);
  ASSERT_TRUE(this->loop_->Run(main));
  ASSERT_EQ(ids.size(), kReaders);
  std::vector<uint64_t> even_ids, odd_ids;
  for (uint64_t id : ids) (id % 2 == 0 ? even_ids : odd_ids).push_back(id);
  EXPECT_EQ(even_ids.size(), kReaders / 2);
  EXPECT_TRUE(std::is_sorted(even_ids.begin(), even_ids.end()));
  EXPECT_TRUE(std::is_sorted(odd_ids.begin(), odd_ids.end()));
  EXPECT_EQ(other.socket_bytes_written, TestFixture::kSocket ? kReaders / 2 : 0);
  EXPECT_EQ(this->Did().direct_wakes, TestFixture::kSocket ? 0 : kReaders / 2 + 1);
}

TYPED_TEST(CrossThreadTest, ManyReadersWokenByManyThreadsAreAllResumed) {
  constexpr Policy P = TestFixture::kPolicy;
  constexpr uint64_t kThreads = 8;
  constexpr uint64_t kReaders = 64;
  auto streams = MakeStreams<P>(*this->loop_, kReaders);
  Stream<P> done(*this->loop_);
  std::vector<uint64_t> ids;
  std::vector<Task> readers;
  for (uint64_t i = 0; i < kReaders; ++i) readers.push_back(CollectId(*streams[i], i, ids, kReaders, done));
  std::vector<std::thread> threads;
  const auto start_threads = [&] {
    for (uint64_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (uint64_t i = t; i < kReaders; i += kThreads) streams[i]->Write(i);
      });
    }
  };
  Task main = BusyMeanwhile(readers, start_threads, done);
  ASSERT_TRUE(this->loop_->Run(main));
  for (std::thread& thread : threads) thread.join();
  std::sort(ids.begin(), ids.end());
  ASSERT_EQ(ids.size(), kReaders);
  for (uint64_t i = 0; i < kReaders; ++i) EXPECT_EQ(ids[i], i);
  EXPECT_EQ(this->loop_->core().live(), 0);
}

constexpr int kPosters = 3;

// What each thread posted, and what of it the loop has seen. Posting is relaxed on purpose:
// only the wake may order it.
struct PostBoxes {
  alignas(64) std::atomic<int> posted[kPosters] = {};
  alignas(64) std::atomic<int> seen[kPosters] = {};
};

// Re-parks at every resume, after it has looked at what was posted before each wake.
template <Policy P>
class Postman final : public Node {
 public:
  Postman(Core& core, PostBoxes& boxes, Stream<P>& done) : Node(core), boxes_(boxes), done_(done) {}
  void Resume() override {
    do {
      BeginPoll();
      if (Look() == kPosters) {
        done_.Write(0);
        return;
      }
    } while (Park() == ParkResult::kWoken);
  }

 private:
  // How many threads have posted all they will.
  int Look() {
    int finished = 0;
    for (int i = 0; i < kPosters; ++i) {
      const int posted = boxes_.posted[i].load(std::memory_order_relaxed);
      boxes_.seen[i].store(posted, std::memory_order_relaxed);
      finished += posted == kManyRounds;
    }
    return finished;
  }

  PostBoxes& boxes_;
  Stream<P>& done_;
};

template <Policy P>
Task AwaitDone(Stream<P>& done) {
  co_await done.Read();
}

// Each thread waits until the loop has seen what it posted: one lost wake, and it hangs.
TYPED_TEST(CrossThreadTest, NoWakeIsLost) {
  constexpr Policy P = TestFixture::kPolicy;
  PostBoxes boxes;
  Stream<P> done(*this->loop_);
  auto* const postman = new Postman<P>(this->loop_->core(), boxes, done);
  ASSERT_EQ(postman->Park(), ParkResult::kParked);
  std::vector<std::thread> threads;
  for (int t = 0; t < kPosters; ++t) {
    threads.emplace_back([&, t, waker = Waker<P>(*postman)] {
      for (int i = 1; i <= kManyRounds; ++i) {
        boxes.posted[t].store(i, std::memory_order_relaxed);
        waker.Wake();
        while (boxes.seen[t].load(std::memory_order_relaxed) != i) std::this_thread::yield();
      }
    });
  }
  Task main = AwaitDone(done);
  ASSERT_TRUE(this->loop_->Run(main));
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  postman->Close();
  postman->Unref();
  EXPECT_EQ(this->loop_->core().live(), 0);
}

// Spins, but lets others run: both threads may share one CPU.
template <typename Condition>
void SpinUntil(Condition condition) {
  for (int spins = 1; !condition(); ++spins) {
    if (spins % 1000 == 0) std::this_thread::yield();
  }
}

// A wake that finds the node woken already must order its post like any other: were it to
// look at the word first, its post could pass the reset and the look of the poll under way.
TEST(WakeOrderTest, WakeOfAWokenNodeOrdersWhatWasPostedBefore) {
  const WatchDog watch_dog;
  constexpr int kPairs = 10 * kManyRounds;
  Core* const core = Core::Create(Sleeper::kArms);
  bool destroyed = false;
  CountingNode* const node = new CountingNode(*core, &destroyed);
  alignas(64) std::atomic<int> posted{0};
  alignas(64) std::atomic<int> seen{0};
  alignas(64) std::atomic<bool> delivered{false};
  std::thread poster([&] {
    const auto post = [&](int value) {
      posted.store(value, std::memory_order_relaxed);
      if (node->Wake()) delivered.store(true, std::memory_order_release);
    };
    for (int i = 1; i <= kPairs; ++i) {
      post(2 * i - 1);
      // The second post falls into each moment of the poll that the first one caused.
      for (int delay = i % 256; delay > 0; --delay) asm volatile("");
      post(2 * i);
      SpinUntil([&] { return seen.load(std::memory_order_relaxed) == 2 * i; });
    }
  });
  while (seen.load(std::memory_order_relaxed) != 2 * kPairs) {
    if (node->Park() == ParkResult::kParked) {
      SpinUntil([&] { return delivered.load(std::memory_order_acquire); });
      delivered.store(false, std::memory_order_relaxed);
    }
    node->BeginPoll();
    seen.store(posted.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  poster.join();
  EXPECT_EQ(core->live(), 0);
  node->Unref();
  core->Unref();
  EXPECT_TRUE(destroyed);
}

template <Policy P>
Task SumUp(Stream<P>& stream, int frames, uint64_t& sum, int& unfinished, Stream<P>& done) {
  for (int i = 0; i < frames; ++i) {
    const uint64_t frame = co_await stream.Read();
    EXPECT_EQ(frame, static_cast<uint64_t>(i));
    sum += frame;
  }
  if (--unfinished == 0) done.Write(0);
}

TYPED_TEST(CrossThreadTest, StreamsFromManyThreadsArriveWholeAndInOrder) {
  constexpr Policy P = TestFixture::kPolicy;
  constexpr int kWriters = 4;
  auto streams = MakeStreams<P>(*this->loop_, kWriters);
  Stream<P> done(*this->loop_);
  int unfinished = kWriters;
  uint64_t sum = 0;
  std::vector<Task> readers;
  for (auto& stream : streams) readers.push_back(SumUp(*stream, kManyRounds, sum, unfinished, done));
  std::vector<std::thread> writers;
  const auto start_writers = [&] {
    for (auto& stream : streams) {
      writers.emplace_back([&stream] {
        for (int i = 0; i < kManyRounds; ++i) {
          while (!stream->Write(static_cast<uint64_t>(i))) std::this_thread::yield();
        }
      });
    }
  };
  Task main = BusyMeanwhile(readers, start_writers, done);
  ASSERT_TRUE(this->loop_->Run(main));
  for (std::thread& writer : writers) writer.join();
  const uint64_t n = kManyRounds;
  EXPECT_EQ(sum, kWriters * (n * (n - 1) / 2));
  // A frame read before its wake came leaves a wake for nothing, and a second park.
  EXPECT_GE(this->Did().parks, this->Did().resumes);
  EXPECT_EQ(this->loop_->core().live(), 0);
}

template <Policy P>
Task Bounce(Stream<P>& mine, Stream<P>& other, int rounds) {
  for (int i = 0; i < rounds; ++i) other.Write(co_await mine.Read() + 1);
}

TYPED_TEST(CrossThreadTest, TwoLoopsOnTwoThreadsWakeEachOther) {
  constexpr Policy P = TestFixture::kPolicy;
  const std::unique_ptr<Loop> other_loop = Loop::Create();
  Stream<P> mine(*this->loop_), other(*other_loop);
  std::thread thread([&] {
    Task task = Bounce(other, mine, kManyRounds);
    EXPECT_TRUE(other_loop->Run(task));
  });
  mine.Write(0);
  Task task = Bounce(mine, other, kManyRounds);
  ASSERT_TRUE(this->loop_->Run(task));
  thread.join();
  std::vector<uint64_t> frames;
  Task last = Collect(mine, 1, frames);
  ASSERT_TRUE(this->loop_->Run(last));
  EXPECT_EQ(frames, std::vector<uint64_t>{2 * kManyRounds});
}

TYPED_TEST(CrossThreadTest, WakersMayOutliveTheLoop) {
  constexpr Policy P = TestFixture::kPolicy;
  auto stream = std::make_unique<Stream<P>>(*this->loop_);
  std::atomic<bool> gone{false};
  std::atomic<uint64_t> wakes{0};
  Counters after_close;
  std::thread waking([&, waker = stream->MakeWaker()] {
    while (!gone.load(std::memory_order_acquire)) {
      waker.Wake();
      wakes.fetch_add(1, std::memory_order_relaxed);
    }
    const Counters before = tl_counters;
    waker.Wake();
    after_close.socket_bytes_written = tl_counters.socket_bytes_written - before.socket_bytes_written;
  });
  std::vector<uint64_t> frames;
  auto reader = std::make_unique<Task>(Collect(*stream, 1, frames));
  reader->Start();
  while (wakes.load(std::memory_order_relaxed) < 100) std::this_thread::yield();
  reader.reset();
  stream.reset();
  this->loop_.reset();
  gone.store(true, std::memory_order_release);
  waking.join();
  EXPECT_EQ(after_close.socket_bytes_written, 0);
}

}  // namespace
}  // namespace benchfleet::wake_runtime
