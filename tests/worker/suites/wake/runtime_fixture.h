// What the tests of the runtime share.
#ifndef BENCHFLEET_TESTS_WORKER_SUITES_WAKE_RUNTIME_FIXTURE_H_
#define BENCHFLEET_TESTS_WORKER_SUITES_WAKE_RUNTIME_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "tests/worker/suites/wake/watch_dog.h"
#include "worker/suites/wake/runtime/core.h"
#include "worker/suites/wake/runtime/counters.h"
#include "worker/suites/wake/runtime/loop.h"
#include "worker/suites/wake/runtime/node.h"
#include "worker/suites/wake/runtime/policy.h"
#include "worker/suites/wake/runtime/stream.h"
#include "worker/suites/wake/runtime/task.h"

namespace benchfleet::wake_runtime {

// A node that counts how often it is resumed, and tells of its end.
class CountingNode final : public Node {
 public:
  CountingNode(Core& core, bool* destroyed) : Node(core), destroyed_(destroyed) {}
  void Resume() override { ++resumed; }
  int resumed = 0;

 private:
  ~CountingNode() override { *destroyed_ = true; }
  bool* const destroyed_;
};

// What `function` did, on a thread of its own.
template <typename Function>
Counters CountersOnThread(Function function) {
  Counters counters;
  std::thread([&] {
    function();
    counters = tl_counters;
  }).join();
  return counters;
}

inline uint64_t Wakes(const Counters& counters) { return counters.direct_wakes + counters.socket_wakes; }

template <typename PolicyConstant>
class RuntimeTest : public ::testing::Test {
 protected:
  static constexpr Policy kPolicy = PolicyConstant::value;
  static constexpr bool kSocket = kPolicy == Policy::kSocket;

  void SetUp() override {
    loop_ = Loop::Create();
    ASSERT_NE(loop_, nullptr);
    before_ = tl_counters;
  }

  // Since the test began, on its thread.
  Counters Did() const {
    Counters did = tl_counters;
    did.lookups -= before_.lookups;
    did.direct_wakes -= before_.direct_wakes;
    did.socket_wakes -= before_.socket_wakes;
    did.socket_bytes_written -= before_.socket_bytes_written;
    did.socket_bytes_read -= before_.socket_bytes_read;
    did.parks -= before_.parks;
    did.resumes -= before_.resumes;
    return did;
  }
  void Restart() { before_ = tl_counters; }

  WatchDog watch_dog_;
  std::unique_ptr<Loop> loop_;

 private:
  Counters before_;
};

template <Policy P>
using PolicyConstant = std::integral_constant<Policy, P>;
using AllPolicies = ::testing::Types<PolicyConstant<Policy::kSocket>, PolicyConstant<Policy::kLookup>,
                                     PolicyConstant<Policy::kCounted>>;

struct PolicyNames {
  template <typename T>
  static std::string GetName(int) {
    return T::value == Policy::kSocket ? "socket" : T::value == Policy::kLookup ? "lookup" : "counted";
  }
};

// Reads until it has `count` frames.
template <Policy P>
Task Collect(Stream<P>& stream, size_t count, std::vector<uint64_t>& frames) {
  for (size_t i = 0; i < count; ++i) frames.push_back(co_await stream.Read());
}

// Reads one frame, notes `id`, and tells `done` when it is the last of `expected`.
template <Policy P>
Task CollectId(Stream<P>& stream, uint64_t id, std::vector<uint64_t>& ids, size_t expected, Stream<P>& done) {
  co_await stream.Read();
  ids.push_back(id);
  if (ids.size() == expected) done.Write(0);
}

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_TESTS_WORKER_SUITES_WAKE_RUNTIME_FIXTURE_H_
