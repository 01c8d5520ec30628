#include "server/core/notice_board.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace benchfleet {
namespace {

NoticeBoard::Worker Worker(const std::string& host, bool wants_work, Labels labels = {}) {
  return {HostName(host), "boot-" + host, std::move(labels), wants_work};
}

Selector Parse(absl::string_view text) { return *Selector::Parse(text); }

TEST(NoticeBoard, AHostsNoticeReachesThatHostOnly) {
  NoticeBoard board;
  int alpha = 0;
  int beta = 0;
  const auto a = board.WatchWorker(Worker("alpha", false), [&] { ++alpha; });
  const auto b = board.WatchWorker(Worker("beta", false), [&] { ++beta; });
  board.Deliver({.hosts = {HostName("alpha")}});
  board.Deliver({.free_kernels = {"boot-beta"}});
  EXPECT_EQ(alpha, 1);
  EXPECT_EQ(beta, 1);
}

TEST(NoticeBoard, AQueuedRunWakesOneWorkerThatFits) {
  NoticeBoard board;
  int busy = 0;
  int other = 0;
  int first = 0;
  int second = 0;
  const auto w1 = board.WatchWorker(Worker("busy", false, {{"pool", "lab"}}), [&] { ++busy; });
  const auto w2 = board.WatchWorker(Worker("other", true, {{"pool", "ci"}}), [&] { ++other; });
  const auto w3 = board.WatchWorker(Worker("first", true, {{"pool", "lab"}}), [&] { ++first; });
  const auto w4 = board.WatchWorker(Worker("second", true, {{"pool", "lab"}}), [&] { ++second; });
  Notices notices;
  notices.queued.push_back({Parse("pool=lab"), HostName()});
  board.Deliver(notices);
  EXPECT_EQ(first + second, 1);
  board.Deliver(notices);
  EXPECT_EQ(first, 1) << "they take turns";
  EXPECT_EQ(second, 1);
  EXPECT_EQ(busy + other, 0);

  notices.queued = {{Parse("pool=lab"), HostName("second")}, {Parse("pool=lab"), HostName("second")}};
  board.Deliver(notices);
  EXPECT_EQ(second, 2) << "bound to it, and told once";
}

TEST(NoticeBoard, JobWatchersHearOfTheirJobUntilTheyLeave) {
  NoticeBoard board;
  int calls = 0;
  auto subscription = board.WatchJob(JobId("j1"), [&] { ++calls; });
  board.Deliver({.jobs = {JobId("j2")}});
  EXPECT_EQ(calls, 0);
  board.Deliver({.jobs = {JobId("j1")}});
  EXPECT_EQ(calls, 1);
  subscription.Unsubscribe();
  board.Deliver({.jobs = {JobId("j1")}});
  EXPECT_EQ(calls, 1);
}

TEST(NoticeBoard, ACallbackMayEndItsOwnSubscription) {
  NoticeBoard board;
  NoticeBoard::Subscription subscription;
  int calls = 0;
  subscription = board.WatchJob(JobId("j"), [&] {
    ++calls;
    subscription.Unsubscribe();
  });
  board.Deliver({.jobs = {JobId("j")}});
  board.Deliver({.jobs = {JobId("j")}});
  EXPECT_EQ(calls, 1);
}

// No callback runs after Unsubscribe() returned: what it uses may be gone then.
TEST(NoticeBoard, UnsubscribingWaitsForACallbackThatRuns) {
  NoticeBoard board;
  std::atomic<bool> stop = false;
  std::thread notifier([&] {
    while (!stop) board.Deliver({.jobs = {JobId("j")}});
  });
  int64_t late = 0;
  for (int i = 0; i < 2000; ++i) {
    auto alive = std::make_unique<std::atomic<int>>(1);
    std::atomic<int>* seen = alive.get();
    auto subscription = board.WatchJob(JobId("j"), [seen] { seen->fetch_add(1); });
    while (alive->load() < 2) std::this_thread::yield();
    subscription.Unsubscribe();
    const int at_end = alive->load();
    std::this_thread::yield();
    late += alive->load() - at_end;
  }
  stop = true;
  notifier.join();
  EXPECT_EQ(late, 0);
}

}  // namespace
}  // namespace benchfleet
