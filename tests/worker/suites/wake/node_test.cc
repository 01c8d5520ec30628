// The state word and the queue, step by step on one thread.
#include "worker/suites/wake/runtime/node.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/worker/suites/wake/runtime_fixture.h"

namespace benchfleet::wake_runtime {
namespace {

class NodeTest : public ::testing::Test {
 protected:
  NodeTest() : core_(Core::Create(Sleeper::kArms)), node_(new CountingNode(*core_, &destroyed_)) {}
  ~NodeTest() override {
    EXPECT_EQ(core_->live(), 0);
    if (node_ != nullptr) node_->Unref();
    EXPECT_TRUE(destroyed_);
    core_->Unref();
  }

  void Queue() {
    if (node_->MarkQueued()) core_->Push(*node_, false);
  }
  void TakeAndDispatch() {
    NodeList list;
    core_->TakeTo(list);
    list.DispatchBatch();
  }
  // Bytes in the socket pair.
  ssize_t Bytes() {
    char bytes[64];
    return ::recv(core_->wait_fd(), bytes, sizeof bytes, MSG_DONTWAIT | MSG_PEEK);
  }

  bool destroyed_ = false;
  Core* const core_;
  CountingNode* node_;
};

TEST_F(NodeTest, WakeOfAnIdleNodeQueuesNothing) { EXPECT_FALSE(node_->Wake()); }

TEST_F(NodeTest, ParkedNodeIsCountedUntilItIsWoken) {
  node_->BeginPoll();
  EXPECT_EQ(node_->Park(), ParkResult::kParked);
  EXPECT_EQ(core_->live(), 1);
  EXPECT_TRUE(node_->Wake());
  EXPECT_EQ(core_->live(), 0);
  EXPECT_FALSE(node_->Wake()) << "one wake, one winner";
  EXPECT_EQ(core_->live(), 0);
}

TEST_F(NodeTest, WakeDuringAPollMakesOneMorePoll) {
  node_->BeginPoll();
  EXPECT_FALSE(node_->Wake());
  EXPECT_EQ(node_->Park(), ParkResult::kWoken);
  EXPECT_EQ(core_->live(), 0);
  node_->BeginPoll();
  EXPECT_EQ(node_->Park(), ParkResult::kParked);
  node_->BeginPoll();
}

TEST_F(NodeTest, PollOfAParkedNodeCountsItDown) {
  node_->Park();
  node_->BeginPoll();
  EXPECT_EQ(core_->live(), 0);
}

TEST_F(NodeTest, CloseMarksTheNodeWoken) {
  node_->Park();
  node_->Close();
  EXPECT_EQ(core_->live(), 0);
  EXPECT_FALSE(node_->Wake());
  EXPECT_EQ(node_->Park(), ParkResult::kClosed);
  EXPECT_EQ(core_->live(), 0);
}

TEST_F(NodeTest, CloseTwiceCountsDownOnce) {
  node_->Park();
  node_->Close();
  node_->Close();
  EXPECT_EQ(core_->live(), 0);
}

TEST_F(NodeTest, PollOfAClosedNodeDoesNotOpenIt) {
  node_->Close();
  node_->BeginPoll();
  EXPECT_EQ(node_->Park(), ParkResult::kClosed);
  EXPECT_FALSE(node_->Wake());
}

TEST_F(NodeTest, WakeInFlightAcrossCloseDispatchesNothing) {
  node_->Park();
  ASSERT_TRUE(node_->Wake());
  node_->Close();
  Queue();
  TakeAndDispatch();
  EXPECT_EQ(node_->resumed, 0);
}

TEST_F(NodeTest, CloseWhileQueuedDispatchesNothingAndLeaksNothing) {
  node_->Park();
  ASSERT_TRUE(node_->Wake());
  Queue();
  node_->Close();
  CountingNode* const node = std::exchange(node_, nullptr);
  node->Unref();
  EXPECT_FALSE(destroyed_) << "the queue holds a reference";
  TakeAndDispatch();
  EXPECT_TRUE(destroyed_);
}

TEST_F(NodeTest, ReparkedWhileQueuedIsLinkedOnceAndResumedOnce) {
  node_->Park();
  ASSERT_TRUE(node_->Wake());
  Queue();
  node_->BeginPoll();
  ASSERT_EQ(node_->Park(), ParkResult::kParked);
  ASSERT_TRUE(node_->Wake());
  EXPECT_FALSE(node_->MarkQueued()) << "still linked";
  TakeAndDispatch();
  EXPECT_EQ(node_->resumed, 1);
  TakeAndDispatch();
  EXPECT_EQ(node_->resumed, 1);
}

TEST_F(NodeTest, ReparkedAndNotWokenAgainIsNotResumedByTheOldLink) {
  node_->Park();
  ASSERT_TRUE(node_->Wake());
  Queue();
  node_->BeginPoll();
  ASSERT_EQ(node_->Park(), ParkResult::kParked);
  TakeAndDispatch();
  EXPECT_EQ(node_->resumed, 0);
  EXPECT_EQ(core_->live(), 1) << "still parked";
  node_->BeginPoll();
}

TEST_F(NodeTest, DispatchedNodeCanBeQueuedAgain) {
  for (int i = 1; i <= 3; ++i) {
    node_->BeginPoll();
    ASSERT_EQ(node_->Park(), ParkResult::kParked);
    ASSERT_TRUE(node_->Wake());
    Queue();
    TakeAndDispatch();
    EXPECT_EQ(node_->resumed, i);
  }
}

TEST_F(NodeTest, OnlyThePushThatFindsTheLoopArmedWritesAByte) {
  bool other_destroyed = false;
  CountingNode* const other = new CountingNode(*core_, &other_destroyed);
  Queue();
  EXPECT_EQ(Bytes(), -1) << "the loop is awake";
  EXPECT_FALSE(core_->Arm()) << "it must take first";
  TakeAndDispatch();
  EXPECT_TRUE(core_->Arm());
  EXPECT_TRUE(core_->Armed());
  Queue();
  EXPECT_FALSE(core_->Armed());
  other->MarkQueued();
  core_->Push(*other, false);
  EXPECT_EQ(Bytes(), 1);
  TakeAndDispatch();
  other->Unref();
  EXPECT_TRUE(other_destroyed);
}

TEST_F(NodeTest, PushAfterCloseDoesNothing) {
  core_->Arm();
  core_->Close();
  node_->Park();
  ASSERT_TRUE(node_->Wake());
  node_->MarkQueued();
  core_->Push(*node_, true);
  EXPECT_EQ(Bytes(), -1);
}

TEST_F(NodeTest, CloseDropsWhatIsQueued) {
  Queue();
  core_->Close();
  std::exchange(node_, nullptr)->Unref();
  EXPECT_TRUE(destroyed_);
}

TEST_F(NodeTest, FullSocketLosesNoWake) {
  for (int i = 0; i < 100'000; ++i) {
    node_->MarkQueued();
    core_->Push(*node_, true);
    NodeList list;
    core_->TakeTo(list);
    list.DispatchBatch();
  }
  Queue();
  TakeAndDispatch();
  EXPECT_GT(Bytes(), 0);
}

TEST(CoreTest, ForeignLoopIsOwedAByteAfterEveryTake) {
  bool destroyed = false;
  Core* const core = Core::Create(Sleeper::kForeign);
  CountingNode* const node = new CountingNode(*core, &destroyed);
  const uint64_t before = tl_counters.socket_bytes_written;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(node->MarkQueued());
    core->Push(*node, false);
    NodeList list;
    core->Drain();
    core->TakeTo(list);
    list.DispatchBatch();
  }
  EXPECT_EQ(tl_counters.socket_bytes_written - before, 3);
  node->Unref();
  core->Unref();
  EXPECT_TRUE(destroyed);
}

TEST(NodeListTest, KeepsTheOrderOfPushes) {
  Core* const core = Core::Create(Sleeper::kArms);
  std::vector<int> order;
  class Recorder final : public Node {
   public:
    Recorder(Core& c, int id, std::vector<int>* order) : Node(c), id_(id), order_(order) {}
    void Resume() override { order_->push_back(id_); }

   private:
    const int id_;
    std::vector<int>* const order_;
  };
  NodeList list;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) {
      Recorder* const node = new Recorder(*core, round * 3 + i, &order);
      ASSERT_EQ(node->Park(), ParkResult::kParked);
      ASSERT_TRUE(node->Wake());
      ASSERT_TRUE(node->MarkQueued());
      core->Push(*node, false);
      node->Unref();
    }
    core->TakeTo(list);
  }
  list.DispatchBatch();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  core->Unref();
}

TEST(FrameRingTest, RefusesWhenFullAndKeepsTheOrder) {
  FrameRing ring;
  uint64_t frame = 0;
  EXPECT_FALSE(ring.Take(&frame));
  for (uint64_t i = 0; i < kMaxFramesInRing; ++i) ASSERT_TRUE(ring.Put(i)) << i;
  EXPECT_FALSE(ring.Put(99));
  for (uint64_t i = 0; i < kMaxFramesInRing; ++i) {
    ASSERT_TRUE(ring.Take(&frame));
    EXPECT_EQ(frame, i);
  }
  EXPECT_FALSE(ring.Take(&frame));
}

}  // namespace
}  // namespace benchfleet::wake_runtime
