// The one random generator of everything that must come out the same from the same seed.
#ifndef BENCHFLEET_COMMON_STATS_RNG_H_
#define BENCHFLEET_COMMON_STATS_RNG_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace benchfleet {

// SplitMix64: small, fast and specified to the bit; the standard library's distributions
// are not.
//
// Thread-safety: none.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next();
  // Uniform in [0, n), without bias. `n` is at least 1.
  uint64_t Below(uint64_t n);
  // Fisher-Yates, from the last element down.
  void Shuffle(absl::Span<int> values);
  // 0..n-1, shuffled.
  std::vector<int> Permutation(int n);

 private:
  uint64_t state_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_STATS_RNG_H_
