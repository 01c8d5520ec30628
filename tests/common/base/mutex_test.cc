#include "common/base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace benchfleet {
namespace {

constexpr int kThreads = 4;
constexpr int kSteps = 20000;

struct Counter {
  Mutex mutex;
  int value ABSL_GUARDED_BY(mutex) = 0;
};

TEST(MutexTest, GuardedIncrementsAreNotLost) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&counter] {
      for (int step = 0; step < kSteps; ++step) {
        MutexLock lock(counter.mutex);
        const int value = counter.value;
        if (step % 64 == 0) std::this_thread::yield();
        counter.value = value + 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(counter.mutex);
  EXPECT_EQ(counter.value, kThreads * kSteps);
}

// Two threads take turns; each turn needs a wake-up from the other, and the lock is held
// again after every wait.
TEST(CondVarTest, SignalsPassTurnsBetweenThreads) {
  constexpr int kTurns = 2000;
  struct {
    Mutex mutex;
    CondVar changed;
    int turn ABSL_GUARDED_BY(mutex) = 0;
  } shared;
  const auto play = [&shared](int parity) {
    MutexLock lock(shared.mutex);
    while (true) {
      while (shared.turn < kTurns && shared.turn % 2 != parity) shared.changed.Wait(shared.mutex);
      if (shared.turn >= kTurns) break;
      ++shared.turn;
      shared.changed.SignalAll();
    }
  };
  std::thread even(play, 0);
  std::thread odd(play, 1);
  even.join();
  odd.join();
  MutexLock lock(shared.mutex);
  EXPECT_EQ(shared.turn, kTurns);
}

TEST(CondVarTest, AWaitWithoutASignalTimesOut) {
  Mutex mutex;
  CondVar condition;
  MutexLock lock(mutex);
  // A wait may end early without cause, a timeout may not.
  while (!condition.WaitWithTimeout(mutex, absl::Milliseconds(1))) {
  }
  while (!condition.WaitWithTimeout(mutex, absl::ZeroDuration())) {
  }
}

TEST(CondVarTest, ASignalEndsATimedWait) {
  struct {
    Mutex mutex;
    CondVar changed;
    bool waiting ABSL_GUARDED_BY(mutex) = false;
    bool done ABSL_GUARDED_BY(mutex) = false;
  } shared;
  std::thread signaller([&shared] {
    MutexLock lock(shared.mutex);
    while (!shared.waiting) shared.changed.Wait(shared.mutex);
    shared.done = true;
    shared.changed.Signal();
  });
  bool timed_out = false;
  {
    MutexLock lock(shared.mutex);
    shared.waiting = true;
    shared.changed.Signal();
    while (!shared.done && !timed_out) timed_out = shared.changed.WaitWithTimeout(shared.mutex, absl::Minutes(5));
  }
  signaller.join();
  EXPECT_FALSE(timed_out);
}

}  // namespace
}  // namespace benchfleet
