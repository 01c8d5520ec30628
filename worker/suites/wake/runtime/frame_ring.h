// A few frames on their way from one writer to one reader.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_FRAME_RING_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_FRAME_RING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace benchfleet::wake_runtime {

inline constexpr size_t kMaxFramesInRing = 16;

// Thread-safety: one thread puts, one thread takes.
class FrameRing {
 public:
  // False when it is full.
  bool Put(uint64_t frame) {
    const size_t put = put_.load(std::memory_order_relaxed);
    if (put - taken_.load(std::memory_order_acquire) == kMaxFramesInRing) return false;
    frames_[put % kMaxFramesInRing] = frame;
    put_.store(put + 1, std::memory_order_release);
    return true;
  }
  // False when it is empty.
  bool Take(uint64_t* frame) {
    const size_t taken = taken_.load(std::memory_order_relaxed);
    if (taken == put_.load(std::memory_order_acquire)) return false;
    *frame = frames_[taken % kMaxFramesInRing];
    taken_.store(taken + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<uint64_t, kMaxFramesInRing> frames_{};
  std::atomic<size_t> put_{0};
  std::atomic<size_t> taken_{0};
};

}  // namespace benchfleet::wake_runtime

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_RUNTIME_FRAME_RING_H_
